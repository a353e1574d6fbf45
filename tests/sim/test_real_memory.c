// SPDX-License-Identifier: GPL-2.0-or-later
/* Rounds of every engine and policy on real hugetlb, THP and base pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/round.h>

#include "fz_test.h"
#include "sanitized.h"

#define HUGE_BYTES ((uint64_t)2 << 20)
#define BYTES      (8 * HUGE_BYTES)

static const struct fz_page_size kinds[] = {
	{ FZ_PAGES_HUGETLB, HUGE_BYTES },
	{ FZ_PAGES_THP, HUGE_BYTES },
	{ FZ_PAGES_BASE, FZ_PAGE_BYTES },
};
static const char *const kind_names[] = { "hugetlb", "thp", "base" };

static struct fz_bench bench;

static void setup(void)
{
	struct fz_err err = { "" };

	ck_assert_msg(fz_bench_open(&bench, &fz_hooks_default, 1,
				    BYTES >> FZ_PAGE_SHIFT, &err) == 0,
		      "%s", err.msg);
}

static void teardown(void)
{
	fz_bench_close(&bench);
}

/*
 * A buffer, or NULL where this machine gives none of that kind: printed, and a
 * failure where the environment promises huge pages.
 */
static struct fz_buffer *open_buffer(size_t kind)
{
	struct fz_buffer *buffer = NULL;
	struct fz_err err = { "" };

	if (fz_buffer_open(&buffer, &fz_hooks_default, kinds[kind], BYTES,
			   &err) == 0)
		return buffer;
	printf("not run on %s: %s\n", kind_names[kind], err.msg);
	ck_assert_msg(kinds[kind].kind != FZ_PAGES_HUGETLB ||
			      !getenv("FOLIOSIM_REQUIRE_HUGETLB"),
		      "%s", err.msg);
	return NULL;
}

static bool is_zero(const struct fz_buffer *buffer)
{
	const uint64_t *words = fz_buffer_base(buffer);

	for (size_t i = 0; i < BYTES / sizeof(*words); i++)
		if (words[i])
			return false;
	return true;
}

static struct fz_row_config config_of(size_t kind,
				      const struct fz_engine *engine)
{
	return (struct fz_row_config){
		.engine = engine,
		.clear = fz_clear_kernel_choice(),
		.stream = fz_clear_kernel_choice(),
		.page = kinds[kind],
		.folio_bytes = HUGE_BYTES,
		.bytes = BYTES,
		.fault = FZ_FAULT_RANDOM,
		.preempt = FZ_PREEMPT_NONE,
		.radius_pages = FZ_RADIUS_PAGES,
		.use = FZ_USE_FOLIO,
	};
}

/* Warm up once, then count the faults of a few rounds. */
static uint64_t faults_of_rounds(const struct fz_row_config *config,
				 struct fz_buffer *buffer, unsigned int rounds)
{
	struct fz_samples *samples = malloc(sizeof(*samples));
	struct fz_round_result result;
	struct fz_err err = { "" };
	uint64_t faults = 0;

	fz_samples_init(samples);
	for (unsigned int i = 0; i <= rounds; i++) {
		ck_assert_msg(fz_round_run(&bench, config, &buffer, 1, samples,
					   &result, &err) == 0,
			      "%s", err.msg);
		/* Shadow memory takes faults of its own. */
		if (i && !FZ_SANITIZED)
			faults += result.noise.minor_faults;
		ck_assert(result.seconds > 0.0);
	}
	ck_assert_uint_eq(samples->fault_ns.count,
			  (rounds + 1) * BYTES / config->folio_bytes);
	free(samples);
	return faults;
}

START_TEST(buffers_and_bare_zero_everything_without_a_fault)
{
	struct fz_buffer *buffer = open_buffer((size_t)_i);

	if (!buffer)
		return;
	for (size_t p = 0; fz_policies[p]; p++) {
		struct fz_row_config config =
			config_of((size_t)_i, &fz_engine_buffers);

		config.policy = fz_policies[p];
		ck_assert_uint_eq(faults_of_rounds(&config, buffer, 3), 0);
		ck_assert_msg(is_zero(buffer), "%s", fz_policies[p]->name);
		config.engine = &fz_engine_bare;
		ck_assert_uint_eq(faults_of_rounds(&config, buffer, 1), 0);
		ck_assert_msg(is_zero(buffer), "%s", fz_policies[p]->name);
	}
	fz_buffer_close(buffer);
}
END_TEST

START_TEST(every_primitive_zeroes_the_buffer)
{
	struct fz_buffer *buffer = open_buffer((size_t)_i);

	for (size_t c = 0; buffer && fz_clears[c]; c++) {
		struct fz_row_config config =
			config_of((size_t)_i, &fz_engine_buffers);

		if (fz_clear_why_unsupported(fz_clears[c]))
			continue;
		config.policy = fz_policy_find("streaming-neighbourhood-last");
		config.clear = config.stream = fz_clears[c];
		ck_assert_uint_eq(faults_of_rounds(&config, buffer, 1), 0);
		ck_assert_msg(is_zero(buffer), "%s", fz_clears[c]->name);
	}
	fz_buffer_close(buffer);
}
END_TEST

START_TEST(kernel_faults_every_page_once)
{
	struct fz_buffer *buffer = open_buffer((size_t)_i);
	struct fz_row_config config = config_of((size_t)_i, &fz_engine_kernel);
	uint64_t faults;

	if (!buffer)
		return;
	config.folio_bytes = kinds[_i].bytes;
	config.use = FZ_USE_LINE;
	faults = faults_of_rounds(&config, buffer, 2);
	if (FZ_SANITIZED)
		printf("a sanitizer takes faults; they are not counted\n");
	else if (kinds[_i].kind == FZ_PAGES_THP &&
		 fz_buffer_backing(buffer).bytes_ok < BYTES)
		printf("THP was short of huge pages; faults not checked\n");
	else
		ck_assert_uint_eq(faults, 2 * BYTES / kinds[_i].bytes);
	/* One byte a folio was stored by the fault itself, inside the page. */
	for (uint64_t i = 0; i < BYTES; i += config.folio_bytes)
		memset((char *)fz_buffer_base(buffer) + i +
			       fz_round_fault_page(&config, 1, 1, 0,
						   i / config.folio_bytes) *
				       FZ_PAGE_BYTES +
			       FZ_PAGE_BYTES / 2,
		       0, 1);
	ck_assert(is_zero(buffer));
	/* The buffer is whole again for the next row. */
	fz_buffer_dirty(buffer, true);
	ck_assert(!is_zero(buffer));
	fz_buffer_close(buffer);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.real_memory");
	TCase *tcase = tcase_create("real_memory");
	const int nr = sizeof(kinds) / sizeof(kinds[0]);

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(
		tcase, buffers_and_bare_zero_everything_without_a_fault, 0, nr);
	tcase_add_loop_test(tcase, every_primitive_zeroes_the_buffer, 0, nr);
	tcase_add_loop_test(tcase, kernel_faults_every_page_once, 0, nr);
	suite_add_tcase(suite, tcase);
	return suite;
}
