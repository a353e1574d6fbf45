// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The C file that a policy is compiled from: the headers of policies, the shim,
 * the tree's definitions and a policy around them. Nothing else is included.
 */
#include "kpolicy_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kpolicy_texts.h"

static void write_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text))
			fprintf(out, "\\%03o", (unsigned char)*text);
		else
			fprintf(out, "%s%c", strchr("\"\\?", *text) ? "\\" : "",
				*text);
	}
	fputc('"', out);
}

static void write_position(FILE *out, size_t line, const char *root,
			   const char *name)
{
	char *path;

	if (asprintf(&path, "%s%s%s", root, *root ? "/" : "", name) < 0)
		return;
	fprintf(out, "#line %zu ", line + 1);
	write_string(out, path);
	fputc('\n', out);
	free(path);
}

/* Our headers stand one after the other, so that none need be found. */
static void write_own(FILE *out, const char *name, const char *text)
{
	static const char include[] = "#include <fz/";

	write_position(out, 0, "", name);
	while (*text) {
		const size_t length = strcspn(text, "\n");

		if (strncmp(text, include, sizeof(include) - 1) != 0)
			fwrite(text, 1, length, out);
		fputc('\n', out);
		text += length + (text[length] == '\n');
	}
}

static void define(FILE *out, const char *word)
{
	const char *value = strchr(word, '=');
	const int length = (int)(value ? (size_t)(value - word) : strlen(word));
	const char *prefix = strncmp(word, "CONFIG_", 7) == 0 ? "" : "CONFIG_";

	fprintf(out, "#undef %s%.*s\n", prefix, length, word);
	if (!value || strcmp(value, "=n") != 0)
		fprintf(out, "#define %s%.*s %s\n", prefix, length, word,
			!value || strcmp(value, "=y") == 0 ? "1" : value + 1);
}

static void write_config(FILE *out, const struct fz_kpolicy_code *code)
{
	static const char *const words[] = { "MMU", "TRANSPARENT_HUGEPAGE",
					     "HUGETLBFS", "HUGETLB_PAGE",
					     "SMP" };

	/* What is not for user space is wanted too. */
	fputs("#define __KERNEL__ 1\n", out);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		define(out, words[i]);
	if (!code->is_32bit)
		define(out, "64BIT");
	fprintf(out, "#define BITS_PER_LONG %d\n", code->is_32bit ? 32 : 64);
	fputs("#define CONFIG_", out);
	for (const char *at = code->arch; *at; at++)
		fputc(isalnum((unsigned char)*at) ? toupper((unsigned char)*at)
						  : '_',
		      out);
	fputs(" 1\n", out);
	if (strcmp(code->arch, "x86") == 0)
		define(out, code->is_32bit ? "X86_32" : "X86_64");
	for (size_t i = 0; i < code->nr_config; i++)
		define(out, code->config[i]);
}

static void write_lines(FILE *out, const struct fz_kernel_source *source,
			struct fz_kernel_lines lines)
{
	const size_t begin = source->lines[lines.first];
	const size_t end = source->lines[lines.first + lines.nr];

	fwrite(source->text + begin, 1, end - begin, out);
	if (end == begin || source->text[end - 1] != '\n')
		fputc('\n', out);
}

static void write_form(FILE *out, const struct fz_kernel_source *source,
		       const struct fz_kernel_chunk *chunk)
{
	if (chunk->form == FZ_KERNEL_VERBATIM)
		write_lines(out, source, chunk->lines);
	if (chunk->form == FZ_KERNEL_LEAF || chunk->form == FZ_KERNEL_LEAF_BOTH)
		fprintf(out, "FZ_ARCH_%s\n", chunk->name);
	if (chunk->form == FZ_KERNEL_LEAF_MACRO ||
	    chunk->form == FZ_KERNEL_LEAF_BOTH)
		fprintf(out, "#define %s %s\n", chunk->name, chunk->name);
}

