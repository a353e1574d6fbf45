// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim trace generate: a trace that nobody recorded. */
#include <errno.h>

#include <fz/generated.h>

#include "cmd_trace.h"
#include "options.h"
#include "stop_signal.h"
#include "trace_copy.h"
#include "trace_generate_options.h"

static int generate(const struct fz_generate_options *options)
{
	struct fz_generated *generated;
	struct fz_err err;
	int status = fz_generated_open(&generated, options->generator,
				       &options->params, &err);

	if (status) {
		fz_complain("cannot generate '%s': %s",
			    options->generator->name, err.msg);
		return status == -ENOMEM ? FZ_EXIT_FAILED
					 : fz_usage("trace generate");
	}
	status = fz_trace_copy(fz_generated_source(generated), options->format,
			       options->output);
	fz_generated_close(generated);
	fz_stop_signal_reraise();
	return status;
}

static int cmd_trace_generate(int argc, char **argv)
{
	struct fz_generate_options options;
	const int status = fz_generate_options_parse(&options, argc, argv);

	if (status)
		return status < 0 ? FZ_EXIT_DONE : status;
	return generate(&options);
}

const struct fz_command fz_trace_command_generate = {
	.name = "generate",
	.summary = "make up the faults of an access pattern",
	.run = cmd_trace_generate,
};
