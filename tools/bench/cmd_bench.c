// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim bench: measure, work the figures out, print, give back. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/experiment.h>
#include <fz/figures.h>
#include <fz/folio.h>
#include <fz/machine.h>
#include <fz/resched_point.h>
#include <fz/round.h>
#include <fz/row_price.h>
#include <fz/team.h>
#include <fz/verdict.h>
#include <fz/wake_watch.h>

#include "bench_counters.h"
#include "bench_cpus.h"
#include "bench_figures.h"
#include "bench_memory.h"
#include "bench_options.h"
#include "bench_overhead.h"
#include "bench_probe.h"
#include "bench_rows.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "progress.h"
#include "result.h"
#include "row_facts.h"
#include "shipped_profiles.h"
#include "stop_signal.h"

/* Time for the rounds of a default run, so that all of it takes about 10 s. */
#define DEFAULT_BUDGET_NS (7500ull * 1000 * 1000)

/* Everything of one run, so that one function can give it all back. */
struct run {
	struct fz_bench_options options;
	const struct fz_hooks *hooks;
	struct fz_machine machine;
	struct fz_profile_document profile;
	struct fz_bench_cpus cpus;
	struct fz_bench_memories memories;
	struct fz_bench bench;
	bool has_bench;
	struct fz_wake_watch watch; /* bench points to it if it is open */
	struct fz_counter_list counters;
	struct fz_bench_rows rows;
	struct fz_bench_probe probe;
	bool partial;
	double point_cost_ns;
	const char *command;
	struct fz_output output;
	char *document;
	size_t document_bytes;
};

static uint64_t max_folio_pages(const struct fz_bench_memories *memories)
{
	uint64_t max = 1;

	for (size_t i = 0; i < memories->nr; i++) {
		const uint64_t pages =
			memories->memory[i].folio_bytes >> FZ_PAGE_SHIFT;

		if (memories->memory[i].buffers && pages > max)
			max = pages;
	}
	return max;
}

