/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim plan`, parsed. */
#ifndef FZ_PLAN_OPTIONS_H
#define FZ_PLAN_OPTIONS_H

#include <stdint.h>

#include <fz/context.h>
#include <fz/policy.h>

enum fz_plan_format {
	FZ_PLAN_TEXT,
	FZ_PLAN_CSV,
	FZ_PLAN_JSON,
};

/**
 * struct fz_plan_options - one plan to print
 * @policy: who writes it
 * @fault_page: the page as it was given; NULL = not given
 * @addr: the address as it was given; NULL = not given
 * @addr_hint: that address
 * @context: where it would run
 * @request: what the policy is asked
 * @format: how it is printed
 * @cache: the caches as they were given; NULL = none
 */
struct fz_plan_options {
	const struct fz_policy *policy;
	const char *fault_page;
	const char *addr;
	uint64_t addr_hint;
	const struct fz_context *context;
	struct fz_zero_request request;
	enum fz_plan_format format;
	const char *cache;
};

/*
 * Return: FZ_EXIT_DONE, FZ_EXIT_USAGE after a complaint, or -1 if the help was
 * asked for and printed.
 */
int fz_plan_options_parse(struct fz_plan_options *options, int argc,
			  char **argv);

#endif
