// SPDX-License-Identifier: GPL-2.0-or-later
/* What init_on_alloc=1 makes of each policy. */
#include "fz_test.h"

#include <fz/init_on_alloc.h>
#include <fz/policies.h>

#include <errno.h>
#include <stdlib.h>

#include "plan_steps.h"
#include "random_request.h"

#define FOLIOS 200u

static void walk(const struct fz_policy *policy,
		 const struct fz_zero_request *request, struct steps *steps)
{
	struct fz_plan plan;

	if (fz_policy_plan(policy, request, &plan, NULL))
		abort();
	steps_walk(steps, &plan);
	fz_plan_fini(&plan);
}

/* Does `init` make of the policy what `first`, then `second` do? */
static bool is(const struct fz_policy *policy, enum fz_init_on_alloc init,
	       const struct fz_zero_request *request,
	       const struct fz_policy *first, const struct fz_policy *second)
{
	struct steps steps = { .nr = 0 }, expected = { .nr = 0 };
	const struct fz_init_policy carried =
		fz_policy_init_on_alloc(policy, init);
	size_t bad;
	bool same;

	walk(&carried.policy, request, &steps);
	walk(first, request, &expected);
	if (second)
		walk(second, request, &expected);
	same = steps_match(&steps, &expected, &bad);
	steps_fini(&steps);
	steps_fini(&expected);
	return same;
}

START_TEST(plans_are_put_together)
{
	const struct fz_policy *policy = fz_policies[_i];
	const struct fz_policy *pages = fz_policy_find("init-pages");
	const struct fz_policy *extent = fz_policy_find("init-pages-extent");
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	unsigned int bad[FZ_NR_INIT_ON_ALLOC] = { 0 };

	for (unsigned int i = 0; i < FOLIOS; i++) {
		const struct fz_zero_request request = random_request(&random);

		bad[FZ_INIT_OFF] +=
			!is(policy, FZ_INIT_OFF, &request, policy, NULL);
		bad[FZ_INIT_TWICE] +=
			!is(policy, FZ_INIT_TWICE, &request, pages, policy);
		bad[FZ_INIT_ONCE] +=
			!is(policy, FZ_INIT_ONCE, &request, extent, NULL);
	}
	ck_assert_uint_eq(bad[FZ_INIT_OFF], 0);
	ck_assert_uint_eq(bad[FZ_INIT_TWICE], 0);
	ck_assert_uint_eq(bad[FZ_INIT_ONCE], 0);
}
END_TEST

START_TEST(the_rest_stays)
{
	const struct fz_policy *policy = fz_policy_find("batched-pages");
	struct fz_init_policy carried =
		fz_policy_init_on_alloc(policy, FZ_INIT_TWICE);

	ck_assert_str_eq(carried.policy.name, "batched-pages");
	ck_assert_uint_eq(carried.policy.uses, policy->uses);
	ck_assert_uint_eq(carried.policy.default_batch_pages,
			  policy->default_batch_pages);
	carried = fz_policy_init_on_alloc(policy, FZ_INIT_ONCE);
	ck_assert_uint_eq(carried.policy.uses, 0);
}
END_TEST

static int no_plan(const struct fz_policy *policy,
		   const struct fz_zero_request *request, struct fz_plan *plan,
		   struct fz_err *err)
{
	(void)request;
	(void)plan;
	return fz_err_set(err, -EIO, "nothing from '%s'", policy->name);
}

START_TEST(plans_from_elsewhere)
{
	const struct fz_policy mine = { .name = "mine", .make_plan = no_plan };
	const struct fz_zero_request request = { .nr_pages = 512 };
	const struct fz_init_policy carried[] = {
		fz_policy_init_on_alloc(&mine, FZ_INIT_OFF),
		fz_policy_init_on_alloc(&mine, FZ_INIT_TWICE),
		fz_policy_init_on_alloc(&mine, FZ_INIT_ONCE),
	};
	struct fz_plan plan;
	struct fz_err err;

	for (int i = 0; i < 2; i++) {
		err.msg[0] = '\0';
		ck_assert_int_eq(fz_policy_plan(&carried[i].policy, &request,
						&plan, &err),
				 -EIO);
		ck_assert_str_eq(err.msg, "nothing from 'mine'");
	}
	ck_assert_int_eq(
		fz_policy_plan(&carried[2].policy, &request, &plan, &err), 0);
	ck_assert_uint_eq(plan.nr_runs, 1);
	fz_plan_fini(&plan);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(fz_init_on_alloc_name(FZ_INIT_OFF), "off");
	ck_assert_str_eq(fz_init_on_alloc_name(FZ_INIT_TWICE), "6.12");
	ck_assert_str_eq(fz_init_on_alloc_name(FZ_INIT_ONCE), "7.3");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("init_on_alloc");
	TCase *tcase = tcase_create("init_on_alloc");
	int nr = 0;

	while (fz_policies[nr])
		nr++;
	tcase_add_loop_test(tcase, plans_are_put_together, 0, nr);
	tcase_add_test(tcase, the_rest_stays);
	tcase_add_test(tcase, plans_from_elsewhere);
	tcase_add_test(tcase, names);
	suite_add_tcase(suite, tcase);
	return suite;
}
