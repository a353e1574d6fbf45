// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows and what their policies are asked. */
#include <fz/row.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/noise.h>
#include <fz/round.h>

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
	       a->folio_bytes == b->folio_bytes && a->bytes == b->bytes;
}

bool fz_row_meets_fault(const struct fz_row_config *lead,
			const struct fz_row_config *row)
{
	return fz_row_same_memory(lead, row) &&
	       (row->fault == FZ_FAULT_NONE || fz_row_same_fault(lead, row));
}

void fz_row_set_buffer(struct fz_row *row, struct fz_buffer *buffer)
{
	row->buffer = buffer;
	if (buffer)
		row->memory = (struct fz_row_memory){
			.bytes = fz_buffer_bytes(buffer),
			.backing = fz_buffer_backing(buffer),
			.first_touch_ns = fz_buffer_first_touch_ns(buffer),
		};
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
	row->seconds = malloc(max_rounds * sizeof(*row->seconds));
	row->samples = malloc(sizeof(*row->samples));
	row->max_rounds = max_rounds;
	if (!row->seconds || !row->samples)
		return -ENOMEM;
	for (size_t i = 0; i < max_rounds; i++)
		row->seconds[i] = 0.0;
	fz_samples_init(row->samples);
	return 0;
}

void fz_row_keep(struct fz_row *row, const struct fz_round_result *result)
{
	assert(row->rounds < row->max_rounds);
	row->seconds[row->rounds++] = result->seconds;
	row->points += result->points;
	fz_noise_add(&row->noise, &result->noise);
}

void fz_row_fini(struct fz_row *row)
{
	free(row->seconds);
	free(row->samples);
	row->seconds = NULL;
	row->samples = NULL;
}
