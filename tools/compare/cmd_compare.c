// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim compare: read result documents, compare them, print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line.h"
#include "compare.h"
#include "compare_options.h"
#include "output.h"

/* Everything of one comparison, so that one function can give it all back. */
struct comparison {
	struct fz_compare_options options;
	struct fz_document *documents[FZ_COMPARE_MAX_SIDES];
	struct fz_side sides[FZ_COMPARE_MAX_SIDES];
	struct fz_compare compare;
	struct fz_output output;
	char *text;
	size_t bytes;
};

/* A copy would be taken for a run that came out exactly alike. */
static int check_copies(const struct fz_list *files,
			const struct fz_document *documents)
{
	for (size_t i = 0; i < files->nr; i++)
		for (size_t j = 0; j < i; j++)
			if (fz_document_is_same(&documents[j], &documents[i])) {
				fz_complain("'%s' and '%s' are the same "
					    "measurement: give each run once",
					    files->words[j], files->words[i]);
				return FZ_EXIT_FAILED;
			}
	return FZ_EXIT_DONE;
}

static int read_side(struct comparison *c, size_t index)
{
	const struct fz_list *files = &c->options.sides[index];
	struct fz_err err = { "" };

	c->documents[index] = calloc(files->nr, sizeof(*c->documents[index]));
	if (!c->documents[index]) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	c->sides[index].documents = c->documents[index];
	for (size_t i = 0; i < files->nr; i++) {
		c->sides[index].nr++;
		if (fz_document_read(&c->documents[index][i], files->words[i],
				     &err)) {
			fz_complain("%s", err.msg);
			return FZ_EXIT_FAILED;
		}
	}
	return check_copies(files, c->documents[index]);
}

static int compare_sides(struct comparison *c)
{
	struct fz_err err = { "" };

	c->compare.sides = c->sides;
	c->compare.nr_sides = c->options.nr_sides;
	c->compare.between_runs = c->options.between_runs;
	if (!fz_compare_make(&c->compare, &err))
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static int print(const struct comparison *c, FILE *out)
{
	switch (c->options.format) {
	case FZ_FORMAT_JSON:
		return fz_compare_json(out, &c->compare);
	case FZ_FORMAT_CSV:
		return fz_compare_csv(out, &c->compare);
	case FZ_FORMAT_COMMIT:
		return fz_compare_commit(out, &c->compare);
	case FZ_FORMAT_TEXT:
		break;
	}
	return fz_compare_text(out, &c->compare);
}

static int render(struct comparison *c)
{
	FILE *out = open_memstream(&c->text, &c->bytes);
	bool failed = !out || print(c, out);

	failed |= out && fclose(out);
	if (!failed)
		return FZ_EXIT_DONE;
	fz_complain("cannot make the comparison: out of memory");
	return FZ_EXIT_FAILED;
}

/* The file is opened last: a comparison that fails leaves it alone. */
static int write_text(struct comparison *c)
{
	int status = fz_output_open(&c->output, c->options.output);

	if (!status)
		status = fz_output_write(&c->output, c->text, c->bytes);
	fz_output_close(&c->output);
	return status;
}

static int run(struct comparison *c)
{
	int status = FZ_EXIT_DONE;

	for (size_t i = 0; i < c->options.nr_sides && !status; i++)
		status = read_side(c, i);
	if (!status)
		status = compare_sides(c);
	if (!status)
		status = render(c);
	return status ? status : write_text(c);
}

static void fini(struct comparison *c)
{
	fz_compare_fini(&c->compare);
	for (size_t side = 0; side < c->options.nr_sides; side++) {
		for (size_t i = 0; i < c->sides[side].nr; i++)
			fz_document_fini(&c->documents[side][i]);
		free(c->documents[side]);
	}
	fz_compare_options_fini(&c->options);
	free(c->text);
	free(c);
}

static int cmd_compare(int argc, char **argv)
{
	struct comparison *c = calloc(1, sizeof(*c));
	char *command = fz_command_line(argc, argv);
	int status;

	if (!c) {
		free(command);
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	c->output = FZ_OUTPUT_STDOUT;
	c->compare.command = command ? command : "";
	status = fz_compare_options_parse(&c->options, argc, argv);
	if (!status)
		status = run(c);
	fini(c);
	free(command);
	return status < 0 ? FZ_EXIT_DONE : status;
}

const struct fz_command fz_command_compare = {
	.name = "compare",
	.summary =
		"compare results of bench, honestly about what runs differ by",
	.run = cmd_compare,
};
