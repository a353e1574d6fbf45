// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim calibrate: measure this machine's profile. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/calibrate.h>
#include <fz/folio.h>
#include <fz/places.h>
#include <fz/stream_choice.h>

#include "bench_memory.h"
#include "calibrate_options.h"
#include "calibrate_text.h"
#include "command.h"
#include "memory_available.h"
#include "output.h"
#include "profile_json.h"
#include "progress.h"
#include "stop_signal.h"

#define PROFILE_NAME "this-machine"

/* A buffer beside which caches are small, where there is time to dirty it. */
#define COLD_BYTES     ((uint64_t)256 << 20)
#define MIN_COLD_BYTES ((uint64_t)64 << 20)
#define FOLIO_BYTES    ((uint64_t)2 << 20)
/* Of the memory that is to be had. */
#define MEMORY_SHARE 4u

/* Everything of one run, so that one function can give it all back. */
struct run {
	struct fz_calibrate_options options;
	const struct fz_hooks *hooks;
	struct fz_machine machine;
	const struct fz_clear *clears[FZ_PROFILE_MAX_CLEARS]; /* [nr_clears] */
	size_t nr_clears;
	struct fz_cpu_list cpus;
	struct fz_bench_memories memories;
	struct fz_bench bench;
	bool has_bench;
	struct fz_calibrated_on on;
	struct fz_progress progress;
	struct fz_calibration *calibration;
	struct fz_output output;
};

static bool is_chosen(const struct run *run, const struct fz_clear *clear)
{
	const struct fz_bench_options *o = &run->options.bench;

	for (size_t i = 0; i < o->nr_clears; i++)
		if (o->clears[i] == clear)
			return true;
	return !o->nr_clears;
}

static void add_clear(struct run *run, const struct fz_clear *clear)
{
	for (size_t i = 0; i < run->nr_clears; i++)
		if (run->clears[i] == clear)
			return;
	if (clear && is_chosen(run, clear) &&
	    !fz_clear_why_unsupported(clear) &&
	    run->nr_clears < FZ_PROFILE_MAX_CLEARS)
		run->clears[run->nr_clears++] = clear;
}

static void note_unsupported(const struct run *run)
{
	const struct fz_bench_options *o = &run->options.bench;

	for (size_t i = 0; i < o->nr_clears; i++) {
		const char *why = fz_clear_why_unsupported(o->clears[i]);

		if (why)
			fprintf(stderr,
				"foliosim: warning: '%s' is left out: %s\n",
				o->clears[i]->name, why);
	}
}

/* The first of each kind prices steps: what the kernel takes, and what bench
 * would stream with. */
static void choose_clears(struct run *run, const struct fz_clear *stream)
{
	run->nr_clears = 0;
	add_clear(run, run->machine.kernel_clear);
	add_clear(run, stream);
	for (size_t i = 0; fz_clears[i]; i++)
		add_clear(run, fz_clears[i]);
}

/* One core each. */
static int choose_cpus(struct run *run)
{
	const struct fz_cpu_choice choice = {
		.nr_threads = run->machine.topology.nr_cores
				      ? run->machine.topology.nr_cores
				      : 1,
		.here = run->hooks->cpu(run->hooks->state),
	};
	struct fz_places *places = NULL;
	struct fz_err err = { "" };
	int code = fz_places_open(&places, &err);

	if (!code)
		code = fz_places_choose(places, &choice, &run->cpus, &err);
	fz_places_close(places);
	if (code) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	if (run->cpus.nr > FZ_MAX_THREADS)
		run->cpus.nr = FZ_MAX_THREADS;
	code = run->hooks->pin(run->hooks->state, run->cpus.cpu[0]);
	if (code)
		fprintf(stderr, "foliosim: note: cannot pin to CPU %u: %s\n",
			run->cpus.cpu[0], strerror(-code));
	return FZ_EXIT_DONE;
}

static uint64_t longest_extent(const struct run *run)
{
	uint64_t max = fz_memory_available(run->hooks) / MEMORY_SHARE;

	if (run->options.max_extent_bytes &&
	    run->options.max_extent_bytes < max)
		max = run->options.max_extent_bytes;
	return fz_calibrate_extent(run->options.budget_ns, run->nr_clears, max);
}

/* Holds the longest call, and as much more as there is time for. */
static uint64_t buffer_bytes(const struct run *run)
{
	uint64_t bytes =
		fz_calibrate_extent(run->options.budget_ns, 1, COLD_BYTES);

	if (bytes < MIN_COLD_BYTES)
		bytes = MIN_COLD_BYTES;
	return bytes > run->on.max_extent_bytes ? bytes
						: run->on.max_extent_bytes;
}

/* hugetlb pages if there are enough, else THP, else base pages. */
static int open_memory(struct run *run)
{
	struct fz_bench_options options = {
		.use = FZ_USE_NONE,
		.reserve = run->options.bench.reserve,
		.bytes = run->on.bytes,
	};
	int status =
		fz_bench_memories_plan(&run->memories, &options, &run->machine);

	if (status)
		return status;
	fz_bench_memories_open(&run->memories, &options, run->hooks,
			       &run->machine, run->cpus.cpu);
	if (run->memories.memory[0].buffers)
		return FZ_EXIT_DONE;
	fz_bench_memories_close(&run->memories);
	fprintf(stderr, "foliosim: note: measuring on 4K pages instead\n");
	options.pages[0] =
		(struct fz_page_size){ FZ_PAGES_BASE, FZ_PAGE_BYTES };
	options.nr_pages = 1;
	status =
		fz_bench_memories_plan(&run->memories, &options, &run->machine);
	if (!status)
		fz_bench_memories_open(&run->memories, &options, run->hooks,
				       &run->machine, run->cpus.cpu);
	if (!status && !run->memories.memory[0].buffers)
		status = FZ_EXIT_CANNOT_RUN;
	return status;
}

