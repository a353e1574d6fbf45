/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `foliosim bench` that take lists. */
#ifndef FZ_BENCH_LISTS_H
#define FZ_BENCH_LISTS_H

#include <stdbool.h>

#include "bench_options.h"

/* Each reads one comma-separated value; false after a complaint. */
bool fz_bench_set_engines(struct fz_bench_options *o, const char *value);
bool fz_bench_set_clears(struct fz_bench_options *o, const char *value);
bool fz_bench_set_streams(struct fz_bench_options *o, const char *value);
bool fz_bench_set_pages(struct fz_bench_options *o, const char *value);
bool fz_bench_set_faults(struct fz_bench_options *o, const char *value);
bool fz_bench_set_preempts(struct fz_bench_options *o, const char *value);
bool fz_bench_set_batches(struct fz_bench_options *o, const char *value);
bool fz_bench_set_radii(struct fz_bench_options *o, const char *value);
bool fz_bench_set_threads(struct fz_bench_options *o, const char *value);
bool fz_bench_set_probes(struct fz_bench_options *o, const char *value);

#endif
