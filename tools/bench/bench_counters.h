/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a bench run: their names, and who may count. */
#ifndef FZ_BENCH_COUNTERS_H
#define FZ_BENCH_COUNTERS_H

#include <stdbool.h>

#include <fz/counters.h>
#include <fz/machine.h>
#include <fz/round.h>

#include "bench_options.h"

/* --counters: complains and returns false where an event is unknown. */
bool fz_bench_set_counters(struct fz_bench_options *options, const char *value);

/*
 * Start those that were asked for on every thread that zeroes; a note says
 * which cannot be had. Return: FZ_EXIT_DONE, or FZ_EXIT_FAILED after a
 * complaint.
 */
int fz_bench_counters_open(struct fz_counter_list *list,
			   const struct fz_bench_options *options,
			   const struct fz_machine *machine,
			   struct fz_bench *bench);

#endif
