/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results made up by hand, so that views can be tested without measuring. */
#ifndef SAMPLE_RESULT_H
#define SAMPLE_RESULT_H

#include <stdio.h>

#include <fz/probe.h>

#include "result.h"

#define SAMPLE_MAX_ROWS     48
#define SAMPLE_MAX_VERDICTS 8

/**
 * struct sample - a result with everything that it points to
 * @result: hand this to a view
 * @machine: its machine
 * @rows: its rows
 * @figures: their figures
 * @verdicts: its verdicts
 * @counters: its counters
 *
 * Tests may change anything before they print it.
 */
struct sample {
	struct fz_result result;
	struct fz_machine machine;
	struct fz_row rows[SAMPLE_MAX_ROWS];
	struct fz_figures figures[SAMPLE_MAX_ROWS];
	struct fz_verdict verdicts[SAMPLE_MAX_VERDICTS];
	struct fz_counter_list counters;
	struct fz_probe probe;
};

/**
 * struct sample_kind - one made-up result
 * @name: of its golden files
 * @fill: makes rows, figures and verdicts
 *
 * full: every status, twins, a winner, histograms. lists: settings and models
 * vary, two kinds of page, nobody wins. wide: more settings than columns. one:
 * a single round of a single row. none: nothing could be measured on a machine
 * about which nothing is known. empty: no rows.
 */
struct sample_kind {
	const char *name;
	void (*fill)(struct sample *sample);
};

/* [nr_sample_kinds] */
extern const struct sample_kind sample_kinds[];
extern const size_t nr_sample_kinds;

/* One of them, by kind or by name; the test gives it back. */
struct sample *sample_new(const struct sample_kind *kind);
struct sample *sample_find(const char *name);
void sample_free(struct sample *sample);

/* Views by name. */
struct sample_view {
	const char *name;
	int (*print)(FILE *out, const struct fz_result *result);
};

/* [nr_sample_views]: text, json, csv, commit */
extern const struct sample_view sample_views[];
extern const size_t nr_sample_views;

/* What a view prints, for free(); fails the test if it reports an error. */
char *sample_print(const struct sample *sample, const char *view);

#endif