static int open_bench(struct run *run, const atomic_int *stop)
{
	struct fz_buffer *buffer = run->memories.memory[0].buffers[0];
	const uint64_t page_bytes = fz_buffer_page(buffer).bytes;
	struct fz_err err = { "" };

	run->on.page = fz_buffer_page(buffer);
	run->on.backing = fz_buffer_backing(buffer);
	if (fz_bench_open(
		    &run->bench, run->hooks, run->options.bench.seed,
		    (page_bytes > FOLIO_BYTES ? page_bytes : FOLIO_BYTES) >>
			    FZ_PAGE_SHIFT,
		    &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	run->has_bench = true;
	run->bench.stop = stop;
	return FZ_EXIT_DONE;
}

static void show_progress(void *state, uint64_t done_ns, uint64_t total_ns,
			  const char *what)
{
	fz_progress_show(state, done_ns, total_ns, what);
}

static int calibrate(struct run *run)
{
	struct fz_buffer *buffer = run->memories.memory[0].buffers[0];
	struct fz_calibrate_params params = {
		.clears = run->clears,
		.buffer = buffer,
		.max_extent_bytes = run->on.max_extent_bytes,
		.machine = &run->machine,
		.cpus = run->cpus.cpu,
		.nr_cpus = (unsigned int)run->cpus.nr,
		.budget_ns = run->options.budget_ns,
		.progress = show_progress,
		.progress_state = &run->progress,
	};
	struct fz_err err = { "" };
	bool measured;
	int code;

	choose_clears(run, fz_stream_choice(run->hooks, buffer, &measured));
	params.nr_clears = run->nr_clears;
	fz_progress_init(&run->progress);
	code = fz_calibrate(run->calibration, &run->bench, &params, &err);
	fz_progress_end(&run->progress);
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static void give_back(struct run *run)
{
	fz_bench_memories_close(&run->memories);
	if (run->has_bench)
		fz_bench_close(&run->bench);
}

/* Signals wait until memory is given back. */
static int take_and_calibrate(struct run *run)
{
	const atomic_int *stop = fz_stop_signal_catch();
	int status = open_memory(run);

	if (!status)
		status = open_bench(run, stop);
	if (!status)
		status = calibrate(run);
	give_back(run);
	fz_stop_signal_release();
	return status;
}

static void describe(struct fz_profile *profile,
		     const struct fz_machine *machine)
{
	const char *from = machine->cpu[0] ? machine->cpu : "unknown CPU";
	size_t used = 0;

	strcpy(profile->name, PROFILE_NAME);
	for (; from[0] && used < sizeof(profile->cpu) - 1; from++)
		profile->cpu[used++] =
			*from >= ' ' && *from <= '~' ? *from : '?';
	profile->cpu[used] = '\0';
}

static int print_document(FILE *out, const struct run *run)
{
	struct fz_profile_document *document = calloc(1, sizeof(*document));
	int code;

	if (!document)
		return -ENOMEM;
	document->profile = run->calibration->profile;
	describe(&document->profile, &run->machine);
	code = fz_profile_print(out, document);
	free(document);
	return code;
}

/* Made in memory, and written only when it is whole. */
static int write_view(struct run *run, struct fz_output *output, bool json)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int code = -ENOMEM;
	int status = FZ_EXIT_FAILED;

	if (out) {
		code = json ? print_document(out, run)
			    : fz_calibrate_text(out, run->calibration,
						&run->machine, &run->on);
		if (fclose(out) && !code)
			code = -ENOMEM;
	}
	if (code)
		fz_complain("cannot make the result: %s", strerror(-code));
	else
		status = fz_output_write(output, text, bytes);
	free(text);
	return status;
}

static int write_views(struct run *run)
{
	struct fz_output standard = FZ_OUTPUT_STDOUT;
	const bool json = run->options.json_file ||
			  run->options.bench.format == FZ_FORMAT_JSON;
	int status = write_view(run, &run->output, json);

	if (!status && run->options.json_file)
		status = write_view(run, &standard, false);
	return status;
}

static int run_calibrate(struct run *run)
{
	int status;

	note_unsupported(run);
	choose_clears(run, NULL);
	if (!run->nr_clears) {
		fz_complain("none of these primitives can run here");
		return FZ_EXIT_CANNOT_RUN;
	}
	run->on.max_extent_bytes = longest_extent(run);
	run->on.bytes = buffer_bytes(run);
	status = choose_cpus(run);
	if (!status)
		status =
			fz_output_open(&run->output, run->options.bench.output);
	if (!status)
		status = take_and_calibrate(run);
	if (!status)
		status = write_views(run);
	fz_output_close(&run->output);
	return status;
}

static int cmd_calibrate(int argc, char **argv)
{
	struct run *run = calloc(1, sizeof(*run));
	int status = FZ_EXIT_FAILED;

	if (run)
		run->calibration = calloc(1, sizeof(*run->calibration));
	if (run && run->calibration) {
		run->hooks = &fz_hooks_default;
		run->output = FZ_OUTPUT_STDOUT;
		status = fz_calibrate_options_parse(&run->options, argc, argv);
		if (!status) {
			fz_machine_read(run->hooks, &run->machine);
			status = run_calibrate(run);
		}
		free(run->calibration);
	} else {
		fz_complain("out of memory");
	}
	free(run);
	fz_stop_signal_reraise();
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_calibrate = {
	.name = "calibrate",
	.summary = "measure this machine's profile: prices of clear calls",
	.run = cmd_calibrate,
};