static int open_team(struct run *run)
{
	struct fz_err err = { "" };

	if (!run->options.nr_threads ||
	    !fz_team_open(&run->bench.team, &run->bench, run->cpus.cpu,
			  run->cpus.nr, max_folio_pages(&run->memories), &err))
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static int open_bench(struct run *run, const atomic_int *stop)
{
	struct fz_err err = { "" };

	if (fz_bench_open(&run->bench, run->hooks, run->options.seed,
			  max_folio_pages(&run->memories), &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	run->bench.stop = stop;
	run->has_bench = true;
	return open_team(run);
}

static size_t max_folios(const struct fz_bench_rows *rows)
{
	size_t max = 1;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct fz_row_config *config = &rows->rows[i].config;

		if (config->bytes / config->folio_bytes > max)
			max = config->bytes / config->folio_bytes;
	}
	return max;
}

static void tell_wakers(const struct run *run)
{
	const char *reason = fz_waker_reason(run->watch.timer.waker);

	if (reason[0])
		fprintf(stderr, "foliosim: note: --waker: %s\n", reason);
	if (!run->watch.flag.waker)
		fprintf(stderr,
			"foliosim: note: --waker: there is no second CPU to "
			"set a flag from: rows of plans get no wake-ups\n");
}

static int open_watch(struct run *run)
{
	const struct fz_wake_watch_params params = {
		.kind = run->options.waker,
		.interval_ns = run->options.interval_ns,
		.cpu = run->cpus.cpu[0],
		.has_flag_cpu = run->cpus.nr_different > 1,
		.flag_cpu = run->cpus.cpu[1],
		.max_folios = max_folios(&run->rows),
		.seed = run->options.seed,
		.clock = run->bench.clock,
	};
	struct fz_err err = { "" };

	if (!run->options.has_waker)
		return FZ_EXIT_DONE;
	if (fz_wake_watch_open(&run->watch, run->hooks, &params, &err)) {
		fz_complain("--waker: %s", err.msg);
		return FZ_EXIT_FAILED;
	}
	run->bench.watch = &run->watch;
	tell_wakers(run);
	return FZ_EXIT_DONE;
}

static int measure(struct run *run)
{
	struct fz_progress progress;
	struct fz_experiment experiment = {
		.rows = run->rows.rows,
		.nr_rows = run->rows.nr,
		.repeat = run->options.repeat,
		.budget_ns = DEFAULT_BUDGET_NS,
		.progress = fz_progress_step,
		.progress_state = &progress,
	};
	struct fz_err err = { "" };
	int code;

	run->point_cost_ns =
		fz_resched_point_cost_ns(run->hooks, &run->bench.clock);
	fz_progress_init(&progress);
	code = fz_experiment_run(&experiment, &run->bench, &err);
	fz_progress_end(&progress);
	run->partial = code == -EINTR;
	if (code && code != -EINTR) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	return FZ_EXIT_DONE;
}

/* As many as were measured, so that they can be paired. */
static size_t rounds_to_price(const struct run *run)
{
	size_t max = 0;

	for (size_t i = 0; i < run->rows.nr; i++) {
		const size_t rounds = fz_row_data(&run->rows.rows[i])->rounds;

		max = rounds > max ? rounds : max;
	}
	if (max)
		return max;
	return run->options.repeat ? run->options.repeat : 1;
}

/* A signal leaves it, and those behind it, with that reason. */
static int price_row(struct run *run, struct fz_row *row, size_t rounds,
		     struct fz_err *err)
{
	const int code = fz_row_price(row, &run->profile.profile, &run->bench,
				      rounds, err);

	run->partial |= code == -EINTR;
	return code == -EINTR ? 0 : code;
}

/* Behind the measuring: a signal that stopped that is over. */
static int price_rows(struct run *run)
{
	const size_t rounds = rounds_to_price(run);
	const atomic_int *stop = run->bench.stop;
	struct fz_err err = { "" };
	int code = 0;

	run->bench.stop = run->partial ? NULL : stop;
	for (size_t i = 0; i < run->rows.nr && !code; i++) {
		struct fz_row *row = &run->rows.rows[i];

		if (!row->config.engine->zero && row->status == FZ_ROW_PENDING)
			code = price_row(run, row, rounds, &err);
	}
	run->bench.stop = stop;
	if (!code) {
		if (!run->partial)
			fz_bench_rows_warn_unpriced(&run->rows);
		return FZ_EXIT_DONE;
	}
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static int print(const struct run *run, FILE *out,
		 const struct fz_result *result)
{
	switch (run->options.format) {
	case FZ_FORMAT_JSON:
		return fz_result_json(out, result);
	case FZ_FORMAT_CSV:
		return fz_result_csv(out, result);
	case FZ_FORMAT_COMMIT:
		return fz_result_commit(out, result);
	case FZ_FORMAT_TEXT:
		break;
	}
	return run->options.overhead ? fz_bench_overhead_text(out, result)
				     : fz_result_text(out, result);
}

/* The document is made in memory, and written only when it is whole. */
static int render(struct run *run)
{
	struct fz_verdict *verdicts =
		calloc(run->rows.nr + 1, sizeof(*verdicts));
	struct fz_figures *figures = calloc(run->rows.nr + 1, sizeof(*figures));
	struct fz_result result = {
		.partial = run->partial,
		.command = run->command,
		.seed = run->options.seed,
		.machine = &run->machine,
		.rows = run->rows.rows,
		.figures = figures,
		.nr_rows = run->rows.nr,
		.point_cost_ns = run->point_cost_ns,
		.verdicts = verdicts,
		.counters = &run->counters,
		.histograms = run->options.histogram,
		.probe = run->options.has_probe ? &run->probe.found : NULL,
		.profile = fz_bench_models(&run->options)
				   ? &run->profile.profile
				   : NULL,
		.policies = &run->options.policies,
	};
	FILE *out = open_memstream(&run->document, &run->document_bytes);
	int code = figures && verdicts && out ? 0 : -ENOMEM;

	if (!code) {
		fz_bench_figures(figures, &run->rows, &run->options,
				 &run->machine);
		result.nr_verdicts = fz_verdicts_of(
			run->rows.rows, run->rows.nr, verdicts, run->rows.nr);
		code = print(run, out, &result);
	}
	if (out && fclose(out) && !code)
		code = -errno;
	free(figures);
	free(verdicts);
	if (code)
		fz_complain("cannot make the result: %s", strerror(-code));
	return code ? FZ_EXIT_FAILED : FZ_EXIT_DONE;
}

static bool anything_measured(const struct run *run)
{
	for (size_t i = 0; i < run->rows.nr; i++)
		if (fz_row_data(&run->rows.rows[i])->rounds)
			return true;
	return false;
}

/* Rows with that status, of which one reason is told. */
static void warn_status(const struct run *run, enum fz_row_status status,
			const char *what_one, const char *what_more)
{
	size_t nr = 0;
	const char *reason = NULL;
	bool differ = false;

	for (size_t i = 0; i < run->rows.nr; i++) {
		const struct fz_row *row = &run->rows.rows[i];

		/* A missing buffer was complained about when it was opened,
		 * and who sent a signal knows. */
		if (row->status != status || !row->memory.bytes ||
		    strcmp(row->reason, FZ_STOPPED) == 0)
			continue;
		nr++;
		differ |= reason && strcmp(reason, row->reason) != 0;
		reason = row->reason;
	}
	if (nr)
		fz_complain("warning: %zu of %zu row%s %s: %s%s", nr,
			    run->rows.nr, run->rows.nr == 1 ? "" : "s",
			    nr == 1 ? what_one : what_more, reason,
			    differ ? " (and other reasons)" : "");
}

static void warn_failed(const struct run *run)
{
	warn_status(run, FZ_ROW_UNSUPPORTED, "was not measured",
		    "were not measured");
	warn_status(run, FZ_ROW_PARTIAL, "stopped early", "stopped early");
}

static void give_back(struct run *run)
{
	fz_bench_rows_leave(&run->rows);
	fz_bench_memories_close(&run->memories);
	if (!run->has_bench)
		return;
	if (run->bench.watch)
		fz_wake_watch_close(&run->watch);
	fz_team_close(run->bench.team);
	fz_bench_close(&run->bench);
}

/* Where nothing is measured, the first that has a price. */
static const struct fz_clear *choose_stream(const struct run *run)
{
	const struct fz_clear *stream = fz_bench_rows_choose_stream(
		&run->options, &run->memories, run->hooks);
	const struct fz_profile *profile = &run->profile.profile;

	for (size_t i = 0; i < profile->nr_clears && !stream; i++)
		if (profile->clears[i].streaming)
			stream = fz_clear_find(profile->clears[i].name);
	return stream;
}

static int measure_and_probe(struct run *run)
{
	int status = open_watch(run);

	if (!status)
		status = fz_bench_counters_open(&run->counters, &run->options,
						&run->machine, &run->bench);
	if (!status)
		status = measure(run);
	if (!status &&
	    fz_bench_probe_run(&run->probe, &run->options, &run->machine,
			       &run->rows, &run->bench) == -EINTR)
		run->partial = true;
	return status;
}

/* Rows from the options, measured and priced. */
static int make_and_measure(struct run *run)
{
	int status = fz_bench_rows_make(
		&run->rows, &run->options, &run->memories,
		fz_bench_running_model(&run->machine, &run->options),
		choose_stream(run));

	if (!status && fz_bench_measures(&run->options))
		status = measure_and_probe(run);
	return status ? status : price_rows(run);
}

/* Takes memory and rights; give_back() follows. */
static int run_rows(struct run *run, const atomic_int *stop)
{
	int status;

	if (fz_bench_measures(&run->options))
		fz_bench_memories_open(&run->memories, &run->options,
				       run->hooks, &run->machine,
				       run->cpus.cpu);
	status = open_bench(run, stop);
	if (status)
		return status;
	if (run->options.overhead)
		return fz_bench_overhead_run(&run->bench, &run->rows,
					     &run->options, &run->memories,
					     &run->partial);
	return make_and_measure(run);
}

/* Are there too many rows? Told before anything is taken. */
static int check_rows(const struct run *run)
{
	struct fz_bench_rows rows = { 0 };
	int status;

	if (run->options.overhead)
		return FZ_EXIT_DONE;
	status = fz_bench_rows_make(&rows, &run->options, &run->memories,
				    FZ_PREEMPT_NONE, NULL);
	fz_bench_rows_fini(&rows);
	return status;
}

/* Signals wait until memory is given back and what was measured is written. */
static int take_and_measure(struct run *run)
{
	const atomic_int *stop = fz_stop_signal_catch();
	const int status = run_rows(run, stop);

	if (!status)
		warn_failed(run);
	give_back(run);
	fz_stop_signal_release();
	return status;
}

static int choose_profile(struct run *run)
{
	return run->options.profile
		       ? fz_profile_find(&run->profile, run->options.profile)
		       : FZ_EXIT_DONE;
}

static int run_bench(struct run *run)
{
	int status = fz_bench_memories_plan(&run->memories, &run->options,
					    &run->machine);

	if (!status)
		status = choose_profile(run);
	if (!status)
		status = check_rows(run);
	if (!status)
		status = fz_bench_probe_choose(&run->probe, &run->options,
					       &run->machine);
	if (!status)
		status = fz_bench_cpus_choose(&run->cpus, &run->options,
					      run->hooks);
	if (!status)
		status = fz_bench_cpus_pin(&run->cpus, &run->options,
					   run->hooks);
	if (!status)
		status = fz_output_open(&run->output, run->options.output);
	if (!status)
		status = take_and_measure(run);
	if (!status)
		status = render(run);
	if (!status)
		status = fz_output_write(&run->output, run->document,
					 run->document_bytes);
	fz_output_close(&run->output);
	if (!status && !anything_measured(run))
		status = FZ_EXIT_CANNOT_RUN;
	return status;
}

static int cmd_bench(int argc, char **argv)
{
	struct run *run = calloc(1, sizeof(*run));
	char *command;
	int status;

	if (!run) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	command = fz_command_line(argc, argv);
	run->command = command ? command : "";
	run->hooks = &fz_hooks_default;
	run->output = FZ_OUTPUT_STDOUT;
	run->point_cost_ns = NAN;
	status = fz_bench_options_parse(&run->options, argc, argv);
	if (!status) {
		fz_machine_read(run->hooks, &run->machine);
		status = run_bench(run);
	}
	fz_bench_rows_fini(&run->rows);
	fz_probe_fini(&run->probe.found);
	fz_bench_options_fini(&run->options);
	free(run->document);
	free(command);
	free(run);
	fz_stop_signal_reraise();
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_bench = {
	.name = "bench",
	.summary = "measure ways of zeroing huge pages on real memory",
	.run = cmd_bench,
};
