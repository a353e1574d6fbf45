// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects folios until they fill the buffer, then zeroes them in a round. */
#include <fz/replay_buffers.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/noise.h>
#include <fz/random.h>
#include <fz/streams.h>

/* Folios of one size that were collected. */
struct batch {
	uint64_t *pages;  /* [max] the faulting page of each */
	uint64_t *due_ns; /* [max] after the first one */
	uint64_t first_ns;
	size_t nr, max;
};

struct fz_replay_buffers {
	struct fz_bench *bench;
	struct fz_row *rows; /* [nr_rows] */
	size_t nr_rows;
	bool recorded_pace;
	struct fz_random random;
	uint64_t round;
	unsigned int *order; /* [nr_rows] of the rows of one choice */
	struct batch batches[FZ_MAX_FOLIO_CHOICES][FZ_MAX_FOLIO_ORDER + 1];
};

static bool is_live(const struct fz_row *row)
{
	return row->status == FZ_ROW_PENDING && row->config.engine->zero &&
	       row->buffers;
}

int fz_replay_buffers_open(struct fz_replay_buffers **out,
			   struct fz_bench *bench, struct fz_row *rows,
			   size_t nr_rows, bool recorded_pace,
			   struct fz_err *err)
{
	struct fz_replay_buffers *replay = calloc(1, sizeof(*replay));
	int code = replay ? 0 : -ENOMEM;

	if (replay) {
		replay->bench = bench;
		replay->rows = rows;
		replay->nr_rows = nr_rows;
		replay->recorded_pace = recorded_pace;
		replay->random =
			fz_random_begin(bench->seed, FZ_STREAM_ROW_ORDER);
		replay->order = calloc(nr_rows + 1, sizeof(*replay->order));
		if (!replay->order)
			code = -ENOMEM;
	}
	for (size_t i = 0; i < nr_rows && !code; i++)
		if (is_live(&rows[i]))
			code = fz_row_begin(&rows[i], 1);
	if (code) {
		fz_replay_buffers_close(replay);
		return fz_err_set(err, code, "no memory for the rows");
	}
	*out = replay;
	return 0;
}

void fz_replay_buffers_close(struct fz_replay_buffers *replay)
{
	if (!replay)
		return;
	for (size_t c = 0; c < FZ_MAX_FOLIO_CHOICES; c++) {
		for (unsigned int o = 0; o <= FZ_MAX_FOLIO_ORDER; o++) {
			free(replay->batches[c][o].pages);
			free(replay->batches[c][o].due_ns);
		}
	}
	free(replay->order);
	free(replay);
}

/* Rows of that choice that are measured, into the order. */
static size_t find_live(struct fz_replay_buffers *replay, size_t choice)
{
	size_t nr = 0;

	for (size_t i = 0; i < replay->nr_rows; i++)
		if (replay->rows[i].choice == choice &&
		    is_live(&replay->rows[i]))
			replay->order[nr++] = (unsigned int)i;
	return nr;
}

/* All folios of a row are one round. */
static void keep(struct fz_row *row, const struct fz_round_result *result,
		 size_t nr, uint64_t bytes)
{
	row->rounds = 1;
	row->seconds[0] += result->seconds;
	row->threads[0].zero_seconds += result->threads[0].zero_seconds;
	row->threads[0].cpu = result->threads[0].cpu;
	row->points += result->points;
	row->conditional |= result->conditional;
	row->folios += nr;
	row->zeroed_bytes += bytes;
	fz_noise_add(&row->noise, &result->noise);
}

static int zero_row(struct fz_replay_buffers *replay, struct fz_row *row,
		    const struct batch *batch, unsigned int order,
		    struct fz_err *err)
{
	struct fz_row_config config = row->config;
	struct fz_round_result result;
	struct fz_err why = { "" };
	int code;

