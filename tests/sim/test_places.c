// SPDX-License-Identifier: GPL-2.0-or-later
/* Places of imagined machines and of the real one. */
#include <fz/places.h>

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fake_topology.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* CPUs 2c and 2c + 1 are siblings; node 0 has 0-7, node 1 has 8-15. */
#define TWO_NODES "NUMANode:2 Core:4 PU:2"

static const struct fake_topology whole = { .synthetic = TWO_NODES };

static const struct fake_topology restricted = {
	.synthetic = TWO_NODES,
	.offline = "3,9",
	.cpus = "0-2,4-6",
	.nodes = "0",
};

/* The siblings of core 0 are 0 and 4, as Linux numbers them on x86. */
static const struct fake_topology interleaved = {
	.synthetic = "NUMANode:1 Core:4 PU:2(indexes=0,4,1,5,2,6,3,7)",
};

/* Each CPU is a package and hwloc was told of no core. */
static const struct fake_topology coreless = {
	.synthetic = "Package:4 PU:1",
};

static struct fz_places *places_of(const struct fake_topology *machine)
{
	struct fz_places *places = NULL;
	struct fz_err err = { "" };

	fake_topology_show(machine);
	ck_assert_msg(fz_places_open(&places, &err) == 0, "%s", err.msg);
	return places;
}

static const struct {
	const struct fake_topology *machine;
	const char *cpus;
	const char *message; /* NULL = they are fine */
} checks[] = {
	{ &whole, "0-15", NULL },
	{ &whole, "15,0", NULL },
	{ &whole, "16", "cpu 16 does not exist; allowed here: 0-15" },
	{ &whole, "8191", "cpu 8191 does not exist; allowed here: 0-15" },
	{ &whole, "3,99,77", "cpu 99 does not exist; allowed here: 0-15" },
	{ &restricted, "0-2,4-6", NULL },
	{ &restricted, "6,0", NULL },
	{ &restricted, "3", "cpu 3 is offline; allowed here: 0-2,4-6" },
	{ &restricted, "0,9", "cpu 9 is offline; allowed here: 0-2,4-6" },
	{ &restricted, "7",
	  "cpu 7 is outside the cpuset; allowed here: 0-2,4-6" },
	{ &restricted, "15-15",
	  "cpu 15 is outside the cpuset; allowed here: 0-2,4-6" },
	{ &restricted, "16", "cpu 16 does not exist; allowed here: 0-2,4-6" },
};

START_TEST(cpus_are_checked)
{
	struct fz_places *places = places_of(checks[_i].machine);
	struct fz_err err = { "" };
	struct fz_cpu_list list;

	ck_assert_int_eq(fz_cpu_list_parse(checks[_i].cpus, &list, NULL), 0);
	ck_assert_int_eq(fz_places_check_cpus(places, &list, &err),
			 checks[_i].message ? -EINVAL : 0);
	ck_assert_str_eq(err.msg, checks[_i].message ? checks[_i].message : "");
	fz_places_close(places);
}
END_TEST

static const struct {
	const struct fake_topology *machine;
	unsigned int node;
	const char *message;
} nodes[] = {
	{ &whole, 0, NULL },
	{ &whole, 1, NULL },
	{ &whole, 2, "node 2 does not exist; nodes allowed here: 0-1" },
	{ &whole, UINT32_MAX,
	  "node 4294967295 does not exist; nodes allowed here: 0-1" },
	{ &restricted, 0, NULL },
	{ &restricted, 1,
	  "node 1 is outside the cpuset; nodes allowed here: 0" },
	{ &restricted, 2, "node 2 does not exist; nodes allowed here: 0" },
};

START_TEST(nodes_are_checked)
{
	struct fz_places *places = places_of(nodes[_i].machine);
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_places_check_node(places, nodes[_i].node, &err),
			 nodes[_i].message ? -EINVAL : 0);
	ck_assert_str_eq(err.msg, nodes[_i].message ? nodes[_i].message : "");
	fz_places_close(places);
}
END_TEST

/* Memory everywhere, CPUs of node 1 alone. */
static const struct fake_topology far_memory = {
	.synthetic = TWO_NODES,
	.cpus = "8-11",
};

