/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two policies compared, as foliosim prints it. */
#ifndef FZ_DIFF_VIEW_H
#define FZ_DIFF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fz/policy_diff.h>

/**
 * struct fz_diff_view - a comparison and what it came from
 * @question: what was asked
 * @diff: what was found
 * @told: a policy is told the faulting page
 * @chosen: the faulting pages were given on the command line
 */
struct fz_diff_view {
	const struct fz_policy_diff_question *question;
	const struct fz_policy_diff *diff;
	bool told;
	bool chosen;
};

/* Steps shown before and behind the one that differs. */
#define FZ_DIFF_CONTEXT 3

/**
 * struct fz_diff_window - steps of both plans around the first that differs
 * @at: [@nr], one of each plan
 * @nr: their number
 */
struct fz_diff_window {
	struct fz_plan_diff at[2 * FZ_DIFF_CONTEXT + 1];
	size_t nr;
};

/* Plans once more what the pair was. Return: 0 or -errno. */
int fz_diff_window_find(const struct fz_diff_view *view,
			const struct fz_plan_pair *pair,
			struct fz_diff_window *window);

/* Are both steps there, and the same? */
bool fz_diff_is_shared(const struct fz_plan_diff *at);

/* Plans of a policy, the first or the second, that are conditional. */
size_t fz_diff_count_conditional(const struct fz_diff_view *view, int policy);

/* Plans of a policy that would sleep where the context forbids it. */
size_t fz_diff_count_illegal(const struct fz_diff_view *view, int policy);

/* A view writes the comparison and flushes; 0 or -errno. */
int fz_diff_text(FILE *out, const struct fz_diff_view *view);
int fz_diff_csv(FILE *out, const struct fz_diff_view *view);
int fz_diff_json(FILE *out, const struct fz_diff_view *view);

#endif
