// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim replay: recorded faults under other folio sizes and policies. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/figures.h>
#include <fz/folio.h>
#include <fz/machine.h>
#include <fz/replay_buffers.h>
#include <fz/replay_model.h>
#include <fz/resched_point.h>
#include <fz/round.h>

#include "bench_cpus.h"
#include "bench_memory.h"
#include "bench_rows.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "progress.h"
#include "replay_report.h"
#include "row_facts.h"
#include "shipped_profiles.h"
#include "stop_signal.h"

/* Everything of one run, so that one function can give it all back. */
struct run {
	struct fz_replay_options options;
	const struct fz_hooks *hooks;
	struct fz_machine machine;
	struct fz_replay_traces traces;
	struct fz_replay_tally tally;
	struct fz_progress progress;
	struct fz_bench_cpus cpus;
	struct fz_bench_memories memories;
	struct fz_bench bench;
	bool has_bench;
	struct fz_bench_rows rows;
	struct fz_profile_document profile;
	struct fz_prices prices;
	struct fz_replay_model *model;
	struct fz_replay_buffers *buffers;
	bool partial;
	double point_cost_ns;
	const char *command;
	struct fz_output output;
	char *document;
	size_t document_bytes;
};

static unsigned int largest_order(const struct fz_folio_choice *choice)
{
	unsigned int order = FZ_MAX_AUTO_ORDER;

	if (!choice->auto_orders)
		return choice->order;
	while (!(choice->auto_orders & 1u << order))
		order--;
	return order;
}

static uint64_t largest_folio_bytes(const struct run *run)
{
	unsigned int max = 0;

	for (size_t i = 0; i < run->options.nr_choices; i++) {
		const unsigned int order =
			largest_order(&run->options.choices[i]);

		max = order > max ? order : max;
	}
	return FZ_PAGE_BYTES << max;
}

/* What rows of bench do not know. */
static void adapt_row(struct fz_row *row, const struct run *run, size_t choice)
{
	const struct fz_folio_choice *what = &run->options.choices[choice];

	row->choice = choice;
	if (row->config.fault != FZ_FAULT_NONE)
		row->config.fault = FZ_FAULT_RECORDED;
	row->config.auto_orders = what->auto_orders;
	if (what->auto_orders)
		row->config.folio_bytes = 0;
	if (row->config.engine->zero)
		return;
	/* Nothing that could be missing is needed. */
	row->config.clear = row->config.stream = NULL;
	row->status = FZ_ROW_PENDING;
	row->reason[0] = '\0';
}

/* Rows of one engine and folio size. */
static int add_rows(struct run *run, const struct fz_engine *engine,
		    size_t choice, const struct fz_clear *stream)
{
	const size_t nr_before = run->rows.nr;
	struct fz_bench_options options = run->options.bench;
	struct fz_bench_memories memories = { .nr = 1 };
	int status;

	if (engine->zero)
		memories = run->memories;
	else
		options.nr_clears = options.nr_streams = 0;
	for (size_t i = 0; i < memories.nr; i++)
		memories.memory[i].folio_bytes =
			FZ_PAGE_BYTES
			<< largest_order(&run->options.choices[choice]);
	options.engines[0] = engine;
	options.nr_engines = 1;
	status = fz_bench_rows_make(
		&run->rows, &options, &memories,
		fz_bench_running_model(&run->machine, &options), stream);
	for (size_t i = nr_before; i < run->rows.nr; i++)
		adapt_row(&run->rows.rows[i], run, choice);
	return status;
}

static int make_rows(struct run *run)
{
	const struct fz_clear *stream = NULL;
	int status = FZ_EXIT_DONE;

	if (run->options.buffers)
		stream = fz_bench_rows_choose_stream(
			&run->options.bench, &run->memories, run->hooks);
	for (size_t i = 0; i < run->options.nr_choices && !status; i++) {
		if (run->options.model)
			status = add_rows(run, &fz_engine_model, i,
					  fz_clear_kernel_choice());
		if (run->options.buffers && !status)
			status = add_rows(run, &fz_engine_buffers, i, stream);
	}
	return status;
}

static int open_bench(struct run *run, const atomic_int *stop)
{
	struct fz_err err = { "" };
	int code =
		fz_bench_open(&run->bench, run->hooks, run->options.bench.seed,
			      largest_folio_bytes(run) >> FZ_PAGE_SHIFT, &err);

	if (!code) {
		run->bench.stop = stop;
		run->has_bench = true;
		code = fz_replay_model_open(&run->model);
	}
	if (!code && run->options.buffers) {
		run->point_cost_ns =
			fz_resched_point_cost_ns(run->hooks, &run->bench.clock);
		code = fz_replay_buffers_open(&run->buffers, &run->bench,
					      run->rows.rows, run->rows.nr,
					      run->options.recorded_pace, &err);
	}
	if (code)
		fz_complain("%s", err.msg[0] ? err.msg : "out of memory");
	return code ? FZ_EXIT_FAILED : FZ_EXIT_DONE;
}

