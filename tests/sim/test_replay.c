// SPDX-License-Identifier: GPL-2.0-or-later
/* Which records are replayed, and what is counted of them. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/random.h>
#include <fz/replay.h>
#include <fz/replay_model.h>

#include "conditional_policy.h"
#include "fz_test.h"
#include "made_faults.h"

#define BASE      (0x7f0000000000ull)
#define MAX_FILED 4096u

static const struct fz_folio_choice choices[] = {
	{ .order = 0 },
	{ .order = 9 },
};

/* Keeps what it is given. */
static struct fz_folio_fault filed[MAX_FILED];
static size_t nr_filed;
static int sink_code;

static int file_fault(void *state, const struct fz_folio_fault *fault,
		      struct fz_err *err)
{
	(void)state;
	if (nr_filed < MAX_FILED)
		filed[nr_filed] = *fault;
	nr_filed++;
	return sink_code ? fz_err_set(err, sink_code, "made to fail") : 0;
}

static struct fz_replay_tally tally;
static struct fz_err err;

static int replay(const struct fz_fault *records, size_t nr, bool assume_anon)
{
	struct made_faults made = { .records = records, .nr = nr, .most = 3 };
	const struct fz_folio_sink sink = { .fault = file_fault };
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 2,
		.unit_bytes = FZ_PAGE_BYTES,
		.assume_anon = assume_anon,
	};

	nr_filed = 0;
	return fz_replay_run(made_source(&made), &params, &sink, 1, &tally,
			     &err);
}

START_TEST(only_zero_fill_is_replayed)
{
	const struct fz_fault records[] = {
		made_tracepoint(1, BASE, 10, MADE_ZERO_FILL),
		made_tracepoint(1, BASE + 0x1000, 20, MADE_READ),
		made_tracepoint(1, BASE, 30, MADE_COPY),
		made_tracepoint(1, BASE + 0x2000, 40, MADE_FETCH),
		made_tracepoint(1, 0xffff888000000000ull, 50, MADE_ZERO_FILL),
		made_fault(1, BASE + 0x203000, 60),
		made_fault(1, BASE + 0x204000, 70),
	};

	ck_assert_int_eq(replay(records, 7, true), 0);
	ck_assert_uint_eq(tally.records, 7);
	ck_assert_uint_eq(tally.faults, 7);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_ZERO_FILL], 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_READ], 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_COPY], 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_FETCH], 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_KERNEL], 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_UNKNOWN], 2);
	ck_assert_uint_eq(tally.replayed, 3);
	ck_assert_uint_eq(tally.sizes[0].faults, 3);
	ck_assert_uint_eq(tally.sizes[0].bytes, 3 * FZ_PAGE_BYTES);
	ck_assert_uint_eq(tally.sizes[1].faults, 2);
	ck_assert_uint_eq(tally.sizes[1].saved, 1);
	ck_assert_uint_eq(tally.first_ns, 10);
	ck_assert_uint_eq(tally.last_ns, 70);
	ck_assert_uint_eq(nr_filed, 5);
	ck_assert_uint_eq(filed[1].choice, 1);
	ck_assert_uint_eq(filed[1].order, 9);
	ck_assert_uint_eq(filed[3].page, 3);
	ck_assert_uint_eq(filed[3].time_ns, 60);
	ck_assert_uint_eq(filed[3].pid, 1);
	ck_assert_int_eq(replay(records, 7, false), 0);
	ck_assert_uint_eq(tally.replayed, 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_UNKNOWN], 2);
}
END_TEST

static struct fz_fault event(enum fz_event what, uint32_t pid, uint64_t value)
{
	struct fz_fault record = made_fault(pid, 0, 0);

	record.event = (uint8_t)what;
	record.value = value;
	return record;
}