static const struct {
	const struct fake_topology *machine;
	struct fz_cpu_choice choice;
	unsigned int cpu[16];
} chosen[] = {
	{ &whole, { 1, 0, false, 0 }, { 0 } },
	{ &whole, { 1, 13, false, 0 }, { 13 } },
	{ &whole,
	  { 16, 0, false, 0 },
	  { 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15 } },
	{ &whole,
	  { 16, 11, false, 0 },
	  { 11, 8, 12, 14, 0, 2, 4, 6, 9, 10, 13, 15, 1, 3, 5, 7 } },
	{ &whole, { 5, 11, false, 0 }, { 11, 8, 12, 14, 0 } },
	{ &whole, { 8, 0, true, 1 }, { 8, 10, 12, 14, 9, 11, 13, 15 } },
	{ &whole, { 3, 13, true, 1 }, { 13, 8, 10 } },
	/* A caller whom hwloc does not know of. */
	{ &whole, { 3, 99, false, 0 }, { 0, 2, 4 } },
	/* Core 1 has lost CPU 3, core 3 has lost CPU 7. */
	{ &restricted, { 6, 0, false, 0 }, { 0, 2, 4, 6, 1, 5 } },
	{ &restricted, { 6, 5, true, 0 }, { 5, 0, 2, 6, 1, 4 } },
	/* The caller is not allowed where it is: its mask just changed. */
	{ &restricted, { 4, 7, false, 0 }, { 0, 2, 4, 6 } },
	{ &interleaved, { 8, 6, false, 0 }, { 6, 0, 1, 3, 4, 5, 2, 7 } },
	{ &coreless, { 4, 2, false, 0 }, { 2, 0, 1, 3 } },
	{ &far_memory, { 4, 8, false, 0 }, { 8, 10, 9, 11 } },
};

START_TEST(cores_come_before_siblings)
{
	struct fz_places *places = places_of(chosen[_i].machine);
	struct fz_err err = { "" };
	struct fz_cpu_list list;

	ck_assert_msg(
		fz_places_choose(places, &chosen[_i].choice, &list, &err) == 0,
		"%s", err.msg);
	ck_assert_uint_eq(list.nr, chosen[_i].choice.nr_threads);
	for (size_t i = 0; i < list.nr; i++)
		ck_assert_uint_eq(list.cpu[i], chosen[_i].cpu[i]);
	ck_assert_int_eq(fz_places_check_cpus(places, &list, &err), 0);
	fz_places_close(places);
}
END_TEST

static const struct {
	const struct fake_topology *machine;
	struct fz_cpu_choice choice;
	size_t nr;
} crowded[] = {
	{ &whole, { 17, 0, false, 0 }, 16 },
	{ &whole, { 9, 0, true, 1 }, 8 },
	{ &whole, { SIZE_MAX, 0, false, 0 }, 16 },
	{ &far_memory, { 5, 0, false, 0 }, 4 },
};

START_TEST(more_threads_than_cpus_get_all)
{
	struct fz_places *places = places_of(crowded[_i].machine);
	struct fz_err err = { "" };
	struct fz_cpu_list list;

	ck_assert_msg(
		fz_places_choose(places, &crowded[_i].choice, &list, &err) == 0,
		"%s", err.msg);
	ck_assert_uint_eq(list.nr, crowded[_i].nr);
	ck_assert_int_eq(fz_places_check_cpus(places, &list, &err), 0);
	fz_places_close(places);
}
END_TEST

static const struct {
	const struct fake_topology *machine;
	struct fz_cpu_choice choice;
	const char *message;
} nowhere[] = {
	{ &whole,
	  { 1, 0, true, 2 },
	  "node 2 does not exist; nodes allowed here: 0-1" },
	{ &restricted,
	  { 1, 0, true, 1 },
	  "node 1 is outside the cpuset; nodes allowed here: 0" },
	{ &far_memory,
	  { 1, 8, true, 0 },
	  "node 0 has no CPU that is allowed here; nodes with such CPUs: 1" },
};