/**
 * struct skeleton - a file that is being written
 * @out: to where
 * @source: the file
 * @root: of the tree, or "" if it is not the tree's
 * @wanted: [lines] the #if, #elif and #else that something stands under
 * @open: [depth] of the groups at this place: was it written?
 * @depth: their number
 */
struct skeleton {
	FILE *out;
	const struct fz_kernel_source *source;
	const char *root;
	bool *wanted;
	bool *open;
	size_t depth;
};

/* What is in no group is left to the compiler. */
static void follow(struct skeleton *skeleton, size_t line, bool writes)
{
	const enum fz_kernel_word word =
		fz_kernel_source_word(skeleton->source, line);
	bool is_written = skeleton->wanted[line];

	if (word == FZ_KERNEL_NONE || word == FZ_KERNEL_UNDEF)
		return;
	if (word == FZ_KERNEL_IF)
		skeleton->open[skeleton->depth++] = is_written || !writes;
	if (word == FZ_KERNEL_ENDIF)
		is_written =
			skeleton->depth && skeleton->open[--skeleton->depth];
	if (!is_written || !writes)
		return;
	write_position(skeleton->out, line, skeleton->root,
		       skeleton->source->name);
	write_lines(skeleton->out, skeleton->source,
		    fz_kernel_source_directive(skeleton->source, line));
}

/* Lines [at, end), of which none is chosen or, not `writes`, all are. */
static void follow_all(struct skeleton *skeleton, size_t at, size_t end,
		       bool writes)
{
	while (at < end) {
		follow(skeleton, at, writes);
		at += fz_kernel_source_directive(skeleton->source, at).nr;
	}
}

static void want_conditions(struct skeleton *skeleton, size_t line)
{
	const struct fz_kernel_source *source = skeleton->source;

	for (size_t at = source->under[line];
	     at != FZ_KERNEL_NO_LINE && !skeleton->wanted[at];
	     at = source->under[at])
		skeleton->wanted[at] = true;
}

static void write_chunk(struct skeleton *skeleton,
			const struct fz_kernel_chunk *chunk, size_t index)
{
	fprintf(skeleton->out, "\n#pragma " FZ_KPOLICY_PRAGMA " %zu\n", index);
	write_position(skeleton->out, chunk->lines.first, skeleton->root,
		       skeleton->source->name);
	write_form(skeleton->out, skeleton->source, chunk);
}

/*
 * A file's conditions and what was chosen of it, in its order and each once, so
 * that they say what they say there. Return: how many of [nr] are of this file.
 */
static size_t write_source(struct skeleton *skeleton,
			   const struct fz_kernel_closure *closure,
			   const size_t *order, size_t nr)
{
	const size_t source = closure->chunks[order[0]].source;
	size_t at = 0, mine = 0;

	while (mine < nr && closure->chunks[order[mine]].source == source)
		want_conditions(skeleton,
				closure->chunks[order[mine++]].lines.first);
	for (size_t i = 0; i < mine; i++) {
		const struct fz_kernel_chunk *chunk =
			&closure->chunks[order[i]];
		const size_t end = chunk->lines.first + chunk->lines.nr;

		/* Inside of one that was written. */
		if (chunk->lines.first < at)
			continue;
		follow_all(skeleton, at, chunk->lines.first, true);
		write_chunk(skeleton, chunk, order[i]);
		follow_all(skeleton, chunk->lines.first, end,
			   chunk->form != FZ_KERNEL_VERBATIM);
		at = end;
	}
	follow_all(skeleton, at, skeleton->source->nr_lines, true);
	return mine;
}

static int in_order(const void *a, const void *b, void *chunks)
{
	const struct fz_kernel_chunk *all = chunks;
	const struct fz_kernel_chunk *left = &all[*(const size_t *)a];
	const struct fz_kernel_chunk *right = &all[*(const size_t *)b];

	if (left->source != right->source)
		return left->source < right->source ? -1 : 1;
	return (left->lines.first > right->lines.first) -
	       (left->lines.first < right->lines.first);
}

