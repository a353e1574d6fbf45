// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the plans of two policies, a faulting page and a model at a time. */
#include <fz/policy_diff.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/random.h>

/* Any will do, as long as it stays. */
#define PAGES_SEED 1

/* Faulting pages, ascending and each once. */
struct pages {
	uint64_t *at; /* [nr] */
	size_t nr;
	uint64_t nr_pages; /* of the folio */
};

static void add_page(struct pages *pages, uint64_t page)
{
	size_t i = pages->nr;

	if (page >= pages->nr_pages)
		return;
	while (i && pages->at[i - 1] > page)
		i--;
	if (i && pages->at[i - 1] == page)
		return;
	for (size_t j = pages->nr; j > i; j--)
		pages->at[j] = pages->at[j - 1];
	pages->at[i] = page;
	pages->nr++;
}

/* Counted from the first page, and from the last. */
static void add_both_ends(struct pages *pages, uint64_t page)
{
	add_page(pages, page);
	if (page < pages->nr_pages)
		add_page(pages, pages->nr_pages - 1 - page);
}

size_t fz_policy_diff_pages(uint64_t nr_pages, uint64_t radius_pages,
			    uint64_t *at)
{
	struct fz_random random = fz_random_begin(PAGES_SEED, 0);
	struct pages pages = { .at = at, .nr_pages = nr_pages };

	if (nr_pages <= FZ_DIFF_ALL_PAGES) {
		for (uint64_t page = 0; page < nr_pages; page++)
			at[page] = page;
		return (size_t)nr_pages;
	}
	for (uint64_t page = 0; page < 2; page++) {
		add_both_ends(&pages, page);
		add_both_ends(&pages, radius_pages + page);
		add_both_ends(&pages, nr_pages / 2 - page);
	}
	while (pages.nr < FZ_DIFF_SOME_PAGES)
		add_page(&pages, fz_random_below(&random, nr_pages));
	return pages.nr;
}

static uint64_t count_illegal(const struct fz_plan *plan,
			      const struct fz_context *context,
			      enum fz_preempt model)
{
	struct fz_illegal_sleep illegal;

	return fz_plan_find_illegal_sleep(plan, context, model, &illegal)
		       ? illegal.nr_calls
		       : 0;
}

static void compare_plans(struct fz_plan_pair *pair, const struct fz_plan *plan,
			  const struct fz_context *context)
{
	for (int i = 0; i < 2; i++) {
		pair->conditional[i] = plan[i].conditional;
		pair->illegal_sleeps[i] =
			count_illegal(&plan[i], context, pair->preempt);
	}
	pair->differ = fz_plan_diff_find(&plan[0], &plan[1], &pair->diff);
}

static int make_pair(const struct fz_policy_diff_question *question,
		     struct fz_plan_pair *pair, struct fz_err *err)
{
	struct fz_zero_request request = question->request;
	struct fz_plan plan[2];
	int code;

	request.fault_page = pair->fault_page;
	request.preempt = pair->preempt;
	code = fz_policy_plan(question->policy[0], &request, &plan[0], err);
	if (code)
		return code;
	code = fz_policy_plan(question->policy[1], &request, &plan[1], err);
	if (!code) {
		compare_plans(pair, plan, question->context);
		fz_plan_fini(&plan[1]);
	}
	fz_plan_fini(&plan[0]);
	return code;
}

static int make_page(const struct fz_policy_diff_question *question,
		     uint64_t page, struct fz_policy_diff *diff,
		     struct fz_err *err)
{
	int code = 0;

	for (enum fz_preempt m = 0; m < FZ_NR_PREEMPT && !code; m++) {
		struct fz_plan_pair *pair = &diff->pairs[diff->nr_pairs];

		if (!(question->models & FZ_PREEMPT_BIT(m)))
			continue;
		*pair = (struct fz_plan_pair){ .fault_page = page,
					       .preempt = m };
		code = make_pair(question, pair, err);
		diff->nr_pairs++;
	}
	return code;
}

int fz_policy_diff_make(const struct fz_policy_diff_question *question,
			struct fz_policy_diff *diff, struct fz_err *err)
{
	struct fz_policy_diff made = {
		.pairs = calloc(question->nr_pages * FZ_NR_PREEMPT,
				sizeof(*made.pairs)),
	};
	int code = 0;

	if (!made.pairs)
		return fz_err_set(err, -ENOMEM, "no memory to compare plans");
	for (size_t i = 0; i < question->nr_pages && !code; i++)
		code = make_page(question, question->pages[i], &made, err);
	if (code)
		fz_policy_diff_fini(&made);
	else
		*diff = made;
	return code;
}

void fz_policy_diff_fini(struct fz_policy_diff *diff)
{
	free(diff->pairs);
	*diff = (struct fz_policy_diff){ .pairs = NULL };
}

const struct fz_plan_pair *
fz_policy_diff_first(const struct fz_policy_diff *diff)
{
	for (size_t i = 0; i < diff->nr_pairs; i++)
		if (diff->pairs[i].differ)
			return &diff->pairs[i];
	return NULL;
}

size_t fz_policy_diff_count(const struct fz_policy_diff *diff,
			    unsigned int models)
{
	const struct fz_plan_pair *last = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < diff->nr_pairs; i++) {
		const struct fz_plan_pair *pair = &diff->pairs[i];

		if (!pair->differ ||
		    !(models & FZ_PREEMPT_BIT(pair->preempt)) ||
		    (last && last->fault_page == pair->fault_page))
			continue;
		last = pair;
		nr++;
	}
	return nr;
}
