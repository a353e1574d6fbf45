// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim kpolicy: a policy of what a kernel's source tree does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "kernel_closure.h"
#include "kernel_entry.h"
#include "kernel_tags.h"
#include "kernel_tree.h"
#include "kpolicy_code.h"
#include "kpolicy_compile.h"
#include "kpolicy_files.h"
#include "kpolicy_notes.h"
#include "kpolicy_options.h"
#include "kpolicy_table.h"
#include "options.h"
#include "stop_signal.h"

/* Everything of one run, so that one function can give it all back. */
struct run {
	struct fz_kpolicy_options options;
	struct fz_kernel_tree tree;
	struct fz_kernel_tags tags;
	struct fz_kernel_entry entry;
	struct fz_kernel_closure closure;
	struct fz_kpolicy_files files;
	char *shim; /* the user's, wherever the C file stands */
	char *text; /* of the C file */
	size_t text_bytes;
	char *messages; /* of the compiler */
};

/* As in NAME=n. */
static bool is_taken_away(const char *word)
{
	const char *value = strchr(word, '=');

	return value && strcmp(value, "=n") == 0;
}

/* Does --config set a word that begins so? */
static bool sets(const struct fz_kpolicy_options *options, const char *begin)
{
	for (size_t i = 0; options->has_config && i < options->config.nr; i++) {
		const char *word = options->config.words[i];

		if (strncmp(word, "CONFIG_", 7) == 0)
			word += 7;
		if (strncmp(word, begin, strlen(begin)) == 0 &&
		    !is_taken_away(word))
			return true;
	}
	return false;
}

/* Programs that are missing are no failure. */
static int complain(const struct fz_err *err, int status)
{
	fz_complain("%s", err->msg);
	return status;
}

static int read_tree(struct run *run)
{
	struct fz_kpolicy_options *o = &run->options;
	struct fz_err err = { "" };
	int code;

	o->tree.is_32bit = sets(o, "HIGHMEM") || sets(o, "X86_32");
	if (fz_kernel_tree_open(&run->tree, &o->tree, &err))
		return complain(&err, FZ_EXIT_FAILED);
	code = fz_kernel_tags_read(&run->tags, run->tree.sources,
				   run->tree.nr_sources, &err);
	if (!code && fz_kpolicy_compiler_check(&err))
		code = -ENOENT;
	if (code)
		return complain(&err, code == -ENOENT ? FZ_EXIT_CANNOT_RUN
						      : FZ_EXIT_FAILED);
	if (fz_kernel_entry_find(&run->entry, &run->tree, &run->tags,
				 o->function, &err))
		return complain(&err, FZ_EXIT_FAILED);
	if (fz_kernel_closure_init(&run->closure, &run->tree, &run->tags,
				   run->entry.tag)) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	return FZ_EXIT_DONE;
}

/* In memory, and then to its file. */
static int write_code(struct run *run)
{
	const struct fz_kpolicy_options *o = &run->options;
	const struct fz_kpolicy_code code = {
		.tree = &run->tree,
		.closure = &run->closure,
		.entry = &run->entry,
		.name = run->files.name,
		.arch = o->tree.arch,
		.is_32bit = o->tree.is_32bit,
		.config = o->config.words,
		.nr_config = o->has_config ? o->config.nr : 0,
		.shim = run->shim,
	};
	FILE *out = open_memstream(&run->text, &run->text_bytes);
	struct fz_err err = { "" };
	bool failed = !out;

	if (out) {
		fz_kpolicy_code_write(out, &code);
		failed = ferror(out);
		failed |= fclose(out) != 0;
	}
	if (failed) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	return fz_kpolicy_files_write(&run->files, run->text, run->text_bytes,
				      &err)
		       ? complain(&err, FZ_EXIT_FAILED)
		       : FZ_EXIT_DONE;
}

static int compile(struct run *run)
{
	struct fz_err err = { "" };
	int code = fz_kpolicy_preprocess(run->files.new_source, &run->closure,
					 &run->messages, &err);

	if (!code) {
		free(run->messages);
		code = fz_kpolicy_compile(run->files.new_source,
					  run->files.new_object, &run->closure,
					  &run->messages, &err);
	}
	if (!code)
		code = fz_kpolicy_files_commit(&run->files, &err);
	else if (*fz_stop_signal())
		return FZ_EXIT_FAILED;
	else if (run->messages)
		fputs(run->messages, stderr);
	return code ? complain(&err, FZ_EXIT_FAILED) : FZ_EXIT_DONE;
}

/* #if has one answer, and a policy is asked for every model. */
static void note_model(const struct run *run)
{
	size_t line;
	const struct fz_kernel_source *source =
		fz_kernel_closure_asks_model(&run->closure, &line);

	if (source && !sets(&run->options, "PREEMPT"))
		fz_complain("note: %s:%zu lets the preprocessor ask for the "
			    "preemption model, which it is not told: set it by "
			    "--config for plans of that model only",
			    source->name, line + 1);
}

/* It is included from wherever the C file stands. */
static bool find_shim(struct run *run)
{
	const char *path = run->options.tree.shim;

	if (!path)
		return true;
	run->shim = realpath(path, NULL);
	if (!run->shim) {
		fz_complain("cannot read '%s': %s", path, strerror(errno));
		return false;
	}
	if (!strpbrk(run->shim, "\"\\\n"))
		return true;
	fz_complain("cannot include '%s': its path has quotes or backslashes",
		    path);
	return false;
}

static int make(struct run *run)
{
	const char *const output = run->options.output;
	struct fz_err err = { "" };
	int status;

	if (!find_shim(run))
		return FZ_EXIT_FAILED;
	status = read_tree(run);
	if (status)
		return status;
	if (fz_kpolicy_files_init(&run->files, output, run->entry.tag->name,
				  run->tree.root, &err))
		return complain(&err, FZ_EXIT_FAILED);
	status = write_code(run);
	if (!status)
		status = compile(run);
	if (!status) {
		fz_kpolicy_table(stdout, &run->tree, &run->closure, &run->files,
				 run->entry.has_address);
		note_model(run);
		fz_kpolicy_note_leaves(&run->closure);
	}
	return status;
}

static int cmd_kpolicy(int argc, char **argv)
{
	struct run *run = calloc(1, sizeof(*run));
	int status;

	if (!run) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	status = fz_kpolicy_options_parse(&run->options, argc, argv);
	if (!status && !run->options.help)
		status = make(run);
	fz_kpolicy_files_fini(&run->files);
	fz_kernel_closure_fini(&run->closure);
	fz_kernel_tags_fini(&run->tags);
	fz_kernel_tree_close(&run->tree);
	fz_kpolicy_options_fini(&run->options);
	free(run->shim);
	free(run->text);
	free(run->messages);
	free(run);
	/* Programs that were run have held signals back. */
	fz_stop_signal_release();
	fz_stop_signal_reraise();
	return status;
}

const struct fz_command fz_command_kpolicy = {
	.name = "kpolicy",
	.summary = "make a policy of a kernel's source tree",
	.run = cmd_kpolicy,
};