/* In the order of files and lines. Return: false without memory. */
static bool write_chunks(FILE *out, const struct fz_kpolicy_code *code)
{
	const struct fz_kernel_closure *closure = code->closure;
	size_t *order = calloc(closure->nr_chunks + 1, sizeof(*order));
	bool failed = !order;

	for (size_t i = 0; i < closure->nr_chunks && !failed; i++)
		order[i] = i;
	if (!failed)
		qsort_r(order, closure->nr_chunks, sizeof(*order), in_order,
			closure->chunks);
	for (size_t i = 0; i < closure->nr_chunks && !failed;) {
		const struct fz_kernel_source *source =
			&code->tree->sources[closure->chunks[order[i]].source];
		struct skeleton skeleton = {
			.out = out,
			.source = source,
			.root = source->part == FZ_KERNEL_SPARE ||
						*source->name == '/'
					? ""
					: code->tree->root,
			.wanted = calloc(source->nr_lines + 1, sizeof(bool)),
			.open = calloc(source->nr_lines + 1, sizeof(bool)),
		};

		failed = !skeleton.wanted || !skeleton.open;
		if (!failed)
			i += write_source(&skeleton, closure, order + i,
					  closure->nr_chunks - i);
		free(skeleton.wanted);
		free(skeleton.open);
	}
	free(order);
	return !failed;
}

/* x86 kernels of 7.0 on are preemptible ones. */
static const char *models_of(const struct fz_kpolicy_code *code)
{
	return code->tree->major >= 7 && strcmp(code->arch, "x86") == 0
		       ? "FZ_PREEMPT_PREEMPTIBLE"
		       : "FZ_PREEMPT_ANY";
}

/* A policy's words have at most 200 bytes: of a long path, its end. */
static char *summary_of(const struct fz_kpolicy_code *code)
{
	const char *root = code->tree->root;
	const size_t most = 80, length = strlen(root);
	char *summary;

	if (asprintf(&summary, "%.50s of %s%s (%s)", code->entry->tag->name,
		     length > most ? "..." : "",
		     length > most ? root + length - most : root,
		     code->tree->version) < 0)
		return NULL;
	for (char *at = summary; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	return summary;
}

static void write_wrap(FILE *out, const struct fz_kpolicy_code *code)
{
	char *summary = summary_of(code);

	fprintf(out, "\n#define FZ_KERNEL_CALL %s\n", code->entry->call);
	fputs("#define FZ_KERNEL_NAME ", out);
	write_string(out, code->name);
	fputs("\n#define FZ_KERNEL_SUMMARY ", out);
	write_string(out, summary ? summary : code->entry->tag->name);
	fputs("\n#define FZ_KERNEL_VERSION ", out);
	write_string(out, code->tree->version);
	fprintf(out,
		"\n#define FZ_KERNEL_USES %s\n"
		"#define FZ_KERNEL_MODELS %s\n",
		code->entry->has_address ? "FZ_USES_FAULT" : "0",
		models_of(code));
	write_own(out, "kpolicy_wrap.c", text_kpolicy_wrap_c);
	free(summary);
}

void fz_kpolicy_code_write(FILE *out, const struct fz_kpolicy_code *code)
{
	fprintf(out, FZ_KPOLICY_MARK
		" of a kernel's source tree: what stands "
		"below #line with a\n"
		" * path of the tree is that tree's, and under its licence. "
		"Compile it alone, with\n"
		" * -shared -fPIC. */\n");
	write_config(out, code);
	write_own(out, "fz/err.h", text_err_h);
	write_own(out, "fz/preempt.h", text_preempt_h);
	write_own(out, "fz/range.h", text_range_h);
	write_own(out, "fz/plan.h", text_plan_h);
	write_own(out, "fz/policy.h", text_policy_h);
	write_own(out, "kpolicy_shim.h", text_kpolicy_shim_h);
	/* No string: nothing is escaped in it. */
	if (code->shim)
		fprintf(out, "#line 1 \"--shim\"\n#include \"%s\"\n",
			code->shim);
	/* Half of it would be something else. */
	if (!write_chunks(out, code))
		fputs("#error out of memory\n", out);
	write_wrap(out, code);
}
