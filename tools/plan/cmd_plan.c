// SPDX-License-Identifier: GPL-2.0-or-later
/* `foliosim plan`: print what a policy does to one folio. */
#include <errno.h>
#include <stdio.h>

#include <fz/context.h>
#include <fz/policies.h>

#include "cache_option.h"
#include "cmd_plan_diff.h"
#include "command.h"
#include "options.h"
#include "plan_options.h"
#include "plan_view.h"

/* After the fashion of the kernel's report, preempt_count in hexadecimal. */
static void complain_illegal(const struct fz_plan_view *view)
{
	const struct fz_illegal_sleep *illegal = view->illegal;

	fz_complain("sleeping function called from invalid context: %s() of "
		    "%s in %s, seq %llu",
		    fz_plan_op_word(illegal->op), view->policy->name,
		    view->context->name, (unsigned long long)illegal->seq);
	fprintf(stderr,
		"  in_atomic(): %d, irqs_disabled(): %d, expected: 0, 0\n",
		illegal->preempt_count != 0, illegal->irqs_disabled);
	fprintf(stderr, "  preempt_count: %x, expected: 0\n",
		illegal->preempt_count);
	fprintf(stderr, "  RCU nest depth: %u, expected: 0\n",
		illegal->rcu_depth);
	fprintf(stderr, "  illegal calls in this plan: %llu\n",
		(unsigned long long)illegal->nr_calls);
	if (view->plan->conditional)
		fputs("  the plan is conditional: it asked what only a running "
		      "kernel knows, and was told no\n",
		      stderr);
}

static int write_view(enum fz_plan_format format,
		      const struct fz_plan_view *view)
{
	switch (format) {
	case FZ_PLAN_CSV:
		return fz_plan_csv(stdout, view);
	case FZ_PLAN_JSON:
		return fz_plan_json(stdout, view);
	case FZ_PLAN_TEXT:
		break;
	}
	return fz_plan_text(stdout, view);
}

/* The allocator of hugetlb is another. */
static enum fz_init_on_alloc init_of(const struct fz_plan_options *o)
{
	return o->hugetlb ? FZ_INIT_OFF : o->init;
}

/*
 * The first runs are the allocator's. The policy is not asked for its own: it
 * may be an object that plans otherwise each time.
 */
static int count_allocator_runs(const struct fz_plan_options *o,
				const struct fz_plan *plan, size_t *nr,
				struct fz_err *err)
{
	struct fz_plan allocator;
	int code;

	*nr = init_of(o) == FZ_INIT_ONCE ? plan->nr_runs : 0;
	if (init_of(o) != FZ_INIT_TWICE)
		return 0;
	code = fz_policy_plan(fz_policy_find("init-pages"), &o->request,
			      &allocator, err);
	if (code)
		return code;
	*nr = allocator.nr_runs;
	fz_plan_fini(&allocator);
	return 0;
}

static int print_plan(const struct fz_plan_options *o,
		      const struct fz_plan *plan, size_t nr_allocator_runs,
		      const struct fz_plan_cache *cache)
{
	struct fz_illegal_sleep illegal;
	struct fz_plan_view view = {
		.policy = &o->carried.policy,
		.hugetlb = o->hugetlb,
		.init = o->init,
		.request = &o->request,
		.has_addr = o->addr,
		.addr_hint = o->addr_hint,
		.context = o->context,
		.plan = plan,
		.nr_allocator_runs = nr_allocator_runs,
		.cache = cache,
	};
	int error;

	if (fz_plan_find_illegal_sleep(plan, o->context, o->request.preempt,
				       &illegal))
		view.illegal = &illegal;
	error = write_view(o->format, &view);
	if (error)
		return fz_output_failed(error);
	if (!view.illegal)
		return FZ_EXIT_DONE;
	complain_illegal(&view);
	return FZ_EXIT_FAILED;
}

static int study_and_print(const struct fz_plan_options *o,
			   const struct fz_plan *plan, size_t nr_allocator_runs)
{
	struct fz_plan_cache cache = {
		.has_fault_page = o->fault_page || o->addr,
		.fault_page = o->request.fault_page,
	};
	int status;

	if (!o->cache)
		return print_plan(o, plan, nr_allocator_runs, NULL);
	status = fz_cache_option("plan", o->cache, &cache.spec);
	if (!status)
		status = fz_plan_cache_study(&cache, plan);
	return status ? status : print_plan(o, plan, nr_allocator_runs, &cache);
}

/*
 * Who asks for plans that are wrong is told what is wrong with the one that was
 * printed: with the policy's part, since the allocator has zeroed every page
 * before it. Another plan of an object may be another one.
 */
static int complain_unsound(const struct fz_plan_options *o,
			    const struct fz_plan *plan,
			    size_t nr_allocator_runs)
{
	const struct fz_plan own = {
		.runs = plan->runs + nr_allocator_runs,
		.nr_runs = plan->nr_runs - nr_allocator_runs,
		.nr_pages = plan->nr_pages,
	};
	const char *name = o->policies.policy[0]->name;
	struct fz_err err = { "" };
	int code;

	if (!o->no_verify || init_of(o) == FZ_INIT_ONCE)
		return FZ_EXIT_DONE;
	code = fz_plan_verify(&own, &err);
	if (!code)
		return FZ_EXIT_DONE;
	if (code == -ENOMEM)
		fz_complain("the plan of '%s' is not verified: %s", name,
			    err.msg);
	else
		fz_complain("the plan of '%s'%s is not sound: %s", name,
			    nr_allocator_runs ? " behind the allocator's" : "",
			    err.msg);
	return FZ_EXIT_FAILED;
}

static int print_and_judge(const struct fz_plan_options *o,
			   const struct fz_plan *plan, struct fz_err *err)
{
	size_t nr_allocator_runs;
	int status, unsound;

	if (count_allocator_runs(o, plan, &nr_allocator_runs, err)) {
		fz_complain("%s", err->msg);
		return FZ_EXIT_FAILED;
	}
	status = study_and_print(o, plan, nr_allocator_runs);
	unsound = complain_unsound(o, plan, nr_allocator_runs);
	return status ? status : unsound;
}

static int make_and_print(const struct fz_plan_options *o)
{
	struct fz_plan plan;
	struct fz_err err = { "" };
	int status;

	if (fz_policy_plan(&o->carried.policy, &o->request, &plan, &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	status = print_and_judge(o, &plan, &err);
	fz_plan_fini(&plan);
	return status;
}

static int plan_run(int argc, char **argv)
{
	struct fz_plan_options options;
	int status = fz_plan_options_parse(&options, argc, argv);

	if (!status)
		status = options.diff.nr ? fz_plan_diff_run(&options)
					 : make_and_print(&options);
	fz_plan_options_fini(&options);
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_plan = {
	.name = "plan",
	.summary = "print what a policy does to one folio",
	.run = plan_run,
};
