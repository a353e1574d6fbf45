// SPDX-License-Identifier: GPL-2.0-or-later
/* Topologies that hwloc is told to imagine, and the real one. */
#include <fz/topology.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_topology.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)

static const struct {
	const char *synthetic;
	struct fz_topology topology;
} machines[] = {
	/* A socket of Zen 4: an L3 for each group of 8 cores. */
	{ "Package:2 NUMANode:1 L3:4(size=33554432) L2:8(size=1048576) "
	  "L1d:1(size=32768) Core:1 PU:2",
	  { .nr_cpus = 128,
	    .nr_cores = 64,
	    .nr_packages = 2,
	    .nr_nodes = 2,
	    .nr_caches = 3,
	    .caches = { { "L1d", 32 * KIB, 0, 0, 2, 64 },
			{ "L2", MIB, 0, 0, 2, 64 },
			{ "L3", 32 * MIB, 0, 0, 16, 8 } },
	    .llc_bytes = 32 * MIB,
	    .allowed_cpus = "0-127" } },
	/* No L3, and the L2 is shared. */
	{ "Package:1 L2:2(size=2097152) L1d:4(size=65536) Core:1 PU:1",
	  { .nr_cpus = 8,
	    .nr_cores = 8,
	    .nr_packages = 1,
	    .nr_nodes = 1,
	    .nr_caches = 2,
	    .caches = { { "L1d", 64 * KIB, 0, 0, 1, 8 },
			{ "L2", 2 * MIB, 0, 0, 4, 2 } },
	    .llc_bytes = 2 * MIB,
	    .allowed_cpus = "0-7" } },
	/* A guest that is told nothing of caches. */
	{ "Package:1 Core:2 PU:1",
	  { .nr_cpus = 2,
	    .nr_cores = 2,
	    .nr_packages = 1,
	    .nr_nodes = 1,
	    .allowed_cpus = "0-1" } },
};

START_TEST(reads_what_hwloc_finds)
{
	const struct fz_topology *const want = &machines[_i].topology;
	struct fz_topology got;
	struct fz_err err = { "" };

	setenv("HWLOC_SYNTHETIC", machines[_i].synthetic, 1);
	memset(&got, 0xff, sizeof(got));
	ck_assert_int_eq(fz_topology_read(&got, &err), 0);
	ck_assert_uint_eq(got.nr_cpus, want->nr_cpus);
	ck_assert_uint_eq(got.nr_cores, want->nr_cores);
	ck_assert_uint_eq(got.nr_packages, want->nr_packages);
	ck_assert_uint_eq(got.nr_nodes, want->nr_nodes);
	ck_assert_uint_eq(got.llc_bytes, want->llc_bytes);
	ck_assert_str_eq(got.allowed_cpus, want->allowed_cpus);
	ck_assert_uint_eq(got.nr_caches, want->nr_caches);
	for (size_t i = 0; i < got.nr_caches; i++) {
		const struct fz_cpu_cache *cache = &got.caches[i];

		ck_assert_str_eq(cache->name, want->caches[i].name);
		ck_assert_uint_eq(cache->bytes, want->caches[i].bytes);
		ck_assert_uint_eq(cache->nr_cpus, want->caches[i].nr_cpus);
		ck_assert_uint_eq(cache->nr, want->caches[i].nr);
	}
}
END_TEST

START_TEST(the_real_machine_makes_sense)
{
	struct fz_topology topology;
	struct fz_err err = { "" };
	uint64_t bytes = 0;

	ck_assert_int_eq(fz_topology_read(&topology, &err), 0);
	ck_assert_uint_ge(topology.nr_cpus, 1);
	ck_assert_uint_ge(topology.nr_cpus, topology.nr_cores);
	ck_assert_uint_ge(topology.nr_nodes, 1);
	ck_assert_uint_gt(strlen(topology.allowed_cpus), 0);
	for (size_t i = 0; i < topology.nr_caches; i++) {
		ck_assert_uint_ge(topology.caches[i].nr, 1);
		ck_assert_uint_ge(topology.caches[i].nr_cpus, 1);
		bytes = topology.caches[i].bytes;
	}
	ck_assert_uint_eq(topology.llc_bytes, bytes);
}
END_TEST

START_TEST(the_mask_of_the_thread_counts)
{
	const int cpu = sched_getcpu();
	struct fz_topology topology;
	char want[16];
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
	ck_assert_int_eq(fz_topology_read(&topology, NULL), 0);
	snprintf(want, sizeof(want), "%d", cpu);
	ck_assert_str_eq(topology.allowed_cpus, want);
}
END_TEST

/* Every other of 2048 CPUs, as a list: nothing is cut. */
START_TEST(a_long_list_is_whole)
{
	static char cpus[FZ_ALLOWED_CPUS_BYTES];
	static struct fz_topology topology;
	const struct fake_topology big = {
		.synthetic = "NUMANode:4 Core:256 PU:2",
		.cpus = cpus,
	};
	size_t used = 0;

	for (int cpu = 1; cpu < 2048; cpu += 2)
		used += (size_t)sprintf(cpus + used, "%s%d", used ? "," : "",
					cpu);
	fake_topology_show(&big);
	ck_assert_int_eq(fz_topology_read(&topology, NULL), 0);
	fake_topology_hide();
	/* Too long for a message of Check. */
	ck_assert(strcmp(topology.allowed_cpus, cpus) == 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("topology");
	TCase *tcase = tcase_create("topology");

	tcase_add_loop_test(tcase, reads_what_hwloc_finds, 0, NR(machines));
	tcase_add_test(tcase, the_real_machine_makes_sense);
	tcase_add_test(tcase, the_mask_of_the_thread_counts);
	tcase_add_test(tcase, a_long_list_is_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
