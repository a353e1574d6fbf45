/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffers of a bench run, and what was taken to get them. */
#ifndef FZ_BENCH_MEMORY_H
#define FZ_BENCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/machine.h>
#include <fz/pools.h>
#include <fz/thp_switch.h>

#include "bench_options.h"

/* One kind of page: a buffer for each thread, or why there is none. */
struct fz_bench_memory {
	struct fz_page_size page;
	uint64_t folio_bytes;
	uint64_t bytes;             /* of one buffer */
	struct fz_buffer **buffers; /* [nr_buffers]; NULL: see reason */
	unsigned int nr_buffers;
	int node;                           /* negative = any */
	struct fz_reservation *reservation; /* NULL without --reserve */
	struct fz_thp_switch *thp_switch;   /* NULL without --reserve */
	struct fz_err reason;
};

/* All kinds of page of a run. */
struct fz_bench_memories {
	struct fz_bench_memory memory[FZ_LIST_MAX];
	size_t nr;
};

/*
 * Work out page sizes, folio sizes and buffer sizes. Return: FZ_EXIT_DONE, or
 * FZ_EXIT_USAGE after a complaint (a size or faulting page that does not fit).
 */
int fz_bench_memories_plan(struct fz_bench_memories *memories,
			   const struct fz_bench_options *options,
			   const struct fz_machine *machine);

/*
 * Reserve (with --reserve), map and populate, each buffer on the CPU that its
 * thread will run on, so that its pages are near. What fails has a reason and
 * no buffer. A default choice falls back from hugetlb to THP. Notes go to
 * stderr.
 */
void fz_bench_memories_open(struct fz_bench_memories *memories,
			    const struct fz_bench_options *options,
			    const struct fz_hooks *hooks,
			    const struct fz_machine *machine,
			    const unsigned int *cpus);

/* Unmap and give back. */
void fz_bench_memories_close(struct fz_bench_memories *memories);

#endif