/* exec and the end of a process free everything; that of a thread nothing. */
START_TEST(exec_and_exit_clear)
{
	struct fz_fault thread = event(FZ_EVENT_EXIT, 1, 0);
	struct fz_fault records[] = {
		made_fault(1, BASE, 1),
		made_fault(2, BASE, 2),
		thread,
		made_fault(1, BASE + 0x1000, 3),
		event(FZ_EVENT_EXEC, 1, 0),
		made_fault(1, BASE + 0x1000, 4),
		event(FZ_EVENT_EXIT, 2, 0),
		made_fault(2, BASE, 5),
		event(FZ_EVENT_LOST, 0, 17),
		event(FZ_EVENT_FORK, 3, 1),
	};

	records[2].tid = 100;
	ck_assert_int_eq(replay(records, 10, true), 0);
	ck_assert_uint_eq(tally.records, 10);
	ck_assert_uint_eq(tally.sizes[0].faults, 5);
	ck_assert_uint_eq(tally.sizes[1].faults, 4);
	ck_assert_uint_eq(tally.sizes[1].saved, 1);
	ck_assert_uint_eq(tally.execs, 1);
	ck_assert_uint_eq(tally.exits, 1);
	ck_assert_uint_eq(tally.lost, 17);
}
END_TEST

/* Of more than can be counted it is not told that they were few. */
START_TEST(losses_add_up)
{
	struct fz_fault records[] = {
		event(FZ_EVENT_LOST, 0, UINT64_MAX - 4),
		event(FZ_EVENT_LOST, 0, 3),
		event(FZ_EVENT_LOST, 0, 10),
	};

	ck_assert_int_eq(replay(records, 2, true), 0);
	ck_assert_uint_eq(tally.lost, UINT64_MAX - 1);
	ck_assert_int_eq(replay(records, 3, true), 0);
	ck_assert_uint_eq(tally.lost, UINT64_MAX);
}
END_TEST

/* A mapping of a file says what an event without error code does not. */
START_TEST(mappings_tell_files)
{
	struct fz_fault map = event(FZ_EVENT_MMAP, 1, 0x10000);
	struct fz_fault records[4];

	map.addr = BASE;
	map.backing = FZ_BACKING_FILE;
	records[0] = map;
	records[1] = made_fault(1, BASE + 0x1000, 1);
	records[2] = made_fault(1, BASE + 0x10000, 2);
	records[3] = made_fault(2, BASE + 0x1000, 3);
	ck_assert_int_eq(replay(records, 4, true), 0);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_FILE], 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_UNKNOWN], 2);
	ck_assert_uint_eq(tally.mappings, 1);
}
END_TEST

/* One mapping more than a process may have, and a fault in it. */
START_TEST(mappings_that_are_too_many)
{
	const size_t nr = FZ_PROCESS_MAPPINGS + 2;
	struct fz_fault *records = malloc(nr * sizeof(*records));

	for (size_t i = 0; i + 1 < nr; i++) {
		records[i] = event(FZ_EVENT_MMAP, 1, 0x1000);
		records[i].addr = BASE + i * 0x2000;
		records[i].backing = FZ_BACKING_FILE;
	}
	records[nr - 1] = made_fault(1, BASE + (nr - 2) * 0x2000, 1);
	ck_assert_int_eq(replay(records, nr, true), 0);
	ck_assert_uint_eq(tally.mappings, nr - 1);
	ck_assert_uint_eq(tally.mappings_not_kept, 1);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_UNKNOWN], 1);
	records[nr - 1].addr = BASE;
	ck_assert_int_eq(replay(records, nr, true), 0);
	ck_assert_uint_eq(tally.classes[FZ_CLASS_FILE], 1);
	free(records);
}
END_TEST

