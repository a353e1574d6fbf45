// SPDX-License-Identifier: GPL-2.0-or-later
/* `foliosim machine`: what a reader of a figure must know, to paste. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include <fz/hooks.h>
#include <fz/machine.h>

#include "command.h"
#include "machine_json.h"
#include "machine_text.h"
#include "options.h"
#include "view.h"

static const char help_text[] =
	"usage: foliosim machine [OPTION]...\n"
	"\n"
	"Print what decides how huge pages are zeroed here and how well that can\n"
	"be measured: one block to paste into a report. In parentheses: where a\n"
	"fact comes from.\n"
	"\n"
	"  --format FORMAT     text, json (default text)\n"
	"  --help              this text\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

enum option_id {
	OPT_FORMAT = 1,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static int write_json(FILE *out, const struct fz_machine *machine)
{
	json_t *object = fz_machine_json(machine);
	struct fz_view view;
	int code = object ? fz_view_begin(&view) : -ENOMEM;

	if (code)
		goto out;
	if (json_dumpf(object, view.stream, JSON_INDENT(2))) {
		fz_view_drop(&view);
		code = -ENOMEM;
		goto out;
	}
	fputc('\n', view.stream);
	code = fz_view_end(&view, out);
out:
	json_decref(object);
	return code;
}

static const struct {
	const char *name;
	int (*write)(FILE *out, const struct fz_machine *machine);
} formats[] = {
	{ "text", fz_machine_text },
	{ "json", write_json },
};

static const char *format_name_at(size_t i)
{
	return i < sizeof(formats) / sizeof(formats[0]) ? formats[i].name
							: NULL;
}

static int print_machine(size_t format)
{
	struct fz_machine *machine = malloc(sizeof(*machine));
	int code = machine ? 0 : -ENOMEM;

	if (machine) {
		fz_machine_read(&fz_hooks_default, machine);
		code = formats[format].write(stdout, machine);
	}
	free(machine);
	return code ? fz_output_failed(code) : FZ_EXIT_DONE;
}

static int machine_run(int argc, char **argv)
{
	size_t format = 0;
	int id;

	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return FZ_EXIT_DONE;
		}
		if (id == '?' ||
		    !fz_option_index("format", optarg, format_name_at, &format))
			return fz_usage("machine");
	}
	if (!fz_option_no_arguments(argc, argv))
		return fz_usage("machine");
	return print_machine(format);
}

const struct fz_command fz_command_machine = {
	.name = "machine",
	.summary = "facts about this machine, to paste into a report",
	.run = machine_run,
};
