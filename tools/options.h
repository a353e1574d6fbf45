/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading option values and saying what is wrong with them. */
#ifndef FZ_OPTIONS_H
#define FZ_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

/**
 * DOC: options
 *
 * Functions here print one line "foliosim: …" to stderr when a value is bad
 * and return false; the caller then returns FZ_EXIT_USAGE. Unknown names list
 * the known ones.
 */

/* One line to stderr, prefixed "foliosim: ", without control characters: paths
 * may have them. */
void fz_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The next option as getopt_long() gives it: its val, -1 after the last, '?'
 * after a complaint. Vals are below ' '.
 */
int fz_option_next(int argc, char **argv, const struct option *options);

/*
 * The same with short options, which are given as getopt() wants them, behind
 * a colon; a long option that means the same has its letter as val.
 */
int fz_option_next_of(int argc, char **argv, const char *letters,
		      const struct option *options);

/*
 * The value of an option that may have one; NULL if it has none. getopt_long()
 * takes it only behind a '='; in commands without other arguments the next word
 * is meant too.
 */
char *fz_option_optional_value(int argc, char **argv);

/* Complain about an argument that is left behind the options. */
bool fz_option_no_arguments(int argc, char **argv);

/* One line that names the command's --help; gives FZ_EXIT_USAGE. */
int fz_usage(const char *command);

/*
 * Say that standard output could not be written, with the -errno of the failed
 * write; gives FZ_EXIT_FAILED. main() looks for failures that nobody saw, so a
 * command calls this only where it knows the error.
 */
int fz_output_failed(int error);

#define FZ_LIST_MAX 64

/**
 * struct fz_list - a comma-separated option value cut up
 * @text: the copy that the words point into; freed by fz_list_fini()
 * @words: [nr] in the order given
 * @nr: number of words, at least 1
 */
struct fz_list {
	char *text;
	const char *words[FZ_LIST_MAX];
	size_t nr;
};

/* Cut a value at commas; empty words and words given twice are errors. */
bool fz_list_parse(struct fz_list *list, const char *option, const char *value);
void fz_list_fini(struct fz_list *list);

/* 4096 PiB: sizes up to here can be added and are JSON integers. */
#define FZ_OPTION_MAX_BYTES (1ull << 62)

/* A size in bytes, not 0, at most FZ_OPTION_MAX_BYTES. */
bool fz_option_bytes(const char *option, const char *value, uint64_t *bytes);

/* A size in bytes that is a multiple of a page, not 0; in pages. */
bool fz_option_pages(const char *option, const char *value, uint64_t *pages);

/* A plain number in [min, max]. */
bool fz_option_number(const char *option, const char *value, uint64_t min,
		      uint64_t max, uint64_t *number);

/*
 * Complain about an unknown name and list the known ones. `name_at` gives the
 * i-th known name or NULL at the end.
 */
void fz_complain_unknown(const char *what, const char *word,
			 const char *(*name_at)(size_t i));

/* The same with the known names as text; NULL = there was no memory for it. */
void fz_complain_known(const char *what, const char *word, const char *known);

/* The index of an exact name; complains if it is unknown. */
bool fz_option_index(const char *what, const char *word,
		     const char *(*name_at)(size_t i), size_t *index);

#endif
