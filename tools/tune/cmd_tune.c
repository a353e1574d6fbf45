// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim tune: how much to clear between two resched points. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/machine.h>
#include <fz/units.h>

#include "bench_cpus.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "shipped_profiles.h"
#include "stop_signal.h"
#include "tune_measure.h"
#include "tune_predict.h"

/* What kernels clear in more than one batch. */
#define PREDICTED_FOLIO_BYTES ((uint64_t)1 << 30)

/* Everything of one run, so that one function can give it all back. */
struct run {
	struct fz_tune_options options;
	const struct fz_hooks *hooks;
	struct fz_machine machine;
	struct fz_profile_document profile;
	struct fz_bench_cpus cpus;
	struct fz_tune_measure measure;
	struct fz_tune tune;
	struct fz_output output;
	char *document;
	size_t document_bytes;
};

static int check_batches(const struct run *run)
{
	const struct fz_bench_options *o = &run->options.bench;
	char batch[FZ_FORMAT_BYTES], folio[FZ_FORMAT_BYTES];

	for (size_t i = 0; i < o->nr_batches; i++) {
		const uint64_t bytes = o->batches[i] << FZ_PAGE_SHIFT;

		if (bytes <= run->tune.folio_bytes)
			continue;
		fz_format_bytes(batch, sizeof(batch), bytes);
		fz_format_bytes(folio, sizeof(folio), run->tune.folio_bytes);
		fz_complain("--batches: %s is more than the folio of %s", batch,
			    folio);
		return FZ_EXIT_USAGE;
	}
	return FZ_EXIT_DONE;
}

/* Sizes, before anything is taken. */
static int plan(struct run *run)
{
	struct fz_bench_options *o = &run->options.bench;
	const struct fz_bench_memory *memory = &run->measure.memories.memory[0];
	int status = fz_bench_memories_plan(&run->measure.memories, o,
					    &run->machine);

	if (status)
		return status;
	run->tune.folio_bytes = memory->folio_bytes;
	if (run->options.profile && !o->nr_pages && !o->folio_bytes)
		run->tune.folio_bytes = PREDICTED_FOLIO_BYTES;
	return check_batches(run);
}

/* Signals wait until memory is given back and what was found is written. */
static int sample(struct run *run, struct fz_tune_source source)
{
	struct fz_err err = { "" };
	const int code = fz_tune_run(&run->tune, source, &err);

	run->tune.partial = code == -EINTR;
	if (!code || run->tune.partial)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static int measure(struct run *run)
{
	const atomic_int *stop;
	int status = fz_bench_cpus_choose(&run->cpus, &run->options.bench,
					  run->hooks);

	if (!status)
		status = fz_bench_cpus_pin(&run->cpus, &run->options.bench,
					   run->hooks);
	if (status)
		return status;
	stop = fz_stop_signal_catch();
	status = fz_tune_measure_open(&run->measure, &run->tune, run->hooks,
				      run->cpus.cpu, stop);
	if (!status)
		status = check_batches(run);
	if (!status) {
		fz_tune_measure_curves(&run->tune);
		status = sample(run, fz_tune_measure_source(&run->measure));
	}
	fz_tune_measure_close(&run->measure);
	fz_stop_signal_release();
	return status;
}

static int predict(struct run *run)
{
	run->tune.profile = &run->profile.profile;
	fz_tune_predict_curves(&run->tune);
	return sample(run, fz_tune_predict_source());
}

/* The document is made in memory, and written only when it is whole. */
static int render(struct run *run)
{
	FILE *out = open_memstream(&run->document, &run->document_bytes);
	int code = out ? 0 : -ENOMEM;

	if (!code)
		code = run->options.bench.format == FZ_FORMAT_JSON
			       ? fz_tune_json(out, &run->tune)
			       : fz_tune_text(out, &run->tune);
	if (out && fclose(out) && !code)
		code = -errno;
	if (code)
		fz_complain("cannot make the result: %s", strerror(-code));
	return code ? FZ_EXIT_FAILED : FZ_EXIT_DONE;
}

static bool has_curve(const struct fz_tune *tune)
{
	for (size_t i = 0; i < tune->nr_curves; i++)
		if (tune->curves[i].nr)
			return true;
	return false;
}

static int run_tune(struct run *run)
{
	int status = plan(run);

	if (!status && run->options.profile)
		status = fz_profile_find(&run->profile, run->options.profile);
	if (!status)
		status =
			fz_output_open(&run->output, run->options.bench.output);
	if (!status)
		status = run->options.profile ? predict(run) : measure(run);
	if (!status)
		status = render(run);
	if (!status)
		status = fz_output_write(&run->output, run->document,
					 run->document_bytes);
	fz_output_close(&run->output);
	if (!status && !has_curve(&run->tune))
		status = FZ_EXIT_CANNOT_RUN;
	return status;
}

static int cmd_tune(int argc, char **argv)
{
	struct run *run = calloc(1, sizeof(*run));
	char *command;
	int status;

	if (!run) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	command = fz_command_line(argc, argv);
	run->hooks = &fz_hooks_default;
	run->output = FZ_OUTPUT_STDOUT;
	run->tune.command = command ? command : "";
	run->tune.options = &run->options;
	run->tune.machine = &run->machine;
	status = fz_tune_options_parse(&run->options, argc, argv);
	if (!status) {
		fz_machine_read(run->hooks, &run->machine);
		status = run_tune(run);
	}
	free(run->document);
	free(command);
	free(run);
	fz_stop_signal_reraise();
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_tune = {
	.name = "tune",
	.summary = "how much to clear between two resched points",
	.run = cmd_tune,
};