START_TEST(nodes_without_a_cpu_are_refused)
{
	struct fz_places *places = places_of(nowhere[_i].machine);
	struct fz_err err = { "" };
	struct fz_cpu_list list;

	ck_assert_int_eq(
		fz_places_choose(places, &nowhere[_i].choice, &list, &err),
		-EINVAL);
	ck_assert_str_eq(err.msg, nowhere[_i].message);
	fz_places_close(places);
}
END_TEST

/* 1024 CPUs, each second one allowed: the list is cut, and shows it. */
START_TEST(a_message_has_room_for_its_end)
{
	static char cpus[8192];
	const struct fake_topology big = {
		.synthetic = "NUMANode:4 Core:128 PU:2",
		.cpus = cpus,
	};
	struct fz_cpu_list list = { .nr = 1, .cpu = { 1 } };
	struct fz_err err = { "" };
	struct fz_places *places;
	size_t used = 0;

	for (int cpu = 0; cpu < 1024; cpu += 2)
		used += (size_t)sprintf(cpus + used, "%s%d", cpu ? "," : "",
					cpu);
	places = places_of(&big);
	ck_assert_int_eq(fz_places_check_cpus(places, &list, &err), -EINVAL);
	ck_assert_ptr_eq(strstr(err.msg, "cpu 1 is outside the cpuset"),
			 err.msg);
	ck_assert_str_eq(err.msg + strlen(err.msg) - 4, ",...");
	fz_places_close(places);
}
END_TEST

START_TEST(the_real_machine_has_a_place_for_the_caller)
{
	const struct fz_cpu_choice choice = {
		.nr_threads = 1,
		.here = (unsigned int)sched_getcpu(),
	};
	struct fz_places *places = NULL;
	struct fz_cpu_list list;
	cpu_set_t before, after;

	sched_getaffinity(0, sizeof(before), &before);
	ck_assert_int_eq(fz_places_open(&places, NULL), 0);
	sched_getaffinity(0, sizeof(after), &after);
	ck_assert(CPU_EQUAL(&before, &after));
	ck_assert_int_eq(fz_places_choose(places, &choice, &list, NULL), 0);
	ck_assert_uint_eq(list.cpu[0], choice.here);
	ck_assert_int_eq(fz_places_check_cpus(places, &list, NULL), 0);
	fz_places_close(places);
	fz_places_close(NULL);
}
END_TEST

/* As under taskset; another CPU is refused, and named with the reason. */
START_TEST(the_mask_of_the_thread_counts)
{
	const int here = sched_getcpu();
	struct fz_cpu_list list = { .nr = 1 };
	struct fz_places *places = NULL;
	struct fz_err err = { "" };
	cpu_set_t before, set;
	char want[128];

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&set);
	CPU_SET(here, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
	ck_assert_int_eq(fz_places_open(&places, NULL), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &before))
			continue;
		list.cpu[0] = (unsigned int)cpu;
		snprintf(want, sizeof(want),
			 "cpu %d is outside the affinity mask of this thread; "
			 "allowed here: %d",
			 cpu, here);
		ck_assert_int_eq(fz_places_check_cpus(places, &list, &err),
				 cpu == here ? 0 : -EINVAL);
		ck_assert_str_eq(err.msg, cpu == here ? "" : want);
		err.msg[0] = '\0';
	}
	fz_places_close(places);
	sched_setaffinity(0, sizeof(before), &before);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("places");
	TCase *imagined = tcase_create("imagined");
	TCase *real = tcase_create("real");

	tcase_add_checked_fixture(imagined, NULL, fake_topology_hide);
	tcase_add_loop_test(imagined, cpus_are_checked, 0, NR(checks));
	tcase_add_loop_test(imagined, nodes_are_checked, 0, NR(nodes));
	tcase_add_loop_test(imagined, cores_come_before_siblings, 0,
			    NR(chosen));
	tcase_add_loop_test(imagined, more_threads_than_cpus_get_all, 0,
			    NR(crowded));
	tcase_add_loop_test(imagined, nodes_without_a_cpu_are_refused, 0,
			    NR(nowhere));
	tcase_add_test(imagined, a_message_has_room_for_its_end);
	suite_add_tcase(suite, imagined);
	tcase_add_test(real, the_real_machine_has_a_place_for_the_caller);
	tcase_add_test(real, the_mask_of_the_thread_counts);
	suite_add_tcase(suite, real);
	return suite;
}
