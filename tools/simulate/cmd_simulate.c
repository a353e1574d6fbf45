// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim simulate: a workload on many CPUs of a machine that is a profile. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line.h"
#include "output.h"
#include "simulation.h"
#include "stop_signal.h"

static int print(FILE *out, const struct fz_simulation *s)
{
	switch (s->options.replay.bench.format) {
	case FZ_FORMAT_JSON:
		return fz_simulation_json(out, s);
	case FZ_FORMAT_CSV:
		return fz_simulation_csv(out, s);
	default:
		break;
	}
	return fz_simulation_text(out, s);
}

/* The document is made in memory, and written only when it is whole. */
static int write_document(const struct fz_simulation *s,
			  struct fz_output *output)
{
	char *document = NULL;
	size_t bytes;
	FILE *out = open_memstream(&document, &bytes);
	int code = out ? print(out, s) : -ENOMEM;
	int status = FZ_EXIT_FAILED;

	if (out && fclose(out) && !code)
		code = -errno;
	if (code)
		fz_complain("cannot make the result: %s", strerror(-code));
	else
		status = fz_output_write(output, document, bytes);
	free(document);
	return status;
}

static void warn_unsupported(const struct fz_simulation *s)
{
	for (size_t i = 0; i < s->nr_rows; i++)
		if (s->rows[i].status == FZ_SIMULATED_UNSUPPORTED)
			fz_complain("warning: %s is not simulated: %s",
				    s->rows[i].policy->name, s->rows[i].reason);
}

static bool anything_done(const struct fz_simulation *s)
{
	for (size_t i = 0; i < s->nr_rows; i++)
		if (fz_simulated_has_figures(&s->rows[i]))
			return true;
	return s->partial;
}

/* Everything that can be wrong before the first row. */
static int prepare(struct fz_simulation *s, struct fz_output *output,
		   const atomic_int *stop)
{
	int status = fz_simulation_find_profile(s);

	if (!status)
		status = fz_simulation_make_rows(s);
	if (!status)
		status = fz_simulation_find_workload(s, stop);
	if (!status)
		status = fz_simulation_check_profile(s);
	if (!status)
		status = fz_output_open(output, s->options.replay.bench.output);
	return status;
}

/* What was simulated is written also where the timeline could not be. */
static int write_result(const struct fz_simulation *s, struct fz_output *output,
			int status)
{
	int wrote;

	if (status && !anything_done(s))
		return status;
	warn_unsupported(s);
	wrote = write_document(s, output);
	if (!status)
		status = wrote;
	return status || anything_done(s) ? status : FZ_EXIT_CANNOT_RUN;
}

/* Signals wait until files are whole. */
static int simulate(struct fz_simulation *s)
{
	struct fz_output output = FZ_OUTPUT_STDOUT;
	const atomic_int *stop = fz_stop_signal_catch();
	int status = prepare(s, &output, stop);
	const bool ready = !status;

	if (ready)
		status = fz_simulation_run(s, stop);
	fz_stop_signal_release();
	if (ready)
		status = write_result(s, &output, status);
	fz_output_close(&output);
	return status;
}

static int cmd_simulate(int argc, char **argv)
{
	struct fz_simulation *s = calloc(1, sizeof(*s));
	char *command;
	int status;

	if (!s) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	/* Before getopt_long() sorts the arguments. */
	command = fz_command_line(argc, argv);
	s->command = command ? command : "";
	status = fz_simulate_options_parse(&s->options, argc, argv);
	if (!status)
		status = simulate(s);
	fz_simulation_fini(s);
	fz_bench_options_fini(&s->options.replay.bench);
	free(command);
	free(s);
	fz_stop_signal_reraise();
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_simulate = {
	.name = "simulate",
	.summary = "many CPUs that fault and wake each other, from a profile",
	.run = cmd_simulate,
};
