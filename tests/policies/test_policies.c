// SPDX-License-Identifier: GPL-2.0-or-later
/* The contract of a policy, over the table. */
#include "fz_test.h"

#include <fz/folio.h>
#include <fz/policies.h>

#include <string.h>

#include "policy_contract.h"
#include "random_request.h"

static int nr_policies(void)
{
	int nr = 0;

	while (fz_policies[nr])
		nr++;
	return nr;
}

START_TEST(entry_is_well_formed)
{
	const struct fz_policy *policy = fz_policies[_i];
	const char *wrong = policy_contract_entry(policy);

	ck_assert_msg(!wrong, "%s: %s", policy->name, wrong);
	ck_assert_ptr_eq(fz_policy_find(policy->name), policy);
}
END_TEST

START_TEST(no_other_is_found)
{
	ck_assert_int_ge(nr_policies(), 9);
	ck_assert_ptr_null(fz_policy_find(""));
	ck_assert_ptr_null(fz_policy_find("neighbourhood"));
	ck_assert_ptr_null(fz_policy_find("neighbourhood_last"));
	ck_assert_ptr_null(fz_policy_find("neighbourhood-last-v66"));
}
END_TEST

START_TEST(contract_holds_on_random_folios)
{
	char first[256];
	const unsigned int bad =
		policy_contract_run(fz_policies[_i], first, sizeof(first));

	ck_assert_msg(bad == 0, "%s: %u folios, the first: %s",
		      fz_policies[_i]->name, bad, first);
}
END_TEST

/* Models, units and primitives that make plans of different shapes. */
static const struct {
	enum fz_preempt preempt;
	uint64_t batch_pages;
	bool highmem;
	bool per_page_clear;
} shapes[] = {
	{ FZ_PREEMPT_NONE, 0, false, false },
	{ FZ_PREEMPT_VOLUNTARY, 16, false, false },
	{ FZ_PREEMPT_NONE, 16, false, true },
	{ FZ_PREEMPT_NONE, 0, true, false },
	{ FZ_PREEMPT_FULL, 0, false, false },
	{ FZ_PREEMPT_LAZY, 0, false, true },
};

static unsigned int count_broken(const struct fz_policy *policy,
				 struct fz_zero_request request,
				 uint64_t fault_stride, const char **first)
{
	unsigned int bad = 0;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		request.preempt = shapes[i].preempt;
		request.batch_pages = shapes[i].batch_pages;
		request.highmem = shapes[i].highmem;
		request.per_page_clear = shapes[i].per_page_clear;
		for (request.fault_page = 0;
		     request.fault_page < request.nr_pages;
		     request.fault_page += fault_stride) {
			const char *wrong =
				policy_contract_plan(policy, &request);

			if (wrong && bad++ == 0)
				*first = wrong;
		}
	}
	return bad;
}

START_TEST(contract_holds_for_2_mib)
{
	const struct fz_zero_request request = {
		.nr_pages = 512,
		.radius_pages = FZ_RADIUS_PAGES,
	};
	const char *first = "";
	const unsigned int bad =
		count_broken(fz_policies[_i], request, 3 * SLOW_STRIDE, &first);

	ck_assert_msg(bad == 0, "%s: %u plans, the first: %s",
		      fz_policies[_i]->name, bad, first);
}
END_TEST

START_TEST(contract_holds_for_1_gib)
{
	const struct fz_zero_request request = {
		.nr_pages = 262144,
		.radius_pages = FZ_RADIUS_PAGES,
	};
	const uint64_t stride = SLOW_STRIDE > 1 ? 262144 : 131073;
	const char *first = "";
	const unsigned int bad =
		count_broken(fz_policies[_i], request, stride, &first);

	ck_assert_msg(bad == 0, "%s: %u plans, the first: %s",
		      fz_policies[_i]->name, bad, first);
}
END_TEST

/* What the table must say, for whoever reads it. */
static const struct {
	const char *name;
	unsigned int uses;
	unsigned int models;
	uint64_t default_batch_pages;
} told[] = {
	{ "discontiguous-page", FZ_USES_FAULT, FZ_PREEMPT_ANY, 0 },
	{ "contiguous-page", FZ_USES_FAULT, FZ_PREEMPT_ANY, 0 },
	{ "batched-pages", FZ_USES_FAULT | FZ_USES_BATCH, FZ_PREEMPT_ANY,
	  8192 },
	{ "neighbourhood-last", FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	  FZ_PREEMPT_PREEMPTIBLE, 8192 },
	{ "neighbourhood-last-v6",
	  FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS, FZ_PREEMPT_ANY,
	  2048 },
	{ "streaming-neighbourhood-last",
	  FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS,
	  FZ_PREEMPT_PREEMPTIBLE, 8192 },
	{ "init-pages", 0, FZ_PREEMPT_ANY, 0 },
	{ "init-pages-extent", 0, FZ_PREEMPT_PREEMPTIBLE, 0 },
	{ "init-pages-batched", FZ_USES_BATCH, FZ_PREEMPT_PREEMPTIBLE, 8192 },
};

START_TEST(table_tells)
{
	const struct fz_policy *policy = fz_policy_find(told[_i].name);

	ck_assert_ptr_nonnull(policy);
	ck_assert_uint_eq(policy->uses, told[_i].uses);
	ck_assert_uint_eq(policy->models, told[_i].models);
	ck_assert_uint_eq(policy->default_batch_pages,
			  told[_i].default_batch_pages);
}
END_TEST

START_TEST(batch_is_resolved)
{
	const struct fz_policy *last = fz_policy_find("neighbourhood-last");
	const struct fz_policy *extent = fz_policy_find("init-pages-extent");
	struct fz_zero_request request = { .nr_pages = 512 };

	ck_assert_uint_eq(fz_policy_batch_pages(last, &request), 8192);
	ck_assert_uint_eq(fz_policy_batch_pages(extent, &request), 0);
	request.highmem = true;
	ck_assert_uint_eq(fz_policy_batch_pages(last, &request), 1);
	ck_assert_uint_eq(fz_policy_batch_pages(extent, &request), 0);
	request.batch_pages = 16;
	ck_assert_uint_eq(fz_policy_batch_pages(last, &request), 16);
	ck_assert_uint_eq(fz_policy_batch_pages(extent, &request), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policies.policies");
	TCase *tcase = tcase_create("policies");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, entry_is_well_formed, 0, nr_policies());
	tcase_add_test(tcase, no_other_is_found);
	tcase_add_loop_test(tcase, contract_holds_on_random_folios, 0,
			    nr_policies());
	tcase_add_loop_test(tcase, contract_holds_for_2_mib, 0, nr_policies());
	tcase_add_loop_test(tcase, contract_holds_for_1_gib, 0, nr_policies());
	tcase_add_loop_test(tcase, table_tells, 0,
			    sizeof(told) / sizeof(told[0]));
	tcase_add_test(tcase, batch_is_resolved);
	suite_add_tcase(suite, tcase);
	return suite;
}