START_TEST(threads_without_a_process)
{
	struct fz_fault records[] = { made_fault(1, BASE, 1),
				      made_fault(2, BASE, 1),
				      made_fault(1, BASE, 1) };

	for (unsigned int i = 0; i < 3; i++) {
		records[i].knows &= (uint8_t)~FZ_KNOWS_PID;
		records[i].pid = 0;
	}
	records[2].knows &= (uint8_t)~FZ_KNOWS_ADDR;
	ck_assert_int_eq(replay(records, 3, true), 0);
	ck_assert_uint_eq(tally.sizes[1].faults, 2);
	ck_assert_uint_eq(tally.no_address, 1);
	ck_assert_uint_eq(tally.faults, 2);
	/* Its end is that of all it had. */
	records[1].tid = 1;
	records[1].event = FZ_EVENT_EXIT;
	records[2].knows |= FZ_KNOWS_ADDR;
	ck_assert_int_eq(replay(records, 3, true), 0);
	ck_assert_uint_eq(tally.exits, 1);
	ck_assert_uint_eq(tally.sizes[1].faults, 2);
}
END_TEST

START_TEST(a_sink_may_fail)
{
	const struct fz_fault record = made_fault(1, BASE, 1);

	sink_code = -ENOMEM;
	ck_assert_int_eq(replay(&record, 1, true), -ENOMEM);
	ck_assert_str_eq(err.msg, "made to fail");
	sink_code = 0;
}
END_TEST

START_TEST(a_signal_ends_it)
{
	const struct fz_fault record = made_fault(1, BASE, 1);
	struct made_faults made = { .records = &record, .nr = 1 };
	const atomic_int stop = 2;
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 2,
		.unit_bytes = FZ_PAGE_BYTES,
		.stop = &stop,
	};

	ck_assert_int_eq(fz_replay_run(made_source(&made), &params, NULL, 0,
				       &tally, &err),
			 -EINTR);
}
END_TEST

START_TEST(not_faulted)
{
	const struct fz_replay_size size = { .faults = 2,
					     .saved = 10,
					     .bytes = 4u << 20 };
	uint64_t bytes = 0;

	ck_assert(fz_replay_not_faulted(&size, FZ_PAGE_BYTES, &bytes));
	ck_assert_uint_eq(bytes, (4u << 20) - 12 * FZ_PAGE_BYTES);
	ck_assert(!fz_replay_not_faulted(&size, 2u << 20, &bytes));
}
END_TEST

#define NR_RANDOM 500u

static const struct fz_profile profile = {
	.fault_ns = 1000,
	.point_ns = 1,
	.nr_clears = 2,
	.clears = { { .name = "stosb", .call_ns = { 70, 90, 80 }, .bps = 1e10 },
		    { .name = "movnti", .streaming = true, .bps = 2e10 } },
};

