// SPDX-License-Identifier: GPL-2.0-or-later
/* The user's C compiler. */
#include "kpolicy_compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captured.h"
#include "child.h"
#include "kpolicy_code.h"
#include "kpolicy_notes.h"

#define MAX_WORDS 64

/**
 * struct command - the words of a compiler's command line
 * @argv: [nr], then NULL
 * @nr: their number
 * @text: what those of CC point into
 */
struct command {
	const char *argv[MAX_WORDS + 1];
	size_t nr;
	char *text;
};

static void add(struct command *command, const char *word)
{
	if (command->nr < MAX_WORDS)
		command->argv[command->nr++] = word;
}

/* Its messages are read, so they are in English; CC may have options. */
static int begin(struct command *command)
{
	const char *cc = getenv("CC");
	char *rest, *word;

	*command = (struct command){ .nr = 0 };
	if (!cc || !cc[strspn(cc, " ")])
		cc = "cc";
	rest = command->text = strdup(cc);
	if (!rest)
		return -ENOMEM;
	add(command, "env");
	add(command, "LC_ALL=C");
	while ((word = strsep(&rest, " ")))
		if (*word)
			add(command, word);
	return 0;
}

static int out_of_memory(struct fz_err *err)
{
	return fz_err_set(err, -ENOMEM, "out of memory");
}

int fz_kpolicy_compiler_check(struct fz_err *err)
{
	struct command command;
	int code = begin(&command);

	if (code)
		return out_of_memory(err);
	code = fz_child_check(command.argv[2]);
	if (code)
		code = fz_err_set(err, -ENOENT,
				  "there is no C compiler '%s': set CC, or "
				  "apt-get install gcc libc6-dev",
				  command.argv[2]);
	free(command.text);
	return code;
}

/* "FILE:LINE:COLUMN: error: TEXT": where TEXT begins in the first, or NULL. */
static const char *first_error(const char *messages, const char **line)
{
	const char *error = strstr(messages, "error: ");

	if (!error)
		return NULL;
	*line = error;
	while (*line > messages && (*line)[-1] != '\n')
		--*line;
	return error + strlen("error: ");
}

/* The name that such a text says is missing; NULL for other errors. */
static const char *missing_name(const char *text, size_t *length)
{
	static const char *const phrases[] = {
		"implicit declaration of function",
		"undeclared",
		"undeclared identifier",
		"call to undeclared function",
		"unknown type name",
		"invalid use of undefined type",
		"incomplete type",
	};
	const size_t line = strcspn(text, "\n");
	const char *quote = memchr(text, '\'', line);
	const char *end;

	if (!quote)
		return NULL;
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		const char *phrase = strstr(text, phrases[i]);

		if (!phrase || phrase > text + line)
			continue;
		end = memchr(quote + 1, '\'',
			     line - (size_t)(quote - text) - 1);
		*length = end ? (size_t)(end - quote - 1) : 0;
		return end ? quote + 1 : NULL;
	}
	return NULL;
}

/* A definition in the shim or, under a name that was put together by ##, in the
 * tree. */
static bool is_defined(const struct fz_kernel_closure *closure,
		       const char *name, size_t length, bool in_shim)
{
	char *word = strndup(name, length);
	const struct fz_kernel_tag *tag = NULL;
	bool is = false;

	if (word)
		tag = fz_kernel_tags_find(closure->tags, word);
	for (; tag; tag = fz_kernel_tags_next(closure->tags, tag))
		is |= strchr("deftv", tag->kind) &&
		      (closure->tree->sources[tag->source].part ==
		       FZ_KERNEL_SHIM) == in_shim;
	free(word);
	return is;
}

static int explain(const char *messages,
		   const struct fz_kernel_closure *closure, struct fz_err *err)
{
	const char *root = closure->tree->root;
	const char *where, *text = first_error(messages, &where);
	const char *name;
	size_t length, place, skip = strlen(root);

	if (!text)
		return fz_err_set(err, -EINVAL,
				  "the compiler failed without an error");
	if (strncmp(where, root, skip) == 0 && where[skip] == '/')
		where += skip + 1;
	place = strcspn(where, ":");
	if (where[place])
		place += 1 + strcspn(where + place + 1, ":");
	name = missing_name(text, &length);
	/* It is used in a way that the shim has not thought of. */
	if (name && is_defined(closure, name, length, true))
		name = NULL;
	if (name && is_defined(closure, name, length, false))
		return fz_err_set(
			err, -EINVAL,
			"'%.*s', which %.*s uses, is in a file that was read, "
			"but under an #if that is not met, or its name "
			"is put together by ##: set what "
			"#if asks for by --config, or "
			"define it in a header for --shim",
			(int)length, name, (int)place, where);
	if (!name)
		return fz_err_set(err, -EINVAL, "%.*s: %.*s", (int)place, where,
				  (int)strcspn(text, "\n"), text);
	return fz_err_set(err, -EINVAL,
			  "'%.*s', which %.*s uses, is neither in the files "
			  "that were read nor in the shim: name its file by "
			  "--also, or define it in a header for --shim",
			  (int)length, name, (int)place, where);
}

static int run(const struct command *command, char **out, char **messages,
	       const struct fz_kernel_closure *closure, struct fz_err *err)
{
	const int code = fz_captured_run(command->argv, out, messages);

	if (code < 0)
		return fz_err_set(err, code, "cannot run '%s': %s",
				  command->argv[2], strerror(-code));
	return code ? explain(*messages, closure, err) : 0;
}

static void mark_active(struct fz_kernel_closure *closure, const char *text)
{
	static const char pragma[] = "#pragma " FZ_KPOLICY_PRAGMA " ";

	for (const char *at = text; (at = strstr(at, pragma));) {
		const size_t index =
			strtoull(at += sizeof(pragma) - 1, NULL, 10);

		if (index < closure->nr_chunks)
			closure->chunks[index].active = true;
	}
}

int fz_kpolicy_preprocess(const char *source, struct fz_kernel_closure *closure,
			  char **messages, struct fz_err *err)
{
	struct command command;
	char *out = NULL;
	int code = begin(&command);

	*messages = NULL;
	if (code)
		return out_of_memory(err);
	add(&command, "-E");
	add(&command, "-Wundef");
	add(&command, source);
	code = run(&command, &out, messages, closure, err);
	if (!code) {
		mark_active(closure, out);
		fz_kernel_closure_mark_used(closure);
		fz_kpolicy_note_unread(*messages, closure->tree->root);
	}
	free(out);
	free(command.text);
	return code;
}

int fz_kpolicy_compile(const char *source, const char *object,
		       const struct fz_kernel_closure *closure, char **messages,
		       struct fz_err *err)
{
	/* Kernels are written for a compiler that is told so. */
	static const char *const words[] = {
		"-std=gnu11",
		"-O2",
		"-fPIC",
		"-shared",
		/* The name of the C file, which is another each time. */
		"-s",
		"-fvisibility=hidden",
		"-fno-strict-aliasing",
		"-fwrapv",
		"-Werror=implicit-function-declaration",
		"-Werror=implicit-int",
		"-Werror=int-conversion",
		"-Werror=incompatible-pointer-types",
		"-Werror=return-type",
		"-Wno-unknown-pragmas",
		"-o",
	};
	struct command command;
	int code = begin(&command);

	*messages = NULL;
	if (code)
		return out_of_memory(err);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		add(&command, words[i]);
	add(&command, object);
	add(&command, source);
	code = run(&command, NULL, messages, closure, err);
	free(command.text);
	return code;
}
