// SPDX-License-Identifier: GPL-2.0-or-later
/* Interleaves and shuffles the rounds of all rows. */
#include <fz/experiment.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>
#include <fz/significance.h>
#include <fz/streams.h>
#include <fz/wake_watch.h>

/* More rounds than this narrow an interval less than the machine drifts. */
#define AUTO_MAX_ROUNDS 101u

struct run {
	struct fz_experiment *experiment;
	struct fz_bench *bench;
	unsigned int *order; /* [nr_live] indices of rows measured themselves */
	size_t nr_live;
	size_t rounds;
	size_t done; /* rounds of rows, for progress */
};

/* Before twins are found: whose model says that nobody waits is no twin. */
static void find_wakers(struct fz_experiment *experiment,
			struct fz_wake_watch *watch)
{
	for (size_t i = 0; watch && i < experiment->nr_rows; i++)
		experiment->rows[i].woken = fz_wake_watch_source(
			watch, &experiment->rows[i].config);
}

/* Rows with the same steps as an earlier one are measured through it. */
static void find_twins(struct fz_experiment *experiment)
{
	for (size_t i = 0; i < experiment->nr_rows; i++) {
		struct fz_row *row = &experiment->rows[i];

		/* What is worked out is worked out for each row. */
		if (!row->config.engine->zero)
			continue;
		for (size_t j = 0; j < i && !row->twin; j++) {
			const struct fz_row *other = &experiment->rows[j];

			if (!other->twin && other->status == row->status &&
			    other->buffers == row->buffers &&
			    other->woken == row->woken &&
			    fz_row_same_steps(&other->config, &row->config))
				row->twin = other;
		}
	}
}

static int find_live(struct run *run, size_t max_rounds)
{
	struct fz_experiment *experiment = run->experiment;

	run->order = calloc(experiment->nr_rows + 1, sizeof(*run->order));
	if (!run->order)
		return -ENOMEM;
	for (size_t i = 0; i < experiment->nr_rows; i++) {
		struct fz_row *row = &experiment->rows[i];

		if (row->twin || row->status != FZ_ROW_PENDING || !row->buffers)
			continue;
		if (fz_row_begin(row, max_rounds))
			return -ENOMEM;
		run->order[run->nr_live++] = (unsigned int)i;
	}
	return 0;
}

static void tell_progress(struct run *run, const struct fz_row *row)
{
	const struct fz_experiment *experiment = run->experiment;

	if (experiment->progress)
		experiment->progress(experiment->progress_state, run->done,
				     run->nr_live * (run->rounds + 1), row);
	run->done++;
}

/* A failed row is out; the others go on. Only a stop ends everything. */
static int run_row(struct run *run, struct fz_row *row, size_t round, bool warm)
{
	struct fz_round_result result;
	struct fz_err err = { "" };
	int code;

	if (row->status != FZ_ROW_PENDING)
		return 0;
	tell_progress(run, row);
	code = fz_round_run(run->bench, &row->config, row->buffers, round,
			    warm ? NULL : row->samples, &result, &err);
	if (code == -EINTR)
		return code;
	if (code)
		fz_row_set_reason(row, err.msg);
	else if (!warm)
		fz_row_keep(row, &result);
	return 0;
}

static int run_round(struct run *run, size_t round, bool warm)
{
	int code = 0;

	for (size_t i = 0; i < run->nr_live && !code; i++)
		code = run_row(run, &run->experiment->rows[run->order[i]],
			       round, warm);
	return code;
}

static size_t affordable_rounds(const struct fz_experiment *experiment,
				uint64_t round_ns)
{
	const uint64_t rounds = experiment->budget_ns / (round_ns + 1);

	if (rounds < FZ_WINNER_MIN_ROUNDS)
		return FZ_WINNER_MIN_ROUNDS;
	return rounds > AUTO_MAX_ROUNDS ? AUTO_MAX_ROUNDS : rounds;
}

static int run_all(struct run *run)
{
	const struct fz_hooks *hooks = run->bench->hooks;
	const uint64_t begin_ns = hooks->now_ns(hooks->state);
	struct fz_random random =
		fz_random_begin(run->bench->seed, FZ_STREAM_ROW_ORDER);
	int code = run_round(run, 0, true);

	if (!run->experiment->repeat)
		run->rounds = affordable_rounds(run->experiment,
						hooks->now_ns(hooks->state) -
							begin_ns);
	for (size_t round = 1; round <= run->rounds && !code; round++) {
		fz_random_shuffle(&random, run->order, run->nr_live);
		code = run_round(run, round, false);
	}
	return code;
}

static void set_status(struct fz_experiment *experiment, size_t rounds)
{
	for (size_t i = 0; i < experiment->nr_rows; i++) {
		struct fz_row *row = &experiment->rows[i];

		if (row->status != FZ_ROW_PENDING || row->twin ||
		    !row->config.engine->zero)
			continue;
		if (row->rounds == rounds && rounds)
			row->status = FZ_ROW_MEASURED;
		else
			fz_row_set_reason(row, FZ_STOPPED);
	}
	for (size_t i = 0; i < experiment->nr_rows; i++) {
		struct fz_row *row = &experiment->rows[i];

		if (row->status == FZ_ROW_PENDING && row->twin) {
			row->status = row->twin->status;
			memcpy(row->reason, row->twin->reason,
			       sizeof(row->reason));
		}
	}
}

int fz_experiment_run(struct fz_experiment *experiment, struct fz_bench *bench,
		      struct fz_err *err)
{
	const size_t repeat = experiment->repeat;
	struct run run = {
		.experiment = experiment,
		.bench = bench,
		.rounds = repeat ? repeat : FZ_WINNER_MIN_ROUNDS,
	};
	int code;

	find_wakers(experiment, bench->watch);
	find_twins(experiment);
	code = find_live(&run, repeat ? repeat : AUTO_MAX_ROUNDS);
	if (code) {
		fz_err_set(err, code, "no memory for the rows");
		goto out;
	}
	code = run_all(&run);
	set_status(experiment, run.rounds);
	if (code)
		fz_err_set(err, code, FZ_STOPPED);
out:
	free(run.order);
	return code;
}
