/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One C file, by lines, and the preprocessor's conditions that they are under.
 */
#ifndef FZ_KERNEL_SOURCE_H
#define FZ_KERNEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>

/* Where a file stands: a name is looked for in this order. */
enum fz_kernel_part {
	FZ_KERNEL_SHIM,   /* ours or the user's: never taken from the tree */
	FZ_KERNEL_SPARE,  /* ours, for what the tree has not */
	FZ_KERNEL_ARCH,   /* the architecture's headers */
	FZ_KERNEL_HEADER, /* other headers */
	FZ_KERNEL_CODE,   /* what is compiled */
};

/**
 * struct fz_kernel_source - a file
 * @name: as messages have it: inside the tree, or as the user gave it
 * @part: where it stands
 * @text: [bytes], with a 0 behind
 * @bare: the same with blanks for comments and literals
 * @lines: [nr_lines + 1] where each begins, from 0; the last is @bytes
 * @nr_lines: number of lines
 * @under: [nr_lines] the #if, #elif or #else that each stands under, or
 *	FZ_KERNEL_NO_LINE; of #elif and #else, the one before in their group
 */
struct fz_kernel_source {
	char *name;
	enum fz_kernel_part part;
	char *text;
	char *bare;
	size_t bytes;
	size_t *lines;
	size_t nr_lines;
	size_t *under;
};

/* Where a line is not known. */
#define FZ_KERNEL_NO_LINE SIZE_MAX

/* A piece of a file: lines [first, first + nr), from 0. */
struct fz_kernel_lines {
	size_t first;
	size_t nr;
};

/* Takes the text over. Return: 0 or -ENOMEM; _fini() follows also then. */
int fz_kernel_source_init(struct fz_kernel_source *source,
			  enum fz_kernel_part part, const char *name,
			  char *text, size_t bytes);

/* Reads it. Return: 0, or what it could not be read with. */
int fz_kernel_source_read(struct fz_kernel_source *source,
			  enum fz_kernel_part part, const char *name,
			  const char *path, struct fz_err *err);
void fz_kernel_source_fini(struct fz_kernel_source *source);

/* The definition that a function's, variable's or type's name in line `at`
 * belongs to; `end` is its last line, or FZ_KERNEL_NO_LINE. */
struct fz_kernel_lines
fz_kernel_source_definition(const struct fz_kernel_source *source, size_t at,
			    size_t end);

/* The directive that begins in line `at`. */
struct fz_kernel_lines
fz_kernel_source_directive(const struct fz_kernel_source *source, size_t at);

/* What the preprocessor is told in a line. */
enum fz_kernel_word {
	FZ_KERNEL_NONE, /* nothing, or what is none of these */
	FZ_KERNEL_IF,   /* also #ifdef and #ifndef */
	FZ_KERNEL_ELSE, /* also #elif */
	FZ_KERNEL_ENDIF,
	FZ_KERNEL_UNDEF,
};

enum fz_kernel_word fz_kernel_source_word(const struct fz_kernel_source *source,
					  size_t line);

#endif
