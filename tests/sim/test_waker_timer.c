// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sleeping waker on a machine with a clock of its own: interrupts take a
 * known time, and the CPU is given away at known instants only.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <fz/stretches.h>
#include <fz/waker.h>

#include "fz_test.h"
#include "waker_thread.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define INTERVAL_NS 100000u
#define MAX_WAKES   200000u
#define SLICE_NS    10000000u
#define BEGIN_NS    1000000000u

/*
 * Two stretches take turns; at their ends the CPU is given away. Everywhere if
 * both are 0.
 */
struct machine {
	struct fz_hooks hooks;
	_Atomic uint64_t now_ns;
	uint64_t irq_ns;
	uint64_t stretch_ns[2];
	_Atomic uint64_t sleeps;
	_Atomic uint64_t too_long; /* sleeps of more than a slice */
	uint64_t enough;           /* sleeps after which `slept` is posted */
	sem_t slept;
	const struct fz_waker *paced; /* its sleeper waits for looks */
	_Atomic uint64_t looks;       /* of the test's thread at the clock */
	pthread_t test;
};

static bool is_test(const struct machine *machine)
{
	return pthread_equal(machine->test, pthread_self());
}

static uint64_t machine_now_ns(void *state)
{
	struct machine *machine = state;

	if (is_test(machine))
		machine->looks++;
	return machine->now_ns;
}

static uint64_t machine_ticks(void *state)
{
	return machine_now_ns(state) / 2;
}

static uint64_t next_place(const struct machine *machine, uint64_t ns)
{
	const uint64_t *stretch_ns = machine->stretch_ns;
	const uint64_t period_ns = stretch_ns[0] + stretch_ns[1];
	uint64_t phase_ns;

	if (!period_ns)
		return ns;
	phase_ns = (ns - BEGIN_NS) % period_ns;
	if (phase_ns == 0)
		return ns;
	return ns - phase_ns +
	       (phase_ns <= stretch_ns[0] ? stretch_ns[0] : period_ns);
}

/* One sleep a look, so that a test that watches the clock sees it pass. */
static void keep_pace(struct machine *machine)
{
	const uint64_t looks = machine->looks;

	while (machine->paced && machine->looks == looks &&
	       !waker_must_stop(machine->paced))
		sched_yield();
}

static int machine_sleep(void *state, uint64_t until_ns)
{
	struct machine *machine = state;
	const uint64_t now_ns = machine->now_ns;

	if (is_test(machine)) {
		while (machine_now_ns(machine) < until_ns)
			sched_yield();
		return 0;
	}
	keep_pace(machine);
	machine->too_long += until_ns > now_ns + SLICE_NS;
	machine->now_ns =
		next_place(machine, (until_ns > now_ns ? until_ns : now_ns) +
					    machine->irq_ns);
	if (++machine->sleeps == machine->enough)
		sem_post(&machine->slept);
	return 0;
}

static int machine_pin(void *state, unsigned int cpu)
{
	(void)state;
	(void)cpu;
	return 0;
}

static void machine_init(struct machine *machine, uint64_t irq_ns,
			 uint64_t enough)
{
	memset(machine, 0, sizeof(*machine));
	machine->hooks = fz_hooks_default;
	machine->hooks.state = machine;
	machine->hooks.now_ns = machine_now_ns;
	machine->hooks.ticks = machine_ticks;
	machine->hooks.sleep_until_ns = machine_sleep;
	machine->hooks.pin = machine_pin;
	machine->now_ns = BEGIN_NS;
	machine->irq_ns = irq_ns;
	machine->enough = enough;
	machine->test = pthread_self();
	sem_init(&machine->slept, 0, 0);
}

static struct fz_waker *waker_on(struct machine *machine, uint64_t interval_ns,
				 uint64_t seed)
{
	const struct fz_waker_params params = {
		.kind = FZ_WAKER_FAIR,
		.interval_ns = interval_ns,
		.max_wakes = MAX_WAKES,
		.seed = seed,
		.clock = { .ns_per_tick = 2.0 },
	};
	struct fz_waker *waker = NULL;

	ck_assert_int_eq(fz_waker_open(&waker, &machine->hooks, &params, NULL),
			 0);
	return waker;
}