/* Folios are zeroed as faults come, so what was read is what was done. */
static ssize_t watched_next(void *state, struct fz_fault *faults, size_t max,
			    struct fz_err *err)
{
	struct run *run = state;
	const struct fz_fault_source source =
		fz_replay_traces_source(&run->traces);
	const struct fz_byte_share share = fz_replay_traces_share(&run->traces);

	if (share.all)
		fz_progress_show(&run->progress, share.done, share.all,
				 "replay");
	return source.next(source.state, faults, max, err);
}

/* To the end of the recording, or of patience. */
static int replay(struct run *run, struct fz_err *err)
{
	const struct fz_replay_params params = {
		.choices = run->options.choices,
		.nr_choices = run->options.nr_choices,
		.unit_bytes = run->options.recorded_bytes
				      ? run->options.recorded_bytes
				      : FZ_PAGE_BYTES,
		.assume_anon = run->options.assume_anon,
		.stop = run->bench.stop,
	};
	const struct fz_fault_source source = { run, watched_next };
	struct fz_folio_sink sinks[2];
	size_t nr_sinks = 0;
	int code;

	if (run->options.model)
		sinks[nr_sinks++] = fz_replay_model_sink(run->model);
	if (run->buffers)
		sinks[nr_sinks++] = fz_replay_buffers_sink(run->buffers);
	fz_progress_init(&run->progress);
	code = fz_replay_run(source, &params, sinks, nr_sinks, &run->tally,
			     err);
	if (run->buffers && (!code || code == -EINTR)) {
		const int last =
			fz_replay_buffers_finish(run->buffers, !code, err);

		code = code ? code : last;
	}
	fz_progress_end(&run->progress);
	return code;
}

/* A signal leaves it, and those of the same policy object, with that reason. */
static int price_row(struct run *run, struct fz_row *row, struct fz_err *err)
{
	const int code = fz_replay_model_price(run->model, run->bench.plans,
					       &run->prices, row, err);

	run->partial |= code == -EINTR;
	return code == -EINTR ? 0 : code;
}

static int price_rows(struct run *run, struct fz_err *err)
{
	const bool was_partial = run->partial;
	int code = 0;

	for (size_t i = 0; i < run->rows.nr && !code; i++) {
		struct fz_row *row = &run->rows.rows[i];

		if (row->config.engine->zero)
			continue;
		code = price_row(run, row, err);
		if (!code && was_partial && row->rounds)
			fz_row_set_reason(row, FZ_STOPPED);
	}
	if (!code && !run->partial)
		fz_bench_rows_warn_unpriced(&run->rows);
	return code;
}

static int nothing_replayed(const struct run *run)
{
	const struct fz_replay_tally *tally = &run->tally;
	struct fz_note note = { .used = 0 };

	for (unsigned int c = 0; c < FZ_NR_CLASSES; c++)
		if (tally->classes[c])
			fz_note_add(&note, ", %s %" PRIu64,
				    fz_fault_class_name((enum fz_fault_class)c),
				    tally->classes[c]);
	if (tally->no_address)
		fz_note_add(&note, ", without an address %" PRIu64,
			    tally->no_address);
	fz_complain("no fault to replay among %" PRIu64 " record%s: %s%s",
		    tally->records, tally->records == 1 ? "" : "s",
		    note.used ? note.text + 2 : "none is a fault",
		    tally->classes[FZ_CLASS_UNKNOWN]
			    ? "; --assume anon replays unknown ones"
			    : "");
	return FZ_EXIT_FAILED;
}

/* auto goes by mappings. */
static void note_no_mappings(const struct run *run)
{
	const struct fz_replay_options *options = &run->options;
	bool has_auto = false;

	for (size_t i = 0; i < options->nr_choices; i++)
		has_auto = has_auto || options->choices[i].auto_orders;
	if (has_auto && !run->tally.mappings)
		fz_complain("note: no mapping is recorded, so all folios of "
			    "'auto' are 4K: 'foliosim trace record' records "
			    "mappings, 'perf script --show-mmap-events' prints "
			    "them");
}

