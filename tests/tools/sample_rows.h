/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of made-up results. */
#ifndef SAMPLE_ROWS_H
#define SAMPLE_ROWS_H

#include <fz/wake_watch.h>

#include "sample_result.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

/**
 * struct sample_row - a row in short
 * @policy: name; NULL = the kernel engine, else it is the buffers engine
 * @clear: name; NULL = stosb if there is a policy
 * @stream: name; NULL = none
 * @page: pages; 0 bytes = 2M hugetlb
 * @folio_bytes: 0 = the page's size
 * @bytes: of a buffer; 0 = 512M
 * @threads: 0 = the main thread
 * @fault_at: the faulting page is fixed, not random
 * @fault_page: with @fault_at
 * @preempt: model
 * @batch_pages: 0 = the policy's
 * @rounds: 0 = not measured
 * @gib: median bandwidth in GiB/s
 * @points: acting points in a fault
 * @conditional: some plan was
 * @near_ns: 0 = not measured
 * @twin: id of the row that is measured in its place, 0 = none
 * @reason: with it the row is unsupported or partial
 */
struct sample_row {
	const char *policy;
	const char *clear;
	const char *stream;
	struct fz_page_size page;
	uint64_t folio_bytes;
	uint64_t bytes;
	unsigned int threads;
	bool fault_at;
	uint64_t fault_page;
	enum fz_preempt preempt;
	uint64_t batch_pages;
	size_t rounds;
	double gib;
	double points;
	bool conditional;
	double near_ns;
	size_t twin;
	const char *reason;
};

/* Append a row with figures that fit together. */
void sample_add(struct sample *sample, const struct sample_row *row);

/* Give rows the baseline with that id; ratio of the medians, 1 % around it. */
void sample_set_baseline(struct sample *sample, size_t first_id, size_t last_id,
			 size_t baseline_id);

/* Give a row one with fewer threads to be compared with, as above. */
void sample_set_scaling(struct sample *sample, size_t id, size_t base_id);

/* Somebody was woken while the row was measured; a model has its own id. */
void sample_wake(struct sample *sample, size_t id,
		 const struct fz_wake_source *woken, size_t model_id);

/* Add a warning to a row. */
void sample_warn(struct sample *sample, size_t id, const char *warning);

/* Append a verdict on the group of the row with that id. */
struct fz_verdict *sample_judge(struct sample *sample, size_t best_id,
				size_t rounds, size_t nr_rows);

#endif
