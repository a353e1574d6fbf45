/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim plan`, parsed. */
#ifndef FZ_PLAN_OPTIONS_H
#define FZ_PLAN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/context.h>
#include <fz/init_on_alloc.h>
#include <fz/policy.h>

#include "policy_option.h"

enum fz_plan_format {
	FZ_PLAN_TEXT,
	FZ_PLAN_CSV,
	FZ_PLAN_JSON,
};

/**
 * struct fz_plan_options - one plan to print, or two policies to compare
 * @policies: one, who writes it
 * @no_verify: print it even if it does not clear every page once
 * @diff: two, who are compared; none = one plan is printed
 * @hugetlb: the folio is one of hugetlb, else of THP
 * @init: what the kernel's allocator does
 * @carried: the policy as that kernel carries it out
 * @fault_page: the page as it was given; NULL = not given
 * @fault_pages: [@nr_fault_pages], of @diff, ascending: those that were given
 * @nr_fault_pages: their number; 0 = none was given
 * @addr: the address as it was given; NULL = not given
 * @addr_hint: that address
 * @context: where it would run
 * @preempt: the model as it was given, of @diff several; NULL = not given
 * @models: of @diff: set of FZ_PREEMPT_BIT
 * @request: what the policy is asked
 * @format: how it is printed
 * @cache: the caches as they were given; NULL = none
 */
struct fz_plan_options {
	struct fz_policy_list policies;
	bool no_verify;
	struct fz_policy_list diff;
	bool hugetlb;
	enum fz_init_on_alloc init;
	struct fz_init_policy carried;
	const char *fault_page;
	uint64_t fault_pages[FZ_LIST_MAX];
	size_t nr_fault_pages;
	const char *addr;
	uint64_t addr_hint;
	const struct fz_context *context;
	const char *preempt;
	unsigned int models;
	struct fz_zero_request request;
	enum fz_plan_format format;
	const char *cache;
};

/*
 * Return: FZ_EXIT_DONE, FZ_EXIT_USAGE or FZ_EXIT_FAILED after a complaint, or
 * -1 if the help was asked for and printed. In any case fz_plan_options_fini()
 * follows.
 */
int fz_plan_options_parse(struct fz_plan_options *options, int argc,
			  char **argv);

void fz_plan_options_fini(struct fz_plan_options *options);

/* A page of the folio by its word; complains if it has none of that name. */
bool fz_plan_fault_page_option(const struct fz_zero_request *request,
			       const char *word, uint64_t *fault_page);

/* The value of --diff. */
bool fz_plan_diff_option(struct fz_plan_options *options, const char *value);

/* What else --diff takes, once all options are there. */
bool fz_plan_diff_resolve(struct fz_plan_options *options);

#endif
