// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows and what their policies are asked. */
#include <fz/row.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/noise.h>
#include <fz/round.h>

unsigned int fz_row_nr_buffers(const struct fz_row_config *config)
{
	return config->threads ? config->threads : 1;
}

uint64_t fz_row_round_bytes(const struct fz_row_config *config)
{
	return config->bytes * fz_row_nr_buffers(config);
}

struct fz_zero_request fz_row_request(const struct fz_row_config *config,
				      uint64_t fault_page)
{
	return (struct fz_zero_request){
		.nr_pages = config->folio_bytes >> FZ_PAGE_SHIFT,
		.fault_page = fault_page,
		.preempt = config->preempt,
		.batch_pages = config->batch_pages,
		.radius_pages = config->radius_pages,
		.highmem = config->highmem,
		.per_page_clear = config->per_page_clear,
	};
}

int fz_row_check_plan(const struct fz_row_config *config, uint64_t fault_page,
		      const struct fz_plan *plan, struct fz_err *err)
{
	if (config->stream || !fz_plan_uses_hint(plan, FZ_HINT_STREAMING))
		return 0;
	return fz_err_set(err, -EINVAL,
			  "the plan of '%s' for fault page %llu streams, which "
			  "those for the first, middle and last page do not: "
			  "stream there too, or nowhere",
			  config->policy->name, (unsigned long long)fault_page);
}

bool fz_row_same_fault(const struct fz_row_config *a,
		       const struct fz_row_config *b)
{
	return a->fault == b->fault &&
	       (a->fault != FZ_FAULT_AT || a->fault_page == b->fault_page);
}

bool fz_row_same_memory(const struct fz_row_config *a,
			const struct fz_row_config *b)
{
	return a->page.kind == b->page.kind && a->page.bytes == b->page.bytes &&
	       a->folio_bytes == b->folio_bytes &&
	       a->auto_orders == b->auto_orders && a->bytes == b->bytes &&
	       a->threads == b->threads;
}

bool fz_row_meets_fault(const struct fz_row_config *lead,
			const struct fz_row_config *row)
{
	return fz_row_same_memory(lead, row) &&
	       (row->fault == FZ_FAULT_NONE || fz_row_same_fault(lead, row));
}

static void memory_add(struct fz_row_memory *memory,
		       const struct fz_buffer *buffer)
{
	const struct fz_backing found = fz_buffer_backing(buffer);
	const uint64_t bytes_ok = memory->backing.bytes_ok + found.bytes_ok;

	if (!memory->bytes || !found.verified_by[0] ||
	    (memory->backing.verified_by[0] &&
	     found.page_bytes < memory->backing.page_bytes))
		memory->backing = found;
	memory->backing.bytes_ok = bytes_ok;
	memory->bytes += fz_buffer_bytes(buffer);
	memory->first_touch_ns += fz_buffer_first_touch_ns(buffer);
}

static void read_memory(struct fz_row *row)
{
	row->memory = (struct fz_row_memory){ 0 };
	for (unsigned int i = 0; i < fz_row_nr_buffers(&row->config); i++)
		memory_add(&row->memory, row->buffers[i]);
}

/* What cannot be known is no reason to fail. */
static void read_nodes(struct fz_row *row)
{
	const unsigned int nr = fz_row_nr_buffers(&row->config);

	if (!row->nodes)
		row->nodes = calloc(nr, sizeof(*row->nodes));
	for (unsigned int i = 0; row->nodes && i < nr; i++)
		if (!fz_buffer_is_lost(row->buffers[i]))
			fz_buffer_nodes(row->buffers[i], &row->nodes[i]);
}

void fz_row_set_buffers(struct fz_row *row, struct fz_buffer *const *buffers)
{
	/* What is behind them may have changed meanwhile; where they are is
	 * asked once, since that takes the kernel a while. */
	if (!buffers && row->buffers) {
		read_memory(row);
		read_nodes(row);
	}
	row->buffers = buffers;
	if (buffers)
		read_memory(row);
}

const struct fz_row *fz_row_data(const struct fz_row *row)
{
	return row->twin ? row->twin : row;
}

bool fz_row_has_times(const struct fz_row *row)
{
	for (size_t i = 0; i < row->rounds; i++)
		if (!(row->seconds[i] > 0.0))
			return false;
	return row->rounds > 0;
}

void fz_row_set_reason(struct fz_row *row, const char *reason)
{
	row->status = row->rounds ? FZ_ROW_PARTIAL : FZ_ROW_UNSUPPORTED;
	snprintf(row->reason, sizeof(row->reason), "%s", reason);
}

int fz_row_begin(struct fz_row *row, size_t max_rounds)
{
	const size_t nr_threads = fz_row_nr_buffers(&row->config);

	row->seconds = malloc(max_rounds * sizeof(*row->seconds));
	row->use_seconds = malloc(max_rounds * sizeof(*row->use_seconds));
	row->threads = malloc(max_rounds * nr_threads * sizeof(*row->threads));
	row->samples = malloc(sizeof(*row->samples));
	row->max_rounds = max_rounds;
	if (!row->seconds || !row->use_seconds || !row->threads ||
	    !row->samples)
		return -ENOMEM;
	for (size_t i = 0; i < max_rounds; i++)
		row->seconds[i] = row->use_seconds[i] = 0.0;
	memset(row->threads, 0,
	       max_rounds * nr_threads * sizeof(*row->threads));
	fz_samples_init(row->samples);
	return 0;
}

void fz_row_keep(struct fz_row *row, const struct fz_round_result *result)
{
	const size_t nr_threads = fz_row_nr_buffers(&row->config);

	assert(row->rounds < row->max_rounds);
	memcpy(row->threads + row->rounds * nr_threads, result->threads,
	       nr_threads * sizeof(*row->threads));
	row->use_seconds[row->rounds] = result->use_seconds;
	row->seconds[row->rounds++] = result->seconds;
	row->points += result->points;
	row->conditional |= result->conditional;
	fz_noise_add(&row->noise, &result->noise);
	fz_counts_add(&row->counts, &result->counts);
}

void fz_row_fini(struct fz_row *row)
{
	free(row->seconds);
	free(row->use_seconds);
	free(row->threads);
	free(row->nodes);
	free(row->samples);
	row->seconds = NULL;
	row->use_seconds = NULL;
	row->threads = NULL;
	row->nodes = NULL;
	row->samples = NULL;
}
