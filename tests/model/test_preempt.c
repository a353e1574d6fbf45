// SPDX-License-Identifier: GPL-2.0-or-later
/* Preemption models and their names. */
#include "fz_test.h"

#include <fz/preempt.h>

static const struct {
	const char *name;
	enum fz_preempt model;
	bool preemptible;
	bool rt;
} cases[] = {
	{ "none", FZ_PREEMPT_NONE, false, false },
	{ "voluntary", FZ_PREEMPT_VOLUNTARY, false, false },
	{ "full", FZ_PREEMPT_FULL, true, false },
	{ "lazy", FZ_PREEMPT_LAZY, true, false },
	{ "rt-full", FZ_PREEMPT_RT_FULL, true, true },
	{ "rt-lazy", FZ_PREEMPT_RT_LAZY, true, true },
};

#define NR_CASES ((int)(sizeof(cases) / sizeof(cases[0])))

START_TEST(model_is)
{
	const enum fz_preempt model = cases[_i].model;
	enum fz_preempt found = FZ_NR_PREEMPT;

	ck_assert_str_eq(fz_preempt_name(model), cases[_i].name);
	ck_assert(fz_preempt_find(cases[_i].name, &found));
	ck_assert_int_eq(found, model);
	ck_assert_int_eq(fz_preempt_is_preemptible(model),
			 cases[_i].preemptible);
	ck_assert_int_eq(fz_preempt_is_rt(model), cases[_i].rt);
	ck_assert(FZ_PREEMPT_ANY & FZ_PREEMPT_BIT(model));
	ck_assert_int_eq(!!(FZ_PREEMPT_PREEMPTIBLE & FZ_PREEMPT_BIT(model)),
			 cases[_i].preemptible);
}
END_TEST

START_TEST(every_model_has_a_case)
{
	ck_assert_int_eq(NR_CASES, FZ_NR_PREEMPT);
	ck_assert_uint_eq(FZ_PREEMPT_ANY, (1u << NR_CASES) - 1);
}
END_TEST

START_TEST(names_match_exactly)
{
	static const char *const wrong[] = { "",     "non",     "nonee",
					     "Full", "rt_full", " lazy" };
	enum fz_preempt model = FZ_PREEMPT_LAZY;
	int found = 0;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		found += fz_preempt_find(wrong[i], &model);
	ck_assert_int_eq(found, 0);
	ck_assert_int_eq(model, FZ_PREEMPT_LAZY);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.preempt");
	TCase *tcase = tcase_create("preempt");

	tcase_add_loop_test(tcase, model_is, 0, NR_CASES);
	tcase_add_test(tcase, every_model_has_a_case);
	tcase_add_test(tcase, names_match_exactly);
	suite_add_tcase(suite, tcase);
	return suite;
}
