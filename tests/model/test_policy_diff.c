// SPDX-License-Identifier: GPL-2.0-or-later
/* Policies made by hand, compared over faulting pages and models. */
#include "fz_test.h"

#include <errno.h>

#include <fz/policy_diff.h>

/* Up from the first page, with one call that is not conditional. */
static void plan_up(struct fz_plan_builder *builder,
		    const struct fz_zero_request *request)
{
	fz_plan_might_sleep(builder);
	fz_plan_add_pages(builder, (struct fz_range){ 0, request->nr_pages },
			  FZ_DIRECTION_UP, FZ_RESCHED_NONE);
}

/* The same, but for page 5, and under lazy for page 9 as well. */
static void plan_other(struct fz_plan_builder *builder,
		       const struct fz_zero_request *request)
{
	const uint64_t page = request->fault_page;

	if (page == 5 || (page == 9 && request->preempt == FZ_PREEMPT_LAZY)) {
		fz_plan_might_sleep(builder);
		fz_plan_add_pages(builder,
				  (struct fz_range){ 0, request->nr_pages },
				  FZ_DIRECTION_DOWN, FZ_RESCHED_NONE);
	} else {
		plan_up(builder, request);
	}
	if (page == 9)
		fz_plan_conditional(builder);
}

static void plan_beyond(struct fz_plan_builder *builder,
			const struct fz_zero_request *request)
{
	fz_plan_add_pages(builder,
			  (struct fz_range){ 0, request->nr_pages + 1 },
			  FZ_DIRECTION_UP, FZ_RESCHED_NONE);
}

#define POLICY(stem)                                                \
	{                                                           \
		.name = #stem, .summary = #stem, .kernels = "none", \
		.uses = FZ_USES_FAULT, .models = FZ_PREEMPT_ANY,    \
		.plan = plan_##stem,                                \
	}

static const struct fz_policy up = POLICY(up);
static const struct fz_policy other = POLICY(other);
static const struct fz_policy beyond = POLICY(beyond);

static int compare(const struct fz_policy *a, const struct fz_policy *b,
		   unsigned int models, struct fz_policy_diff *diff)
{
	static const uint64_t pages[] = { 0, 5, 9, 15 };
	const struct fz_policy_diff_question question = {
		.policy = { a, b },
		.request = { .nr_pages = 16 },
		.pages = pages,
		.nr_pages = 4,
		.models = models,
		.context = fz_context_find("alloc-pte-lock"),
	};
	struct fz_err err;

	return fz_policy_diff_make(&question, diff, &err);
}

START_TEST(first_and_counts)
{
	const unsigned int lazy = FZ_PREEMPT_BIT(FZ_PREEMPT_LAZY);
	const unsigned int none = FZ_PREEMPT_BIT(FZ_PREEMPT_NONE);
	const struct fz_plan_pair *first;
	struct fz_policy_diff diff;

	ck_assert_int_eq(compare(&up, &other, FZ_PREEMPT_ANY, &diff), 0);
	ck_assert_uint_eq(diff.nr_pairs, (size_t)4 * FZ_NR_PREEMPT);
	first = fz_policy_diff_first(&diff);
	ck_assert_ptr_nonnull(first);
	ck_assert_uint_eq(first->fault_page, 5);
	ck_assert_int_eq(first->preempt, FZ_PREEMPT_NONE);
	ck_assert_uint_eq(first->diff.seq, 1);
	ck_assert_uint_eq(first->diff.step[0].first, 0);
	ck_assert_uint_eq(first->diff.step[1].first, 15);
	ck_assert_uint_eq(fz_policy_diff_count(&diff, FZ_PREEMPT_ANY), 2);
	ck_assert_uint_eq(fz_policy_diff_count(&diff, lazy), 2);
	ck_assert_uint_eq(fz_policy_diff_count(&diff, none), 1);
	fz_policy_diff_fini(&diff);
}
END_TEST