/* So many sleeps; a few more may follow before the waker notices. */
static struct fz_wakes run(struct machine *machine, struct fz_waker *waker)
{
	fz_waker_begin(waker);
	sem_wait(&machine->slept);
	return fz_waker_end(waker);
}

START_TEST(late_is_late_by_the_interrupt)
{
	struct machine machine;
	struct fz_waker *waker;
	struct fz_wakes wakes;
	size_t nr_wrong = 0;
	double gaps_ns;

	machine_init(&machine, 20000, 20000);
	waker = waker_on(&machine, INTERVAL_NS, 1);
	wakes = run(&machine, waker);
	ck_assert_uint_ge(wakes.nr, 20000);
	for (size_t i = 0; i < wakes.nr; i++)
		nr_wrong +=
			wakes.wake[i].seen_ticks - wakes.wake[i].due_ticks !=
			10000;
	ck_assert_uint_eq(nr_wrong, 0);
	/* The next gap begins when the thread sleeps again. */
	gaps_ns = 2.0 * (double)(wakes.wake[19999].due_ticks -
				 wakes.wake[0].due_ticks);
	ck_assert_double_eq_tol(gaps_ns / 19999, INTERVAL_NS + 20000, 3000);
	fz_waker_close(waker);
}
END_TEST

/* Short and long beside the interval, and both in one. */
static const struct {
	uint64_t stretch_ns[2];
	uint64_t interval_ns;
} mixes[] = {
	{ { 1000, 1000 }, INTERVAL_NS },
	{ { 70000, 70000 }, INTERVAL_NS },
	{ { 2000000, 2000000 }, INTERVAL_NS },
	{ { 10000, 910000 }, INTERVAL_NS },
	{ { 300000, 2900000 }, INTERVAL_NS },
	{ { 10000, 910000 }, 5000000 },
};

static double deviation(double got, double want)
{
	return fabs(got - want) / want;
}

/* What the model works out is what wake-ups see, if interrupts take no time. */
START_TEST(meets_what_the_model_predicts)
{
	struct machine machine;
	struct fz_waker *waker;
	struct fz_wakes wakes;
	struct fz_wakeup model;
	struct fz_histogram stretches, latency;
	const struct fz_tick_span always = { 0, UINT64_MAX };
	const struct fz_clock clock = { .ns_per_tick = 2.0 };

	fz_histogram_init(&stretches);
	fz_histogram_init(&latency);
	machine_init(&machine, 0, 20000);
	for (int i = 0; i < 2; i++) {
		machine.stretch_ns[i] = mixes[_i].stretch_ns[i];
		fz_histogram_add(&stretches, mixes[_i].stretch_ns[i]);
	}
	ck_assert(fz_wakeup_from_stretches(&stretches, &model));
	waker = waker_on(&machine, mixes[_i].interval_ns, 1);
	waker->floor_ns = 0;
	wakes = run(&machine, waker);
	fz_wakes_in(&wakes, &always, 1, &clock, &latency);
	ck_assert_double_lt(
		deviation(fz_histogram_mean(&latency), model.mean_ns), 0.03);
	ck_assert_double_lt(
		deviation((double)fz_histogram_quantile(&latency, 0.5),
			  model.p50_ns),
		0.03);
	ck_assert_double_lt(
		deviation((double)fz_histogram_quantile(&latency, 0.99),
			  model.p99_ns),
		0.03);
	ck_assert_double_le((double)latency.max, model.max_ns + 2);
	fz_waker_close(waker);
}
END_TEST

/* Further instants count only if their own interrupt would have come. */
START_TEST(floor_keeps_out_what_would_have_been_later)
{
	struct machine machine;
	struct fz_waker *waker;
	struct fz_wakes wakes;
	size_t nr_below = 0, nr_shared = 0;

	machine_init(&machine, 20000, 5000);
	machine.stretch_ns[0] = machine.stretch_ns[1] = 500000;
	waker = waker_on(&machine, INTERVAL_NS, 1);
	waker->floor_ns = 20000;
	wakes = run(&machine, waker);
	for (size_t i = 0; i < wakes.nr; i++) {
		nr_below += wakes.wake[i].seen_ticks - wakes.wake[i].due_ticks <
			    10000;
		nr_shared += i && wakes.wake[i].seen_ticks ==
					  wakes.wake[i - 1].seen_ticks;
	}
	ck_assert_uint_eq(nr_below, 0);
	ck_assert_uint_gt(nr_shared, wakes.nr / 2);
	fz_waker_close(waker);
}
END_TEST

