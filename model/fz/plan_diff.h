/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where two plans part. */
#ifndef FZ_PLAN_DIFF_H
#define FZ_PLAN_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/plan.h>

/**
 * struct fz_plan_diff - the first step that two plans do not share
 * @seq: its number, from 0: so many steps before it are the same in both
 * @has: [2], false where a plan ends before it
 * @step: [2], of each plan that has it
 */
struct fz_plan_diff {
	uint64_t seq;
	bool has[2];
	struct fz_step step[2];
};

/**
 * fz_plan_diff_find() - do two plans differ in any step?
 * @a: a plan
 * @b: another plan
 * @diff: written if they do
 *
 * Steps are compared in all their members, resched calls as well, whether they
 * act or not. Runs that are the same data, or ascend alike, are not expanded.
 *
 * Return: true if they differ.
 */
bool fz_plan_diff_find(const struct fz_plan *a, const struct fz_plan *b,
		       struct fz_plan_diff *diff);

#endif
