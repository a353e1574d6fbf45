/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim tune`, parsed. */
#ifndef FZ_TUNE_OPTIONS_H
#define FZ_TUNE_OPTIONS_H

#include <fz/tuning.h>

#include "bench_options.h"

/**
 * struct fz_tune_options - what was asked
 * @bench: clears, page and folio size, batches and whatever memory is opened
 *	by, as bench has them
 * @profile: predict by it; NULL = measure
 * @preempt: a model under which resched points act
 * @wish: what is wanted
 */
struct fz_tune_options {
	struct fz_bench_options bench;
	const char *profile;
	enum fz_preempt preempt;
	struct fz_tuning_wish wish;
};

/*
 * Parse argv. Return: FZ_EXIT_DONE to go on; -1 after --help was printed;
 * FZ_EXIT_USAGE after a complaint.
 */
int fz_tune_options_parse(struct fz_tune_options *options, int argc,
			  char **argv);

#endif
