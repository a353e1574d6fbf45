/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A paragraph of text output: put together piece by piece, then wrapped. */
#ifndef FZ_NOTE_H
#define FZ_NOTE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Twice the longest reason; a longer paragraph is cut. */
#define FZ_NOTE_BYTES 2048

struct fz_note {
	char text[FZ_NOTE_BYTES];
	size_t used; /* without the NUL */
};

/* Where a paragraph stands on the page, in columns. */
struct fz_margins {
	unsigned int width; /* of the page, at least 20 more than the indents */
	unsigned int first; /* indent of the first line */
	unsigned int rest;  /* indent of the others */
};

/* Begin with { .used = 0 }. */
void fz_note_add(struct fz_note *note, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "1 fault", "2 faults": @what gets an s. */
void fz_note_add_count(struct fz_note *note, uint64_t nr, const char *what);

/*
 * Print it wrapped at blanks; a longer word is cut. Control characters, which
 * a terminal might obey, become blanks. Prints nothing for an empty note.
 */
void fz_note_print(FILE *out, const struct fz_note *note,
		   struct fz_margins margins);

/* The same, with a label in the indent of the first line. */
void fz_note_print_label(FILE *out, const char *label,
			 const struct fz_note *note, struct fz_margins margins);

#endif
