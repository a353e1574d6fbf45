/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the options of `foliosim trace generate`. */
#ifndef FZ_TRACE_GENERATE_OPTIONS_H
#define FZ_TRACE_GENERATE_OPTIONS_H

#include <fz/generator.h>
#include <fz/trace_format.h>

/**
 * struct fz_generate_options - what was asked for
 * @generator: which generator
 * @params: not checked yet
 * @format: one that can be written
 * @output: path; NULL = standard output
 */
struct fz_generate_options {
	const struct fz_generator *generator;
	struct fz_generator_params params;
	const struct fz_trace_format *format;
	const char *output;
};

/* Return: FZ_EXIT_DONE, FZ_EXIT_USAGE after a complaint, -1 after --help. */
int fz_generate_options_parse(struct fz_generate_options *options, int argc,
			      char **argv);

#endif
