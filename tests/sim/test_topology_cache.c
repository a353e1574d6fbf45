// SPDX-License-Identifier: GPL-2.0-or-later
/* Machines that can be modelled, and those that do not say enough. */
#include <fz/topology_cache.h>

#include <errno.h>
#include <string.h>

#include "fz_test.h"

static struct fz_topology machine(void)
{
	return (struct fz_topology){
		.nr_caches = 3,
		.caches = { { "L1d", 49152, 64, 12, 1, 2 },
			    { "L2", 2 << 20, 64, 16, 1, 2 },
			    { "L3", 480 << 20, 64, 15, 2, 1 } },
		.llc_bytes = 480 << 20,
	};
}

START_TEST(all_that_is_known)
{
	const struct fz_topology topology = machine();
	struct fz_cache_spec spec;
	char text[FZ_CACHE_SPEC_BYTES];
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_topology_cache_spec(&topology, &spec, &err), 0);
	fz_cache_spec_format(text, sizeof(text), &spec);
	ck_assert_str_eq(text, "48K/12,2M/16,480M/15");
	ck_assert_int_eq(fz_cache_geometry_check(&spec.geometry, &err), 0);
}
END_TEST

START_TEST(something_is_missing)
{
	struct fz_topology topology = machine();
	struct fz_cache_spec spec = { .geometry.nr_levels = 7 };
	struct fz_err err = { "" };

	switch (_i) {
	case 0:
		topology.caches[1].bytes = 0;
		break;
	case 1:
		topology.caches[2].ways = 0;
		break;
	case 2:
		topology.caches[0].line_bytes = 0;
		break;
	case 3:
		topology.caches[1].line_bytes = 128;
		break;
	case 4:
		topology.nr_caches = 0;
		break;
	default:
		for (size_t i = 3; i <= FZ_CACHE_MAX_LEVELS; i++)
			topology.caches[i] = topology.caches[2];
		topology.nr_caches = FZ_CACHE_MAX_LEVELS + 1;
	}
	ck_assert_int_eq(fz_topology_cache_spec(&topology, &spec, &err),
			 -ENOTSUP);
	ck_assert_ptr_nonnull(strstr(err.msg, "is not known"));
	ck_assert_uint_eq(spec.geometry.nr_levels, 7);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.topology_cache");
	TCase *tcase = tcase_create("topology_cache");

	tcase_add_test(tcase, all_that_is_known);
	tcase_add_loop_test(tcase, something_is_missing, 0, 6);
	suite_add_tcase(suite, tcase);
	return suite;
}
