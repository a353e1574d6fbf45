/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs of a matched row count. */
#ifndef FZ_COMPARE_RUNS_H
#define FZ_COMPARE_RUNS_H

#include "compare_match.h"

/*
 * Take the runs out of a matched row that do not count: those with fewer than
 * FZ_CHANGE_MIN_ROUNDS rounds and, unless the user says what runs differ by,
 * those that shared their CPU. They go to pair->left.
 *
 * Return: FZ_COMPARE_NO_DIFFERENCE if both sides have runs left; else why there
 * is no test, and nothing is taken out.
 */
enum fz_compare_verdict fz_runs_that_count(struct fz_pair *pair,
					   struct fz_matched_row *matched,
					   bool with_disturbed);

#endif