	config.folio_bytes = FZ_PAGE_BYTES << order;
	config.bytes = batch->nr * config.folio_bytes;
	config.fault_pages = batch->pages;
	config.due_ns = replay->recorded_pace ? batch->due_ns : NULL;
	code = fz_round_run(replay->bench, &config, row->buffers, replay->round,
			    row->samples, &result, &why);
	if (code == -EINTR)
		return fz_err_set(err, code, FZ_STOPPED);
	if (code)
		fz_row_set_reason(row, why.msg);
	else
		keep(row, &result, batch->nr, config.bytes);
	return 0;
}

/* A round of each row. */
static int zero_batch(struct fz_replay_buffers *replay, size_t choice,
		      unsigned int order, struct fz_err *err)
{
	struct batch *batch = &replay->batches[choice][order];
	const size_t nr = find_live(replay, choice);
	int code = 0;

	fz_random_shuffle(&replay->random, replay->order, nr);
	for (size_t i = 0; i < nr && !code; i++)
		code = zero_row(replay, &replay->rows[replay->order[i]], batch,
				order, err);
	replay->round++;
	batch->nr = 0;
	return code;
}

/* Room for what the smallest buffer of the choice holds; 0 = nobody zeroes. */
static size_t batch_folios(struct fz_replay_buffers *replay,
			   const struct fz_folio_fault *fault)
{
	const size_t nr = find_live(replay, fault->choice);
	uint64_t bytes = nr ? UINT64_MAX : 0;

	for (size_t i = 0; i < nr; i++) {
		const struct fz_row *row = &replay->rows[replay->order[i]];
		const uint64_t has = fz_buffer_bytes(row->buffers[0]);

		bytes = has < bytes ? has : bytes;
	}
	return bytes / (FZ_PAGE_BYTES << fault->order);
}

static int open_batch(struct fz_replay_buffers *replay, struct batch *batch,
		      const struct fz_folio_fault *fault, struct fz_err *err)
{
	const size_t max = batch_folios(replay, fault);

	if (!max)
		return 0;
	batch->pages = calloc(max, sizeof(*batch->pages));
	batch->due_ns = calloc(max, sizeof(*batch->due_ns));
	if (!batch->pages || !batch->due_ns)
		return fz_err_set(err, -ENOMEM, "no memory to collect folios");
	batch->max = max;
	return 0;
}

static int collect(void *state, const struct fz_folio_fault *fault,
		   struct fz_err *err)
{
	struct fz_replay_buffers *replay = state;
	struct batch *batch = &replay->batches[fault->choice][fault->order];
	int code = batch->max ? 0 : open_batch(replay, batch, fault, err);

	if (code || !batch->max)
		return code;
	if (batch->nr == 0)
		batch->first_ns = fault->time_ns;
	batch->pages[batch->nr] = fault->page;
	batch->due_ns[batch->nr] = fault->time_ns > batch->first_ns
					   ? fault->time_ns - batch->first_ns
					   : 0;
	if (++batch->nr < batch->max)
		return 0;
	return zero_batch(replay, fault->choice, fault->order, err);
}

struct fz_folio_sink fz_replay_buffers_sink(struct fz_replay_buffers *replay)
{
	return (struct fz_folio_sink){ .state = replay, .fault = collect };
}

static void set_status(struct fz_replay_buffers *replay, bool complete)
{
	for (size_t i = 0; i < replay->nr_rows; i++) {
		struct fz_row *row = &replay->rows[i];

		if (!row->config.engine->zero || !row->samples)
			continue;
		row->config.bytes = row->zeroed_bytes;
		if (row->status == FZ_ROW_PENDING && complete && row->rounds)
			row->status = FZ_ROW_MEASURED;
		else if (row->status == FZ_ROW_PENDING)
			fz_row_set_reason(row, complete ? "no fault made a "
							  "folio"
							: FZ_STOPPED);
	}
}

int fz_replay_buffers_finish(struct fz_replay_buffers *replay, bool complete,
			     struct fz_err *err)
{
	int code = 0;

	for (size_t c = 0; c < FZ_MAX_FOLIO_CHOICES; c++)
		for (unsigned int o = 0; o <= FZ_MAX_FOLIO_ORDER; o++)
			if (replay->batches[c][o].nr && complete && !code)
				code = zero_batch(replay, c, o, err);
	set_status(replay, complete && !code);
	return code;
}
