// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows another row is compared with. */
#include <fz/figures.h>

#include <string.h>

/* The kernel's own path clears with the kernel's primitive. */
static const struct fz_clear *clear_of(const struct fz_row_config *row)
{
	return row->engine->runs_plans ? row->clear : fz_clear_kernel_choice();
}

/* Bits by weight: a match in a higher one outweighs all lower ones. */
static unsigned int closeness(const struct fz_row_config *row,
			      const struct fz_row_config *other)
{
	const bool same_fault = fz_row_same_fault(row, other);
	const bool same_engine =
		row->engine == other->engine ||
		(!row->engine->runs_plans && other->engine->records);

	return (unsigned int)same_engine << 6 | (unsigned int)same_fault << 5 |
	       (unsigned int)(row->preempt == other->preempt) << 4 |
	       (unsigned int)(clear_of(row) == other->clear) << 3 |
	       (unsigned int)(row->batch_pages == other->batch_pages) << 2 |
	       (unsigned int)(row->radius_pages == other->radius_pages) << 1 |
	       1u;
}

static bool is_candidate(const struct fz_row_config *row,
			 const struct fz_row_config *other, const char *policy)
{
	const bool same_policy =
		policy ? other->policy &&
				 strcmp(other->policy->name, policy) == 0
		       : !other->policy;

	/* What is worked out is compared with what is worked out. */
	if (!row->engine->zero != !other->engine->zero)
		return false;
	return same_policy && other->page.kind == row->page.kind &&
	       other->page.bytes == row->page.bytes &&
	       other->bytes == row->bytes && other->threads == row->threads;
}

const struct fz_row *fz_baseline_of(const struct fz_row *rows, size_t nr_rows,
				    const struct fz_row *row,
				    const char *policy)
{
	const struct fz_row *closest = NULL;
	unsigned int best = 0;

	for (size_t i = 0; i < nr_rows; i++) {
		const struct fz_row *other = &rows[i];
		unsigned int score;

		if (!fz_row_data(other)->rounds ||
		    !is_candidate(&row->config, &other->config, policy))
			continue;
		score = closeness(&row->config, &other->config);
		if (score > best) {
			best = score;
			closest = other;
		}
	}
	return closest;
}

/* Whatever a plan and its primitives depend on. */
static bool same_but_engine(const struct fz_row_config *a,
			    const struct fz_row_config *b)
{
	return a->policy == b->policy && a->clear == b->clear &&
	       a->stream == b->stream && fz_row_same_memory(a, b) &&
	       fz_row_same_fault(a, b) && a->preempt == b->preempt &&
	       a->batch_pages == b->batch_pages &&
	       a->radius_pages == b->radius_pages && a->highmem == b->highmem &&
	       a->per_page_clear == b->per_page_clear;
}

const struct fz_row *fz_measured_of(const struct fz_row *rows, size_t nr_rows,
				    const struct fz_row *row)
{
	if (row->config.engine->zero)
		return NULL;
	for (size_t i = 0; i < nr_rows; i++)
		if (rows[i].config.engine == &fz_engine_buffers &&
		    fz_row_data(&rows[i])->rounds &&
		    same_but_engine(&row->config, &rows[i].config))
			return &rows[i];
	return NULL;
}

static bool same_but_threads(const struct fz_row_config *a,
			     const struct fz_row_config *b)
{
	return a->engine == b->engine && a->policy == b->policy &&
	       a->clear == b->clear && a->stream == b->stream &&
	       a->page.kind == b->page.kind && a->page.bytes == b->page.bytes &&
	       a->folio_bytes == b->folio_bytes && a->bytes == b->bytes &&
	       fz_row_same_fault(a, b) && a->preempt == b->preempt &&
	       a->batch_pages == b->batch_pages &&
	       a->radius_pages == b->radius_pages && a->use == b->use;
}

const struct fz_row *fz_scaling_base_of(const struct fz_row *rows,
					size_t nr_rows,
					const struct fz_row *row)
{
	const struct fz_row *base = row;

	for (size_t i = 0; i < nr_rows; i++)
		if (rows[i].config.threads < base->config.threads &&
		    rows[i].config.threads && fz_row_data(&rows[i])->rounds &&
		    same_but_threads(&row->config, &rows[i].config))
			base = &rows[i];
	return base == row ? NULL : base;
}