static int replay_and_price(struct run *run)
{
	struct fz_err err = { "" };
	int code = replay(run, &err);

	fz_replay_traces_complain(&run->traces);
	run->partial = code == -EINTR;
	if (!code && !run->tally.replayed)
		return nothing_replayed(run);
	note_no_mappings(run);
	if (!code || run->partial)
		code = price_rows(run, &err);
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static int print(const struct run *run, FILE *out,
		 const struct fz_result *result)
{
	switch (run->options.bench.format) {
	case FZ_FORMAT_JSON:
		return fz_result_json(out, result);
	case FZ_FORMAT_CSV:
		return fz_result_csv(out, result);
	case FZ_FORMAT_COMMIT:
		return fz_replay_commit(out, result);
	case FZ_FORMAT_TEXT:
		break;
	}
	return fz_replay_text(out, result);
}

static void work_out(const struct run *run, struct fz_figures *figures)
{
	const struct fz_references none = { .baseline = NULL };

	for (size_t i = 0; i < run->rows.nr; i++)
		fz_figures_of(&run->rows.rows[i], none,
			      run->machine.topology.llc_bytes,
			      run->options.bench.seed, &figures[i]);
}

/* The document is made in memory, and written only when it is whole. */
static int render(struct run *run)
{
	struct fz_figures *figures = calloc(run->rows.nr + 1, sizeof(*figures));
	const struct fz_replay_report report = {
		.options = &run->options,
		.traces = &run->traces,
		.tally = &run->tally,
		.prices = run->options.model ? &run->prices : NULL,
	};
	const struct fz_result result = {
		.partial = run->partial,
		.command = run->command,
		.seed = run->options.bench.seed,
		.machine = &run->machine,
		.rows = run->rows.rows,
		.figures = figures,
		.nr_rows = run->rows.nr,
		.point_cost_ns = run->point_cost_ns,
		.replay = &report,
		.profile = report.prices ? report.prices->profile : NULL,
		.policies = &run->options.bench.policies,
	};
	FILE *out = open_memstream(&run->document, &run->document_bytes);
	int code = figures && out ? 0 : -ENOMEM;

	if (!code) {
		work_out(run, figures);
		code = print(run, out, &result);
	}
	if (out && fclose(out) && !code)
		code = -errno;
	free(figures);
	if (code)
		fz_complain("cannot make the result: %s", strerror(-code));
	return code ? FZ_EXIT_FAILED : FZ_EXIT_DONE;
}

static bool anything_done(const struct run *run)
{
	for (size_t i = 0; i < run->rows.nr; i++)
		if (run->rows.rows[i].rounds)
			return true;
	return false;
}

static void give_back(struct run *run)
{
	fz_bench_rows_leave(&run->rows);
	fz_replay_buffers_close(run->buffers);
	fz_replay_model_close(run->model);
	fz_bench_memories_close(&run->memories);
	if (run->has_bench)
		fz_bench_close(&run->bench);
}

/* Signals wait until memory is given back and what was done is written. */
static int take_and_replay(struct run *run)
{
	const atomic_int *stop = fz_stop_signal_catch();
	int status;

	if (run->options.buffers)
		fz_bench_memories_open(&run->memories, &run->options.bench,
				       run->hooks, &run->machine,
				       run->cpus.cpu);
	status = make_rows(run);
	if (!status)
		status = open_bench(run, stop);
	if (!status)
		status = replay_and_price(run);
	give_back(run);
	fz_stop_signal_release();
	return status;
}

/* Memory and a CPU, for engines that measure. */
static int plan_memory(struct run *run)
{
	struct fz_bench_options *options = &run->options.bench;
	int status;

	if (!run->options.buffers)
		return FZ_EXIT_DONE;
	options->folio_bytes = largest_folio_bytes(run);
	status = fz_bench_memories_plan(&run->memories, options, &run->machine);
	if (!status)
		status = fz_bench_cpus_choose(&run->cpus, options, run->hooks);
	return status ? status
		      : fz_bench_cpus_pin(&run->cpus, options, run->hooks);
}

/* Before a recording is read: it may be long. */
static int choose_prices(struct run *run)
{
	const char *word = run->options.profile;
	int status;

	if (!run->options.model)
		return FZ_EXIT_DONE;
	status = fz_profile_find(&run->profile,
				 word ? word : FZ_PROFILE_DEFAULT);
	run->prices = fz_prices_of(&run->profile.profile);
	return status;
}

static int run_replay(struct run *run)
{
	int status = choose_prices(run);

	if (!status)
		status = fz_replay_traces_open(&run->traces, &run->options);
	if (!status)
		status = plan_memory(run);
	if (!status)
		status =
			fz_output_open(&run->output, run->options.bench.output);
	if (!status)
		status = take_and_replay(run);
	if (!status)
		status = render(run);
	if (!status)
		status = fz_output_write(&run->output, run->document,
					 run->document_bytes);
	fz_output_close(&run->output);
	fz_replay_traces_close(&run->traces);
	if (!status && !anything_done(run))
		status = FZ_EXIT_CANNOT_RUN;
	return status;
}

static int cmd_replay(int argc, char **argv)
{
	struct run *run = calloc(1, sizeof(*run));
	char *command;
	int status;

	if (!run) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	/* Before getopt_long() sorts the arguments. */
	command = fz_command_line(argc, argv);
	run->command = command ? command : "";
	run->hooks = &fz_hooks_default;
	run->output = FZ_OUTPUT_STDOUT;
	run->point_cost_ns = NAN;
	status = fz_replay_options_parse(&run->options, argc, argv);
	if (!status) {
		fz_machine_read(run->hooks, &run->machine);
		status = run_replay(run);
	}
	fz_bench_rows_fini(&run->rows);
	fz_bench_options_fini(&run->options.bench);
	free(run->document);
	free(command);
	free(run);
	fz_stop_signal_reraise();
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_replay = {
	.name = "replay",
	.summary = "recorded page faults under other folio sizes and policies",
	.run = cmd_replay,
};