START_TEST(spinning_tells_the_floor)
{
	struct machine machine;
	struct fz_waker *waker;
	struct fz_histogram h;

	machine_init(&machine, 20000, 0);
	waker = waker_on(&machine, INTERVAL_NS, 1);
	machine.paced = waker;
	ck_assert_uint_eq(waker->floor_ns, UINT64_MAX);
	fz_waker_baseline(waker, FZ_MEANWHILE_IDLE, 100000000, &h);
	ck_assert_uint_gt(h.count, 10);
	ck_assert_uint_eq(waker->floor_ns, UINT64_MAX);
	fz_waker_baseline(waker, FZ_MEANWHILE_SPIN, 1000000000, &h);
	ck_assert_uint_gt(h.count, 100);
	ck_assert_uint_eq(h.min, 20000);
	ck_assert_uint_eq(h.max, 20000);
	ck_assert_uint_eq(waker->floor_ns, 20000);
	/* An idle CPU takes longer to come, and no instant shares that. */
	machine.irq_ns = 60000;
	fz_waker_baseline(waker, FZ_MEANWHILE_IDLE, 1000000000, &h);
	ck_assert_uint_eq(h.min, 60000);
	ck_assert_uint_eq(h.max, 60000);
	ck_assert_uint_eq(waker->floor_ns, 20000);
	fz_waker_close(waker);
}
END_TEST

/* An end is noticed within a slice, however long the gap. */
START_TEST(sleeps_in_slices)
{
	struct machine machine;
	struct fz_waker *waker;
	struct fz_wakes wakes;

	machine_init(&machine, 1000, 1000);
	waker = waker_on(&machine, FZ_WAKER_MAX_INTERVAL_NS, 1);
	wakes = run(&machine, waker);
	ck_assert_uint_eq(machine.too_long, 0);
	ck_assert_uint_gt(wakes.nr, 0);
	fz_waker_close(waker);
}
END_TEST

START_TEST(what_has_no_room_is_counted)
{
	struct machine machine;
	struct fz_waker *waker;
	struct fz_wakes wakes;

	machine_init(&machine, 1000, MAX_WAKES + 1000);
	waker = waker_on(&machine, INTERVAL_NS, 1);
	wakes = run(&machine, waker);
	ck_assert_uint_eq(wakes.nr, MAX_WAKES);
	ck_assert_uint_ge(wakes.dropped, 1000);
	fz_waker_close(waker);
}
END_TEST

static struct fz_wake *copy_of_run(uint64_t seed)
{
	struct fz_wake *copy = malloc(1000 * sizeof(*copy));
	struct machine machine;
	struct fz_waker *waker;

	ck_assert_ptr_nonnull(copy);
	machine_init(&machine, 1000, 1000);
	waker = waker_on(&machine, INTERVAL_NS, seed);
	memcpy(copy, run(&machine, waker).wake, 1000 * sizeof(*copy));
	fz_waker_close(waker);
	return copy;
}

START_TEST(seed_decides_the_instants)
{
	struct fz_wake *first = copy_of_run(1);
	struct fz_wake *again = copy_of_run(1);
	struct fz_wake *other = copy_of_run(2);

	ck_assert_int_eq(memcmp(first, again, 1000 * sizeof(*first)), 0);
	ck_assert_int_ne(memcmp(first, other, 1000 * sizeof(*first)), 0);
	free(first);
	free(again);
	free(other);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("waker_timer");
	TCase *tcase = tcase_create("waker_timer");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, late_is_late_by_the_interrupt);
	tcase_add_loop_test(tcase, meets_what_the_model_predicts, 0, NR(mixes));
	tcase_add_test(tcase, floor_keeps_out_what_would_have_been_later);
	tcase_add_test(tcase, spinning_tells_the_floor);
	tcase_add_test(tcase, sleeps_in_slices);
	tcase_add_test(tcase, what_has_no_room_is_counted);
	tcase_add_test(tcase, seed_decides_the_instants);
	suite_add_tcase(suite, tcase);
	return suite;
}
