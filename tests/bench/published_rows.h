/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures that others published, and what a machine profile says of them. */
#ifndef PUBLISHED_ROWS_H
#define PUBLISHED_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/profile.h>

#define PUBLISHED_MAX_ROWS   200
#define PUBLISHED_WORD_BYTES 48

/* A line of tests/golden/published.csv; see tests/golden/README. */
struct published_row {
	char id[PUBLISHED_WORD_BYTES];
	char source[PUBLISHED_WORD_BYTES];
	char cpu[PUBLISHED_WORD_BYTES];
	char boost[PUBLISHED_WORD_BYTES];
	char workload[PUBLISHED_WORD_BYTES];
	char page_size[PUBLISHED_WORD_BYTES];
	char chunk[PUBLISHED_WORD_BYTES];
	char strategy[PUBLISHED_WORD_BYTES];
	char preempt[PUBLISHED_WORD_BYTES];
	char metric[PUBLISHED_WORD_BYTES];
	char value[PUBLISHED_WORD_BYTES];
	char unit[PUBLISHED_WORD_BYTES];
	char stdev_pct[PUBLISHED_WORD_BYTES];
};

struct published {
	struct published_row rows[PUBLISHED_MAX_ROWS]; /* [nr] */
	size_t nr;
};

/* Read the file; false after a complaint to standard error. */
bool published_read(struct published *published, const char *path);

/* NULL if there is none of that id. */
const struct published_row *published_find(const struct published *published,
					   const char *id);

/* Bytes a second; NAN if it is no bandwidth. GBps is 2^30, MBps 10^6. */
double published_bps(const struct published_row *row);

/* The name of the profile that stands for its CPU; NULL = there is none. */
const char *published_profile(const struct published_row *row);

/*
 * Why its figure is no test of a profile, settled before anything was fitted;
 * NULL = it is one.
 */
const char *published_exception(const struct published_row *row);

/*
 * Bytes a second by a profile: the time per byte of the plan, or of the clear
 * call, in the mean of the page sizes and preemption models that the row holds
 * for. NAN if the profile does not know, or if it is another kind of row.
 */
double published_predict(const struct published_row *row,
			 const struct fz_profile *profile);

#endif