START_TEST(marks_of_plans)
{
	struct fz_policy_diff diff;
	unsigned int conditional[2] = { 0 }, illegal[2] = { 0 };

	ck_assert_int_eq(
		compare(&up, &other, FZ_PREEMPT_BIT(FZ_PREEMPT_FULL), &diff),
		0);
	ck_assert_uint_eq(diff.nr_pairs, 4);
	for (size_t i = 0; i < 4; i++) {
		for (int p = 0; p < 2; p++) {
			conditional[p] += diff.pairs[i].conditional[p];
			illegal[p] += diff.pairs[i].illegal_sleeps[p] == 1;
		}
	}
	ck_assert_uint_eq(conditional[0], 0);
	ck_assert_uint_eq(conditional[1], 1);
	ck_assert_uint_eq(illegal[0], 4);
	ck_assert_uint_eq(illegal[1], 4);
	fz_policy_diff_fini(&diff);
}
END_TEST

START_TEST(equal)
{
	struct fz_policy_diff diff;

	ck_assert_int_eq(compare(&other, &other, FZ_PREEMPT_ANY, &diff), 0);
	ck_assert_ptr_null(fz_policy_diff_first(&diff));
	ck_assert_uint_eq(fz_policy_diff_count(&diff, FZ_PREEMPT_ANY), 0);
	fz_policy_diff_fini(&diff);
}
END_TEST

/* Whichever it is that has no plan. */
START_TEST(no_plan)
{
	struct fz_policy_diff diff;

	ck_assert_int_eq(compare(&up, &beyond, FZ_PREEMPT_ANY, &diff), -EINVAL);
	ck_assert_int_eq(compare(&beyond, &up, FZ_PREEMPT_ANY, &diff), -EINVAL);
}
END_TEST

static bool has_page(const uint64_t *pages, size_t nr, uint64_t page)
{
	while (nr--)
		if (pages[nr] == page)
			return true;
	return false;
}

static const struct {
	uint64_t nr_pages, radius;
	size_t nr;
} folios[] = {
	{ 1, 2, 1 },
	{ 16, 2, 16 },
	{ 512, 2, 512 },
	{ 513, 0, FZ_DIFF_SOME_PAGES },
	{ 513, 256, FZ_DIFF_SOME_PAGES },
	{ 1024, UINT32_MAX, FZ_DIFF_SOME_PAGES },
	{ 262144, 2, FZ_DIFF_SOME_PAGES },
	{ 1ull << 50, 511, FZ_DIFF_SOME_PAGES },
};

START_TEST(pages)
{
	const uint64_t nr_pages = folios[_i].nr_pages;
	const uint64_t radius = folios[_i].radius;
	uint64_t page[FZ_DIFF_ALL_PAGES];
	const size_t nr = fz_policy_diff_pages(nr_pages, radius, page);
	unsigned int nr_bad = 0;

	ck_assert_uint_eq(nr, folios[_i].nr);
	for (size_t i = 1; i < nr; i++)
		nr_bad += page[i] <= page[i - 1];
	ck_assert_uint_eq(nr_bad, 0);
	ck_assert(has_page(page, nr, 0) && has_page(page, nr, nr_pages - 1));
	ck_assert(has_page(page, nr, nr_pages / 2));
	ck_assert_uint_lt(page[nr - 1], nr_pages);
	if (radius + 1 < nr_pages) {
		ck_assert(has_page(page, nr, radius));
		ck_assert(has_page(page, nr, radius + 1));
		ck_assert(has_page(page, nr, nr_pages - 1 - radius));
		ck_assert(has_page(page, nr, nr_pages - 2 - radius));
	}
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policy_diff");
	TCase *tcase = tcase_create("policy_diff");

	tcase_add_test(tcase, first_and_counts);
	tcase_add_test(tcase, marks_of_plans);
	tcase_add_test(tcase, equal);
	tcase_add_test(tcase, no_plan);
	tcase_add_loop_test(tcase, pages, 0,
			    sizeof(folios) / sizeof(folios[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
