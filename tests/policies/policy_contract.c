// SPDX-License-Identifier: GPL-2.0-or-later
/* What every policy must keep, whoever wrote it. */
#include "policy_contract.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_steps.h"
#include "random_request.h"

#define NR_RANDOM_REQUESTS (3000 / SLOW_STRIDE)
#define LINE_COLUMNS       72

/* Lower-case words and digits, a hyphen between them. */
static bool name_is_good(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	const size_t length = strlen(name);

	if (length == 0 || length > 40 || name[0] == '-' ||
	    name[length - 1] == '-' || strstr(name, "--"))
		return false;
	for (size_t i = 0; i < length; i++)
		if (name[i] != '-' && !strchr(letters, name[i]))
			return false;
	return true;
}

static bool line_is_good(const char *line)
{
	return line && line[0] && strlen(line) <= LINE_COLUMNS &&
	       !strchr(line, '\n');
}

const char *policy_contract_entry(const struct fz_policy *policy)
{
	const unsigned int uses =
		FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS;

	if (!policy->name || !name_is_good(policy->name))
		return "the name is not lower-case words with hyphens";
	if (!line_is_good(policy->summary))
		return "the summary is not one line of 72 columns";
	if (!line_is_good(policy->kernels))
		return "the kernels are not one line of 72 columns";
	if (!policy->plan)
		return "there is no plan()";
	if (policy->uses & ~uses)
		return "uses has unknown bits";
	if (policy->models == 0 || policy->models & ~FZ_PREEMPT_ANY)
		return "models is empty or has unknown bits";
	if (!(policy->uses & FZ_USES_BATCH) != !policy->default_batch_pages)
		return "default_batch_pages and FZ_USES_BATCH disagree";
	return NULL;
}

static const char *check_pages(const struct steps *steps, uint64_t nr_pages)
{
	unsigned char *cleared = calloc(nr_pages, 1);
	const char *wrong = NULL;
	uint64_t sum = 0;

	if (!cleared)
		return "out of memory";
	for (size_t i = 0; i < steps->nr && !wrong; i++) {
		const struct fz_step *step = &steps->at[i];

		if (step->op != FZ_OP_CLEAR)
			continue;
		if (step->first >= nr_pages ||
		    step->nr > nr_pages - step->first) {
			wrong = "a step outside the folio";
			break;
		}
		sum += step->nr;
		for (uint64_t page = 0; page < step->nr; page++)
			if (cleared[step->first + page]++)
				wrong = "a page is cleared twice";
	}
	free(cleared);
	if (!wrong && sum != nr_pages)
		wrong = "a page is not cleared";
	return wrong;
}

/* Emitted step by step, the same plan comes out, and as small. */
static const char *check_coalescing(const struct steps *steps,
				    uint64_t nr_pages)
{
	struct steps again = { .at = NULL };
	const char *wrong = NULL;
	struct fz_plan plan;
	size_t at;

	if (steps_build(steps, nr_pages, &plan) != 0)
		return "the builder refuses its steps";
	steps_walk(&again, &plan);
	if (!steps_match(steps, &again, &at))
		wrong = "emitted step by step it is another plan";
	else if (plan.nr_runs > POLICY_MAX_RUNS)
		wrong = "emitted step by step it has too many runs";
	steps_fini(&again);
	fz_plan_fini(&plan);
	return wrong;
}

static bool same_plan(const struct fz_policy *policy, const struct steps *steps,
		      const struct fz_zero_request *request)
{
	struct steps other = { .at = NULL };
	struct fz_plan plan;
	size_t at;
	bool same;

	if (fz_policy_plan(policy, request, &plan, NULL) != 0)
		return false;
	steps_walk(&other, &plan);
	same = steps_match(steps, &other, &at);
	steps_fini(&other);
	fz_plan_fini(&plan);
	return same;
}

static const char *check_uses(const struct fz_policy *policy,
			      const struct steps *steps,
			      const struct fz_zero_request *request)
{
	struct fz_zero_request other = *request;

	if (!(policy->uses & FZ_USES_FAULT)) {
		other.fault_page =
			(request->fault_page * 7 + 3) % request->nr_pages;
		if (!same_plan(policy, steps, &other))
			return "it uses the fault page without saying so";
	}
	if (!(policy->uses & FZ_USES_BATCH)) {
		other.batch_pages = request->batch_pages * 7 + 3;
		if (!same_plan(policy, steps, &other))
			return "it uses the batch without saying so";
	}
	if (!(policy->uses & FZ_USES_RADIUS)) {
		other.radius_pages = request->radius_pages / 2 + 1;
		if (!same_plan(policy, steps, &other))
			return "it uses the radius without saying so";
	}
	return NULL;
}

const char *policy_contract_plan(const struct fz_policy *policy,
				 const struct fz_zero_request *request)
{
	struct steps steps = { .at = NULL }, expanded = { .at = NULL };
	struct fz_plan plan;
	const char *wrong = NULL;
	size_t at;

	if (fz_policy_plan(policy, request, &plan, NULL) != 0)
		return "no plan";
	steps_walk(&steps, &plan);
	steps_expand(&expanded, &plan);
	if (plan.nr_pages != request->nr_pages)
		wrong = "the plan is not for that folio";
	else if (plan.nr_runs > POLICY_MAX_RUNS)
		wrong = "too many runs";
	else if (!steps_match(&steps, &expanded, &at))
		wrong = "the walk is not what the runs mean";
	if (!wrong)
		wrong = check_pages(&steps, request->nr_pages);
	if (!wrong)
		wrong = check_coalescing(&steps, request->nr_pages);
	if (!wrong)
		wrong = check_uses(policy, &steps, request);
	steps_fini(&steps);
	steps_fini(&expanded);
	fz_plan_fini(&plan);
	return wrong;
}

unsigned int policy_contract_run(const struct fz_policy *policy, char *first,
				 size_t first_bytes)
{
	struct fz_random random = fz_random_begin(11, 0);
	unsigned int bad = 0;

	first[0] = '\0';
	for (unsigned int i = 0; i < NR_RANDOM_REQUESTS; i++) {
		const struct fz_zero_request request = random_request(&random);
		const char *wrong = policy_contract_plan(policy, &request);
		char text[160];

		if (!wrong || bad++)
			continue;
		request_describe(&request, text, sizeof(text));
		snprintf(first, first_bytes, "%s: %s", text, wrong);
	}
	return bad;
}