/* Counting first and pricing then is pricing each fault. */
START_TEST(model_prices_each_fault)
{
	static struct fz_fault records[NR_RANDOM];
	struct made_faults made = { .records = records, .nr = NR_RANDOM };
	struct fz_random random = fz_random_begin(9, (uint64_t)_i);
	struct fz_replay_model *model;
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 2,
		.unit_bytes = FZ_PAGE_BYTES,
		.assume_anon = true,
	};
	struct fz_folio_sink sinks[2] = { { .fault = file_fault } };
	struct fz_row row = {
		.config = { .engine = &fz_engine_model,
			    .policy = fz_policies[_i],
			    .fault = FZ_FAULT_RECORDED,
			    .preempt = FZ_PREEMPT_NONE,
			    .radius_pages = FZ_RADIUS_PAGES },
		.choice = 1,
	};
	struct fz_samples *samples = malloc(sizeof(*samples));
	struct fz_plan_cache *plans;
	const struct fz_prices prices = fz_prices_of(&profile);
	struct fz_arena *arena;
	uint64_t total = 0, bytes = 0, nr = 0;

	for (unsigned int i = 0; i < NR_RANDOM; i++)
		records[i] = made_tracepoint(
			1,
			BASE + fz_random_below(&random, 1ull << 30) /
					FZ_PAGE_BYTES * FZ_PAGE_BYTES,
			i, MADE_ZERO_FILL);
	nr_filed = 0;
	ck_assert_int_eq(fz_replay_model_open(&model), 0);
	sinks[1] = fz_replay_model_sink(model);
	ck_assert_int_eq(fz_replay_run(made_source(&made), &params, sinks, 2,
				       &tally, &err),
			 0);
	ck_assert_int_eq(fz_arena_open(&arena, 8u << 20, &err), 0);
	ck_assert_int_eq(fz_plan_cache_open(&plans, arena, 100), 0);
	ck_assert_int_eq(
		fz_replay_model_price(model, plans, &prices, &row, &err), 0);
	fz_samples_init(samples);
	for (size_t i = 0; i < nr_filed; i++) {
		const struct fz_zero_request request = {
			.nr_pages = 512,
			.fault_page = filed[i].page,
			.radius_pages = FZ_RADIUS_PAGES,
		};
		struct fz_plan plan;

		if (filed[i].choice != 1)
			continue;
		fz_policy_plan(fz_policies[_i], &request, &plan, NULL);
		total += (uint64_t)fz_price_plan(&plan, FZ_PREEMPT_NONE,
						 &prices, 1, samples);
		fz_plan_fini(&plan);
		bytes += 2u << 20;
		nr++;
	}
	ck_assert_uint_gt(nr, 100);
	ck_assert(row.seconds[0] == (double)total / 1e9);
	ck_assert_uint_eq(row.config.bytes, bytes);
	ck_assert_uint_eq(row.folios, nr);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
	ck_assert_mem_eq(&row.samples->stretch_ns, &samples->stretch_ns,
			 sizeof(samples->stretch_ns));
	ck_assert_mem_eq(&row.samples->fault_ns, &samples->fault_ns,
			 sizeof(samples->fault_ns));
	fz_row_fini(&row);
	fz_plan_cache_close(plans);
	fz_arena_close(arena);
	fz_replay_model_close(model);
	free(samples);
}
END_TEST

static int no_plan(const struct fz_policy *policy,
		   const struct fz_zero_request *request, struct fz_plan *plan,
		   struct fz_err *why)
{
	(void)plan;
	return fz_err_set(why, -EINVAL, "no plan of '%s' for page %llu",
			  policy->name,
			  (unsigned long long)request->fault_page);
}

/* The row says so; others are priced. */
START_TEST(a_row_without_a_plan)
{
	static const struct fz_policy policy = { .name = "none",
						 .uses = FZ_USES_FAULT,
						 .make_plan = no_plan };
	static struct fz_fault record;
	struct made_faults made = { .records = &record, .nr = 1 };
	const struct fz_prices prices = fz_prices_of(&profile);
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 1,
		.unit_bytes = FZ_PAGE_BYTES,
		.assume_anon = true,
	};
	struct fz_row row = {
		.config = { .engine = &fz_engine_model,
			    .policy = &policy,
			    .fault = FZ_FAULT_RECORDED },
	};
	struct fz_replay_model *model;
	struct fz_folio_sink sink;
	struct fz_plan_cache *plans;
	struct fz_arena *arena;

	record = made_tracepoint(1, BASE, 0, MADE_ZERO_FILL);
	ck_assert_int_eq(fz_replay_model_open(&model), 0);
	sink = fz_replay_model_sink(model);
	ck_assert_int_eq(fz_replay_run(made_source(&made), &params, &sink, 1,
				       &tally, &err),
			 0);
	ck_assert_int_eq(fz_arena_open(&arena, 8u << 20, &err), 0);
	ck_assert_int_eq(fz_plan_cache_open(&plans, arena, 100), 0);
	ck_assert_int_eq(
		fz_replay_model_price(model, plans, &prices, &row, &err), 0);
	ck_assert_int_eq(row.status, FZ_ROW_UNSUPPORTED);
	ck_assert_str_eq(row.reason, "no plan of 'none' for page 0");
	fz_row_fini(&row);
	fz_plan_cache_close(plans);
	fz_arena_close(arena);
	fz_replay_model_close(model);
}
END_TEST

