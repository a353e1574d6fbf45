// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that are pinned, all at once, and where they then are. */
#include "hw_pin.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fz_test.h"

#define NR_THREADS 8
#define NR_PINS    50

static bool is_on(int cpu)
{
	cpu_set_t set;

	return sched_getcpu() == cpu &&
	       sched_getaffinity(0, sizeof(set), &set) == 0 &&
	       CPU_COUNT(&set) == 1 && CPU_ISSET((size_t)cpu, &set);
}

/* Counts the times that it was elsewhere; CPUs in turn, from its own on. */
static void *go_around(void *arg)
{
	const cpu_set_t *allowed = arg;
	uintptr_t nr_wrong = 0;

	for (int i = 0; i < NR_PINS; i++) {
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			if (!CPU_ISSET((size_t)cpu, allowed))
				continue;
			nr_wrong += fz_hw_pin((unsigned int)cpu) != 0;
			nr_wrong += !is_on(cpu);
		}
	}
	return (void *)nr_wrong;
}

START_TEST(threads_go_where_they_are_pinned)
{
	pthread_t thread[NR_THREADS];
	cpu_set_t allowed;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	for (int i = 0; i < NR_THREADS; i++)
		ck_assert_int_eq(
			pthread_create(&thread[i], NULL, go_around, &allowed),
			0);
	for (int i = 0; i < NR_THREADS; i++) {
		void *nr_wrong;

		pthread_join(thread[i], &nr_wrong);
		ck_assert_ptr_null(nr_wrong);
	}
}
END_TEST

START_TEST(a_cpu_that_is_not_there_is_refused)
{
	cpu_set_t before, after;

	sched_getaffinity(0, sizeof(before), &before);
	ck_assert_int_eq(fz_hw_pin(8191), -EINVAL);
	ck_assert_int_eq(fz_hw_pin(8192), -EINVAL);
	ck_assert_int_eq(fz_hw_pin(UINT32_MAX), -EINVAL);
	sched_getaffinity(0, sizeof(after), &after);
	ck_assert(CPU_EQUAL(&before, &after));
}
END_TEST

/* hwloc would say that it bound. */
START_TEST(nothing_is_pinned_on_another_machine)
{
	setenv("HWLOC_SYNTHETIC", "Core:4 PU:2", 1);
	ck_assert_int_eq(fz_hw_pin(0), -ENOTSUP);
	unsetenv("HWLOC_SYNTHETIC");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("hw_pin");
	TCase *tcase = tcase_create("hw_pin");

	tcase_add_test(tcase, threads_go_where_they_are_pinned);
	tcase_add_test(tcase, a_cpu_that_is_not_there_is_refused);
	tcase_add_test(tcase, nothing_is_pinned_on_another_machine);
	suite_add_tcase(suite, tcase);
	return suite;
}
