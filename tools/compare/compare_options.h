/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim compare`, parsed. */
#ifndef FZ_COMPARE_OPTIONS_H
#define FZ_COMPARE_OPTIONS_H

#include <stddef.h>

#include "compare.h"
#include "names.h"
#include "options.h"

/**
 * struct fz_compare_options - what was asked for
 * @sides: [nr_sides], the files of each side; freed by the fini
 * @nr_sides: at least 2
 * @between_runs: standard deviation of logarithms; negative = from the rounds
 * @format: of the output
 * @output: NULL = standard output
 */
struct fz_compare_options {
	struct fz_list sides[FZ_COMPARE_MAX_SIDES];
	size_t nr_sides;
	double between_runs;
	enum fz_format format;
	const char *output;
};

/*
 * Parse argv. Return: FZ_EXIT_DONE to go on; -1 after --help was printed;
 * FZ_EXIT_USAGE after a complaint. The fini follows in any case.
 */
int fz_compare_options_parse(struct fz_compare_options *options, int argc,
			     char **argv);
void fz_compare_options_fini(struct fz_compare_options *options);

#endif
