/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A histogram of times drawn with characters. */
#ifndef FZ_HISTOGRAM_TEXT_H
#define FZ_HISTOGRAM_TEXT_H

#include <stdio.h>

#include <fz/histogram.h>

/*
 * At most FZ_HISTOGRAM_LINES lines of 78 columns on a logarithmic axis: the
 * times of a line, how many there are, and two bars: their share of all
 * values, and of the time that all of them add up to. A line that holds
 * anything shows at least a dot. Nothing is printed of an empty histogram.
 */
#define FZ_HISTOGRAM_LINES 40

void fz_histogram_text(FILE *out, const struct fz_histogram *ns);

#endif
