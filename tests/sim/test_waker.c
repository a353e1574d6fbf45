// SPDX-License-Identifier: GPL-2.0-or-later
/* A waker from open to close, on the real machine and on one that refuses. */
#include <fz/waker.h>

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

#include <fz/resched_point.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* What a machine answers. */
struct refusal {
	int pin;
	int fifo;
	int slack;
	bool no_memory;
};

static int refuse_pin(void *state, unsigned int cpu)
{
	(void)cpu;
	return ((struct refusal *)state)->pin;
}

static int refuse_fifo(void *state, int priority)
{
	(void)priority;
	return ((struct refusal *)state)->fifo;
}

static int refuse_slack(void *state, uint64_t slack_ns)
{
	(void)slack_ns;
	return ((struct refusal *)state)->slack;
}

static void *refuse_map(void *state, void *addr, size_t bytes, int prot,
			int flags)
{
	if (((struct refusal *)state)->no_memory)
		return MAP_FAILED;
	return fz_hooks_default.map(NULL, addr, bytes, prot, flags);
}

static struct fz_hooks refusing(struct refusal *refusal)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = refusal;
	hooks.pin = refuse_pin;
	hooks.set_fifo = refuse_fifo;
	hooks.set_timer_slack = refuse_slack;
	hooks.map = refuse_map;
	return hooks;
}

static struct fz_waker_params params_of(enum fz_waker_kind kind)
{
	return (struct fz_waker_params){
		.kind = kind,
		.cpu = fz_hooks_default.cpu(NULL),
		.interval_ns = FZ_WAKER_MIN_INTERVAL_NS,
		.max_wakes = 1000,
		.clock = fz_clock_calibrate(&fz_hooks_default, 1000000),
	};
}

static const struct {
	enum fz_waker_kind kind;
	int fifo;
	enum fz_waker_kind got;
	const char *reason;
} refusals[] = {
	{ FZ_WAKER_FIFO, 0, FZ_WAKER_FIFO, NULL },
	{ FZ_WAKER_FIFO, -EPERM, FZ_WAKER_FAIR, "CAP_SYS_NICE" },
	{ FZ_WAKER_FIFO, -ENOSYS, FZ_WAKER_FAIR, "not implemented" },
	{ FZ_WAKER_FAIR, -EPERM, FZ_WAKER_FAIR, NULL },
	{ FZ_WAKER_FLAG, -EPERM, FZ_WAKER_FLAG, NULL },
};

START_TEST(fifo_falls_back_to_fair)
{
	struct refusal refusal = { .fifo = refusals[_i].fifo, .slack = -EPERM };
	const struct fz_hooks hooks = refusing(&refusal);
	const struct fz_waker_params params = params_of(refusals[_i].kind);
	struct fz_waker *waker;
	struct fz_err err = { "" };

	ck_assert_msg(fz_waker_open(&waker, &hooks, &params, &err) == 0, "%s",
		      err.msg);
	ck_assert_int_eq(fz_waker_kind(waker), refusals[_i].got);
	if (refusals[_i].reason)
		ck_assert_ptr_nonnull(
			strstr(fz_waker_reason(waker), refusals[_i].reason));
	else
		ck_assert_str_eq(fz_waker_reason(waker), "");
	ck_assert_int_eq(fz_waker_flag(waker) != NULL,
			 refusals[_i].kind == FZ_WAKER_FLAG);
	fz_waker_begin(waker);
	fz_waker_end(waker);
	fz_waker_close(waker);
}
END_TEST

static const struct {
	struct refusal refusal;
	uint64_t interval_ns;
	size_t max_wakes;
	int code;
	const char *says;
} failures[] = {
	{ { .pin = -EINVAL }, 100000, 10, -EINVAL, "on cpu '" },
	{ { .no_memory = true }, 100000, 10, -ENOMEM, "no memory" },
	{ { 0 }, FZ_WAKER_MIN_INTERVAL_NS - 1, 10, -ERANGE, "'9999 ns'" },
	{ { 0 }, FZ_WAKER_MAX_INTERVAL_NS + 1, 10, -ERANGE, "10us to 1s" },
	{ { 0 }, 0, 10, -ERANGE, "'0 ns'" },
	{ { 0 }, UINT64_MAX, 10, -ERANGE, "10us to 1s" },
	{ { 0 }, 100000, 0, -ERANGE, "'0' wake-ups" },
	{ { 0 }, 100000, SIZE_MAX, -ERANGE, "wake-ups" },
	{ { 0 }, 100000, SIZE_MAX / 16, -ENOMEM, "no memory" },
};