/* Folios of 4K do not get that far, so their price is known all the same. */
START_TEST(a_row_without_a_price)
{
	static struct fz_fault records[2];
	struct made_faults made = { .records = records, .nr = 2 };
	struct fz_profile unknown = profile;
	const struct fz_prices prices = fz_prices_of(&unknown);
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 2,
		.unit_bytes = FZ_PAGE_BYTES,
		.assume_anon = true,
	};
	struct fz_replay_model *model;
	struct fz_folio_sink sink;
	struct fz_plan_cache *plans;
	struct fz_arena *arena;

	unknown.clears[0].call_ns[FZ_RELATION_UP] = NAN;
	for (unsigned int i = 0; i < 2; i++)
		records[i] = made_tracepoint(1, BASE + i * FZ_PAGE_BYTES, i,
					     MADE_ZERO_FILL);
	ck_assert_int_eq(fz_replay_model_open(&model), 0);
	sink = fz_replay_model_sink(model);
	ck_assert_int_eq(fz_replay_run(made_source(&made), &params, &sink, 1,
				       &tally, &err),
			 0);
	ck_assert_int_eq(fz_arena_open(&arena, 8u << 20, &err), 0);
	ck_assert_int_eq(fz_plan_cache_open(&plans, arena, 100), 0);
	for (size_t choice = 0; choice < 2; choice++) {
		struct fz_row row = {
			.config = { .engine = &fz_engine_model,
				    .policy = fz_policy_find("contiguous-page"),
				    .fault = FZ_FAULT_RECORDED,
				    .preempt = FZ_PREEMPT_NONE },
			.choice = choice,
		};

		ck_assert_int_eq(fz_replay_model_price(model, plans, &prices,
						       &row, &err),
				 0);
		ck_assert_int_eq(row.status,
				 choice ? FZ_ROW_UNSUPPORTED : FZ_ROW_MODELLED);
		ck_assert_uint_eq(row.rounds, !choice);
		ck_assert_uint_eq(row.samples->fault_ns.count, choice ? 0 : 2);
		ck_assert_uint_eq(row.folios, choice ? 0 : 2);
		ck_assert((row.reason[0] != '\0') == choice);
		fz_row_fini(&row);
	}
	fz_plan_cache_close(plans);
	fz_arena_close(arena);
	fz_replay_model_close(model);
}
END_TEST

/* As a policy object does where a signal comes while it is waited for. */
static int stopped_plan(const struct fz_policy *policy,
			const struct fz_zero_request *request,
			struct fz_plan *plan, struct fz_err *why)
{
	(void)policy;
	(void)request;
	(void)plan;
	return fz_err_set(why, -EINTR, "made to stop");
}

START_TEST(a_signal_ends_a_plan)
{
	const struct fz_policy policy = {
		.name = "stopped",
		.uses = _i ? FZ_USES_FAULT : 0,
		.models = FZ_PREEMPT_ANY,
		.make_plan = stopped_plan,
	};
	struct fz_fault record = made_tracepoint(1, BASE, 0, MADE_ZERO_FILL);
	struct made_faults made = { .records = &record, .nr = 1 };
	const struct fz_prices prices = fz_prices_of(&profile);
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 2,
		.unit_bytes = FZ_PAGE_BYTES,
		.assume_anon = true,
	};
	struct fz_row row = {
		.config = { .engine = &fz_engine_model,
			    .policy = &policy,
			    .fault = FZ_FAULT_RECORDED,
			    .preempt = FZ_PREEMPT_NONE },
		.choice = 1,
	};
	struct fz_replay_model *model;
	struct fz_folio_sink sink;
	struct fz_plan_cache *plans;
	struct fz_arena *arena;

	ck_assert_int_eq(fz_replay_model_open(&model), 0);
	sink = fz_replay_model_sink(model);
	ck_assert_int_eq(fz_replay_run(made_source(&made), &params, &sink, 1,
				       &tally, &err),
			 0);
	ck_assert_int_eq(fz_arena_open(&arena, 8u << 20, &err), 0);
	ck_assert_int_eq(fz_plan_cache_open(&plans, arena, 100), 0);
	ck_assert_int_eq(
		fz_replay_model_price(model, plans, &prices, &row, &err),
		-EINTR);
	ck_assert_int_eq(row.status, FZ_ROW_UNSUPPORTED);
	ck_assert_str_eq(row.reason, "made to stop");
	ck_assert_uint_eq(row.rounds, 0);
	fz_row_fini(&row);
	fz_plan_cache_close(plans);
	fz_arena_close(arena);
	fz_replay_model_close(model);
}
END_TEST

