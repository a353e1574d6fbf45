/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows of two sides are the same measurement. */
#ifndef FZ_COMPARE_MATCH_H
#define FZ_COMPARE_MATCH_H

#include "compare.h"

/**
 * struct fz_matched - a row of one side
 * @runs: by run of the side; NULL where the run has not measured it
 */
struct fz_matched {
	const struct fz_read_row *runs[FZ_COMPARE_MAX_RUNS];
};

/**
 * struct fz_match - rows that both sides have measured
 * @matched: [nr], in the order of the base; owned
 * @nr: their number
 */
struct fz_match {
	struct fz_matched_row {
		struct fz_matched sides[2];
	} * matched;
	size_t nr;
};

/*
 * Match the rows of a pair; what is left over goes to pair->left, and
 * pair->varies is set. Return: 0 or -errno; -EBADMSG with a sentence where no
 * row is matched. fz_match_fini() follows in either case.
 */
int fz_match_make(struct fz_match *match, struct fz_pair *pair,
		  struct fz_err *err);
void fz_match_fini(struct fz_match *match);

#endif