START_TEST(open_says_why_it_failed)
{
	struct refusal refusal = failures[_i].refusal;
	const struct fz_hooks hooks = refusing(&refusal);
	struct fz_waker_params params = params_of(FZ_WAKER_FAIR);
	struct fz_waker *waker = NULL;
	struct fz_err err = { "" };

	params.interval_ns = failures[_i].interval_ns;
	params.max_wakes = failures[_i].max_wakes;
	ck_assert_int_eq(fz_waker_open(&waker, &hooks, &params, &err),
			 failures[_i].code);
	ck_assert_msg(strstr(err.msg, failures[_i].says) != NULL, "%s",
		      err.msg);
	ck_assert_ptr_null(waker);
	fz_waker_close(NULL);
}
END_TEST

/* A bounded piece of work, with looks at the flag. */
static void work(const struct fz_hooks *hooks, struct fz_resched_flag *flag)
{
	const uint64_t until_ns = hooks->now_ns(hooks->state) + 100000;

	while (hooks->now_ns(hooks->state) < until_ns) {
		if (flag && fz_resched_point(&flag->need_resched))
			fz_resched_flag_answer(flag, hooks);
	}
}

static size_t count_wrong(const struct fz_wakes *wakes)
{
	size_t nr = 0;

	for (size_t i = 0; i < wakes->nr; i++) {
		nr += wakes->wake[i].seen_ticks < wakes->wake[i].due_ticks;
		nr += i &&
		      wakes->wake[i].due_ticks < wakes->wake[i - 1].due_ticks;
	}
	return nr;
}

/* The real hooks, the flag unbound so that one CPU is enough. */
START_TEST(begins_and_ends_many_times)
{
	struct fz_hooks hooks = fz_hooks_default;
	const struct fz_waker_params params = params_of((enum fz_waker_kind)_i);
	struct refusal nothing = { 0 };
	struct fz_waker *waker;
	struct fz_err err = { "" };
	size_t nr_wrong = 0, nr = 0;

	if (params.kind == FZ_WAKER_FLAG) {
		hooks.pin = refuse_pin;
		hooks.state = &nothing;
	}
	ck_assert_msg(fz_waker_open(&waker, &hooks, &params, &err) == 0, "%s",
		      err.msg);
	hooks.pin(hooks.state, params.cpu);
	for (int i = 0; i < 200; i++) {
		const uint64_t begin_ticks = hooks.ticks(hooks.state);
		struct fz_wakes wakes;

		fz_waker_begin(waker);
		if (i % 4)
			work(&hooks, fz_waker_flag(waker));
		wakes = fz_waker_end(waker);
		nr_wrong += count_wrong(&wakes);
		/* Who sets a flag misses some while it is off its CPU. */
		nr_wrong += !fz_waker_flag(waker) && wakes.dropped &&
			    wakes.nr < params.max_wakes;
		nr_wrong += wakes.nr && wakes.wake[0].due_ticks < begin_ticks;
		nr += wakes.nr;
	}
	ck_assert_uint_eq(nr_wrong, 0);
	ck_assert_uint_gt(nr, 0);
	fz_waker_close(waker);
}
END_TEST

START_TEST(measures_its_baselines)
{
	const struct fz_waker_params params = params_of(FZ_WAKER_FIFO);
	struct fz_histogram h;
	struct fz_waker *waker;

	ck_assert_int_eq(
		fz_waker_open(&waker, &fz_hooks_default, &params, NULL), 0);
	fz_hooks_default.pin(NULL, params.cpu);
	fz_waker_baseline(waker, FZ_MEANWHILE_IDLE, 20000000, &h);
	ck_assert_uint_gt(h.count, 0);
	fz_waker_baseline(waker, FZ_MEANWHILE_SPIN, 20000000, &h);
	if (fz_waker_kind(waker) == FZ_WAKER_FIFO)
		ck_assert_uint_gt(h.count, 0);
	fz_waker_baseline(waker, FZ_MEANWHILE_IDLE, 0, &h);
	ck_assert_uint_eq(h.count, 0);
	fz_waker_close(waker);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("waker");
	TCase *tcase = tcase_create("waker");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, fifo_falls_back_to_fair, 0, NR(refusals));
	tcase_add_loop_test(tcase, open_says_why_it_failed, 0, NR(failures));
	tcase_add_loop_test(tcase, begins_and_ends_many_times, 0,
			    FZ_WAKER_FLAG + 1);
	tcase_add_test(tcase, measures_its_baselines);
	suite_add_tcase(suite, tcase);
	return suite;
}
