// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For scripts: are all plans of two policies the same, step by step, with every
 * resched call, and both conditional or neither? A policy is a name or the path
 * of a shared object.
 *
 *   same_plans A B PAGES[:BATCH[:highmem]] [FAULT_PAGE]...
 *
 * Without fault pages all are looked at. BATCH is what B is asked for, in
 * pages, and 0 its default.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/policy.h>
#include <fz/policy_object.h>

struct side {
	struct fz_policy_object *object;
	const struct fz_policy *policy;
	struct fz_plan plan;
};

static int open_side(struct side *side, const char *word)
{
	struct fz_err err = { "" };

	if (!strchr(word, '/')) {
		side->policy = fz_policy_find(word);
		if (side->policy)
			return 0;
		fprintf(stderr, "no policy '%s'\n", word);
		return -1;
	}
	if (fz_policy_object_open(&side->object, word, true, NULL, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		return -1;
	}
	side->policy = fz_policy_object_policy(side->object);
	return 0;
}

static bool same_step(const struct fz_step *a, const struct fz_step *b)
{
	return a->op == b->op && a->hint == b->hint && a->first == b->first &&
	       a->nr == b->nr;
}

/* Return: the first step that differs, counted from 1; 0 if none does. */
static uint64_t first_difference(const struct fz_plan *a,
				 const struct fz_plan *b)
{
	struct fz_walker left, right;
	struct fz_step one, other;
	bool more, too;

	fz_walker_begin(&left, a);
	fz_walker_begin(&right, b);
	for (uint64_t n = 1;; n++) {
		more = fz_walker_next(&left, &one);
		too = fz_walker_next(&right, &other);
		if (more != too || (more && !same_step(&one, &other)))
			return n;
		if (!more)
			return 0;
	}
}

static int compare(struct side sides[2], struct fz_zero_request request,
		   uint64_t batch_pages)
{
	struct fz_err err = { "" };
	uint64_t step;
	bool only_one;

	for (int i = 0; i < 2; i++) {
		request.batch_pages = i ? batch_pages : 0;
		if (fz_policy_plan(sides[i].policy, &request, &sides[i].plan,
				   &err)) {
			fprintf(stderr, "%s\n", err.msg);
			if (i)
				fz_plan_fini(&sides[0].plan);
			return -1;
		}
	}
	step = first_difference(&sides[0].plan, &sides[1].plan);
	only_one = sides[0].plan.conditional != sides[1].plan.conditional;
	for (int i = 0; i < 2; i++)
		fz_plan_fini(&sides[i].plan);
	if (step)
		printf("%s, fault page %" PRIu64 " of %" PRIu64
		       ": step %" PRIu64 " differs\n",
		       fz_preempt_name(request.preempt), request.fault_page,
		       request.nr_pages, step);
	if (only_one)
		puts("only one of the plans is conditional");
	return step || only_one ? -1 : 0;
}

static int compare_models(struct side sides[2], struct fz_zero_request request,
			  uint64_t batch_pages)
{
	int code = 0;

	for (int model = 0; model < FZ_NR_PREEMPT && !code; model++) {
		request.preempt = (enum fz_preempt)model;
		code = compare(sides, request, batch_pages);
	}
	return code;
}

int main(int argc, char **argv)
{
	struct fz_zero_request request = { .radius_pages = FZ_RADIUS_PAGES };
	struct side sides[2] = { { .policy = NULL }, { .policy = NULL } };
	uint64_t batch_pages = 0;
	char *end;
	int code;

	if (argc < 4)
		return 2;
	request.nr_pages = strtoull(argv[3], &end, 10);
	if (*end == ':')
		batch_pages = strtoull(end + 1, &end, 10);
	request.highmem = strcmp(end, ":highmem") == 0;
	code = open_side(&sides[0], argv[1]) || open_side(&sides[1], argv[2]);
	for (int i = 4; i < argc && !code; i++) {
		request.fault_page = strtoull(argv[i], NULL, 10);
		code = compare_models(sides, request, batch_pages);
	}
	for (uint64_t page = 0; argc == 4 && page < request.nr_pages && !code;
	     page++) {
		request.fault_page = page;
		code = compare_models(sides, request, batch_pages);
	}
	fz_policy_object_close(sides[0].object);
	fz_policy_object_close(sides[1].object);
	return code ? 1 : 0;
}
