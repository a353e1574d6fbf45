// SPDX-License-Identifier: GPL-2.0-or-later
/* Pairs of recorded and unrecorded clears of the same pieces. */
#include <fz/overhead.h>

#include <errno.h>

#include <fz/policies.h>
#include <fz/random.h>
#include <fz/streams.h>

#define CHUNK_BYTES ((uint64_t)8 << 20)
#define HUGE_BYTES  ((uint64_t)2 << 20)
/* Small enough for every L2 in use, large enough for 32 steps. */
#define SMALL_BYTES ((uint64_t)128 << 10)

const struct fz_overhead_case fz_overhead_cases[] = {
	{ "4K pieces, ascending", "batched-pages", HUGE_BYTES, 1, 0, false },
	{ "64K pieces, ascending", "batched-pages", HUGE_BYTES, 16, 0, false },
	{ "2M pieces, ascending", "batched-pages", HUGE_BYTES, 512, 0, false },
	{ "4K pieces, converging", "discontiguous-page", HUGE_BYTES, 0, 256,
	  false },
	{ "4K pieces in L2", "batched-pages", SMALL_BYTES, 1, 0, true },
};
const size_t fz_nr_overhead_cases =
	sizeof(fz_overhead_cases) / sizeof(fz_overhead_cases[0]);

void fz_overhead_rows(const struct fz_overhead_case *which,
		      const struct fz_clear *clear,
		      struct fz_buffer *const *buffer, struct fz_row *rows)
{
	for (size_t i = 0; i < FZ_NR_OVERHEAD_ROWS; i++) {
		const bool records = i == FZ_OVERHEAD_BUFFERS;

		rows[i] = (struct fz_row){
			.config = {
				.engine = records ? &fz_engine_buffers :
						    &fz_engine_bare,
				.policy = fz_policy_find(which->policy),
				.clear = clear,
				.page = fz_buffer_page(*buffer),
				.folio_bytes = which->folio_bytes,
				.bytes = CHUNK_BYTES,
				.fault = FZ_FAULT_AT,
				.fault_page = which->fault_page,
				.preempt = FZ_PREEMPT_NONE,
				.batch_pages = which->batch_pages,
				.use = FZ_USE_NONE,
			},
		};
		fz_row_set_buffers(&rows[i], buffer);
	}
}

struct pairing {
	struct fz_bench *bench;
	const struct fz_overhead_case *which;
	struct fz_row *rows;
	struct fz_random random;
	uint64_t next_chunk; /* chunks below it were cleared since dirtying */
};

static struct fz_round_part next_part(struct pairing *p, uint64_t folio_bytes)
{
	struct fz_round_part part = {
		.nr = CHUNK_BYTES / folio_bytes,
		.in_place = p->which->in_cache,
	};

	if (!part.in_place)
		part.first = part.nr * p->next_chunk++;
	return part;
}

/* Fresh memory for three chunks. */
static void make_room(struct pairing *p)
{
	struct fz_buffer *buffer = p->rows[0].buffers[0];
	const uint64_t chunks = fz_buffer_bytes(buffer) / CHUNK_BYTES;

	if (p->next_chunk + FZ_NR_OVERHEAD_ROWS > chunks)
		p->next_chunk = 0;
	if (p->next_chunk == 0 && !p->which->in_cache)
		fz_buffer_dirty(buffer, false);
}

/* Three rows side by side; `warm` ones are not kept. */
static int triple(struct pairing *p, bool warm, struct fz_err *err)
{
	unsigned int order[FZ_NR_OVERHEAD_ROWS] = { 0, 1, 2 };

	make_room(p);
	fz_random_shuffle(&p->random, order, FZ_NR_OVERHEAD_ROWS);
	for (size_t i = 0; i < FZ_NR_OVERHEAD_ROWS; i++) {
		struct fz_row *row = &p->rows[order[i]];
		struct fz_round_result result;
		const int code =
			fz_round_zero(p->bench, &row->config, row->buffers[0],
				      next_part(p, row->config.folio_bytes),
				      warm ? NULL : row->samples, &result, err);

		if (code)
			return code;
		if (!warm)
			fz_row_keep(row, &result);
	}
	return 0;
}

int fz_overhead_run(struct fz_bench *bench,
		    const struct fz_overhead_case *which, struct fz_row *rows,
		    size_t pairs, struct fz_err *err)
{
	struct pairing p = {
		.bench = bench,
		.which = which,
		.rows = rows,
		.random = fz_random_begin(bench->seed, FZ_STREAM_OVERHEAD),
	};
	int code = 0;

	for (size_t i = 0; i < FZ_NR_OVERHEAD_ROWS && !code; i++)
		code = fz_row_begin(&rows[i], pairs);
	if (code)
		return fz_err_set(err, code, "no memory for the rows");
	code = triple(&p, true, err);
	for (size_t i = 0; i < pairs && !code; i++)
		code = triple(&p, false, err);
	for (size_t i = 0; i < FZ_NR_OVERHEAD_ROWS; i++) {
		if (rows[i].rounds == pairs)
			rows[i].status = FZ_ROW_MEASURED;
		else
			fz_row_set_reason(&rows[i], code == -EINTR ? FZ_STOPPED
								   : err->msg);
	}
	return code;
}
