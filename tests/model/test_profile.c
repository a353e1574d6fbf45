// SPDX-License-Identifier: GPL-2.0-or-later
/* The price of a clear call, against figures worked out by hand. */
#include <math.h>

#include <fz/profile.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* 4 bytes a ns; from 64 KiB on, behind 8 KiB, 16 bytes a ns. */
static const struct fz_profile_clear whole = {
	.name = "whole",
	.call_ns = { 10, 20, 30 },
	.bps = 4e9,
	.threshold_bytes = 65536,
	.ramp_bytes = 8192,
	.elided_bps = 16e9,
	.elided_share = 1,
};

/* The same, which happens in one call of four. */
static const struct fz_profile_clear quarter = {
	.name = "quarter",
	.call_ns = { 10, 20, 30 },
	.bps = 4e9,
	.threshold_bytes = 65536,
	.ramp_bytes = 8192,
	.elided_bps = 16e9,
	.elided_share = 0.25,
};

/* No threshold, so that all about eliding is unknown. */
static const struct fz_profile_clear plain = {
	.name = "plain",
	.call_ns = { 10, 20, NAN },
	.bps = 4e9,
	.elided_bps = NAN,
	.elided_share = NAN,
};

/* A threshold that nothing is known behind. */
static const struct fz_profile_clear unknown = {
	.name = "unknown",
	.call_ns = { 10, 20, 30 },
	.bps = 4e9,
	.threshold_bytes = 4096,
	.elided_bps = NAN,
	.elided_share = 0.5,
};

/* A share that is not known. */
static const struct fz_profile_clear shy = {
	.name = "shy",
	.call_ns = { 10, 20, 30 },
	.bps = 4e9,
	.threshold_bytes = 4096,
	.elided_bps = 8e9,
	.elided_share = NAN,
};

/* Never elided in fact. */
static const struct fz_profile_clear never = {
	.name = "never",
	.call_ns = { 10, 20, 30 },
	.bps = 4e9,
	.threshold_bytes = 4096,
	.elided_bps = NAN,
	.elided_share = 0,
};

/* Always elided, without a ramp, so that it never allocates when long. */
static const struct fz_profile_clear always = {
	.name = "always",
	.call_ns = { 10, 20, 30 },
	.bps = NAN,
	.threshold_bytes = 4096,
	.elided_bps = 8e9,
	.elided_share = 1,
};

/* Its ramp is longer than calls that reach its threshold. */
static const struct fz_profile_clear steep = {
	.name = "steep",
	.call_ns = { 10, 20, 30 },
	.bps = 4e9,
	.threshold_bytes = 4096,
	.ramp_bytes = 8192,
	.elided_bps = NAN,
	.elided_share = 1,
};

static const struct {
	const struct fz_profile_clear *clear;
	uint64_t bytes;
	enum fz_relation relation;
	double ns;
} cases[] = {
	/* 4096 / 4 = 1024, beside what each relation costs. */
	{ &whole, 4096, FZ_RELATION_UP, 1034 },
	{ &whole, 4096, FZ_RELATION_DOWN, 1044 },
	{ &whole, 4096, FZ_RELATION_OTHER, 1054 },
	{ &whole, 0, FZ_RELATION_OTHER, 30 },
	/* One byte short of the threshold: 65535 / 4 = 16383.75. */
	{ &whole, 65535, FZ_RELATION_UP, 16393.75 },
	/* At it: 8192 / 4 + 57344 / 16 = 2048 + 3584. */
	{ &whole, 65536, FZ_RELATION_UP, 5642 },
	/* 2 MiB: 2048 + 2088960 / 16. */
	{ &whole, 2097152, FZ_RELATION_DOWN, 132628 },
	/* A quarter of 5632 and three of 16384. */
	{ &quarter, 65536, FZ_RELATION_UP, 13706 },
	{ &quarter, 65535, FZ_RELATION_UP, 16393.75 },
	{ &plain, 2097152, FZ_RELATION_UP, 524298 },
	{ &plain, 4096, FZ_RELATION_OTHER, NAN },
	{ &unknown, 4095, FZ_RELATION_UP, 1033.75 },
	{ &unknown, 4096, FZ_RELATION_UP, NAN },
	{ &shy, 4095, FZ_RELATION_UP, 1033.75 },
	{ &shy, 4096, FZ_RELATION_UP, NAN },
	{ &never, 8192, FZ_RELATION_UP, 2058 },
	{ &always, 4095, FZ_RELATION_UP, NAN },
	{ &always, 4096, FZ_RELATION_UP, 522 },
	{ &steep, 4096, FZ_RELATION_UP, 1034 },
	{ &steep, 8192, FZ_RELATION_UP, 2058 },
	{ &steep, 8193, FZ_RELATION_UP, NAN },
};

START_TEST(call_costs)
{
	const double ns = fz_profile_call_ns(cases[_i].clear, cases[_i].bytes,
					     cases[_i].relation);

	if (isnan(cases[_i].ns))
		ck_assert_double_nan(ns);
	else
		ck_assert_double_eq_tol(ns, cases[_i].ns, 1e-9);
}
END_TEST

START_TEST(clear_is_found_by_its_whole_name)
{
	struct fz_profile profile = { .nr_clears = 3 };

	profile.clears[0] = whole;
	profile.clears[1] = quarter;
	profile.clears[2] = plain;
	profile.clears[3] = never; /* not counted */
	ck_assert_ptr_eq(fz_profile_clear_find(&profile, "whole"),
			 &profile.clears[0]);
	ck_assert_ptr_eq(fz_profile_clear_find(&profile, "plain"),
			 &profile.clears[2]);
	ck_assert_ptr_null(fz_profile_clear_find(&profile, "never"));
	ck_assert_ptr_null(fz_profile_clear_find(&profile, "plai"));
	ck_assert_ptr_null(fz_profile_clear_find(&profile, "plain "));
	ck_assert_ptr_null(fz_profile_clear_find(&profile, ""));
	profile.nr_clears = 0;
	ck_assert_ptr_null(fz_profile_clear_find(&profile, "whole"));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = tcase_create("profile");

	tcase_add_loop_test(tcase, call_costs, 0, NR(cases));
	tcase_add_test(tcase, clear_is_found_by_its_whole_name);
	suite_add_tcase(suite, tcase);
	return suite;
}