START_TEST(conditional_plans_are_told)
{
	struct fz_fault record = made_tracepoint(
		1, BASE + (CONDITIONAL_PAGE + (uint64_t)_i) * FZ_PAGE_BYTES, 0,
		MADE_ZERO_FILL);
	struct made_faults made = { .records = &record, .nr = 1 };
	const struct fz_prices prices = fz_prices_of(&profile);
	const struct fz_replay_params params = {
		.choices = choices,
		.nr_choices = 2,
		.unit_bytes = FZ_PAGE_BYTES,
		.assume_anon = true,
	};
	struct fz_row row = {
		.config = { .engine = &fz_engine_model,
			    .policy = &conditional_policy,
			    .fault = FZ_FAULT_RECORDED,
			    .preempt = FZ_PREEMPT_NONE },
		.choice = 1,
	};
	struct fz_replay_model *model;
	struct fz_folio_sink sink;
	struct fz_plan_cache *plans;
	struct fz_arena *arena;

	ck_assert_int_eq(fz_replay_model_open(&model), 0);
	sink = fz_replay_model_sink(model);
	ck_assert_int_eq(fz_replay_run(made_source(&made), &params, &sink, 1,
				       &tally, &err),
			 0);
	ck_assert_int_eq(fz_arena_open(&arena, 8u << 20, &err), 0);
	ck_assert_int_eq(fz_plan_cache_open(&plans, arena, 100), 0);
	ck_assert_int_eq(
		fz_replay_model_price(model, plans, &prices, &row, &err), 0);
	ck_assert_int_eq(row.status, FZ_ROW_MODELLED);
	ck_assert_int_eq(row.conditional, _i == 0);
	fz_row_fini(&row);
	fz_plan_cache_close(plans);
	fz_arena_close(arena);
	fz_replay_model_close(model);
}
END_TEST

static int nr_policies(void)
{
	int nr = 0;

	while (fz_policies[nr])
		nr++;
	return nr;
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("replay");
	TCase *tcase = tcase_create("replay");

	tcase_add_test(tcase, only_zero_fill_is_replayed);
	tcase_add_test(tcase, exec_and_exit_clear);
	tcase_add_test(tcase, losses_add_up);
	tcase_add_test(tcase, mappings_tell_files);
	tcase_add_test(tcase, mappings_that_are_too_many);
	tcase_add_test(tcase, threads_without_a_process);
	tcase_add_test(tcase, a_sink_may_fail);
	tcase_add_test(tcase, a_signal_ends_it);
	tcase_add_test(tcase, not_faulted);
	tcase_add_test(tcase, a_row_without_a_plan);
	tcase_add_test(tcase, a_row_without_a_price);
	tcase_add_loop_test(tcase, a_signal_ends_a_plan, 0, 2);
	tcase_add_loop_test(tcase, conditional_plans_are_told, 0, 2);
	tcase_add_loop_test(tcase, model_prices_each_fault, 0, nr_policies());
	suite_add_tcase(suite, tcase);
	return suite;
}
