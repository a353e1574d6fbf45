/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim calibrate`, parsed. */
#ifndef FZ_CALIBRATE_OPTIONS_H
#define FZ_CALIBRATE_OPTIONS_H

#include "bench_options.h"

/* A run without options stays below a minute. */
#define FZ_CALIBRATE_BUDGET_NS (50ull * 1000 * 1000 * 1000)

struct fz_calibrate_options {
	/* Primitives, what memory is taken for, format, output. */
	struct fz_bench_options bench;
	uint64_t budget_ns;
	uint64_t max_extent_bytes; /* 0 = what time and memory allow */
	bool json_file; /* text for people, the document into the file */
};

/*
 * Parse argv. Return: FZ_EXIT_DONE to go on; -1 after --help was printed;
 * FZ_EXIT_USAGE after a complaint.
 */
int fz_calibrate_options_parse(struct fz_calibrate_options *options, int argc,
			       char **argv);

#endif
