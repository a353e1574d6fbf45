/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text cut into lines with bounded memory, however long the text is. */
#ifndef FZ_SIM_FILE_LINES_H
#define FZ_SIM_FILE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/hooks.h>

/* The longest lines read are the flags in /proc/cpuinfo, about 2 KiB. */
#define FZ_LINE_BYTES 8192

/**
 * struct fz_lines - a splitter fed with pieces of a text
 * @take: called for each line without its newline; false = enough
 * @arg: handed to @take
 * @done: @take said enough
 * @used: bytes in @line
 * @line: the line so far; what does not fit is dropped
 *
 * Initialise with @take and @arg, the rest 0.
 */
struct fz_lines {
	bool (*take)(void *arg, char *line);
	void *arg;
	bool done;
	size_t used;
	char line[FZ_LINE_BYTES];
};

/**
 * fz_lines_feed() - the next piece of the text
 * @lines: the splitter
 * @bytes: [nr], any cut of the text
 * @nr: number of bytes
 */
void fz_lines_feed(struct fz_lines *lines, const char *bytes, size_t nr);

/**
 * fz_lines_end() - hand out a last line that has no newline
 * @lines: the splitter
 */
void fz_lines_end(struct fz_lines *lines);

/**
 * fz_file_lines() - all lines of a file
 * @hooks: the world
 * @path: absolute path without the root
 * @take: called for each line without its newline; it may write into the line;
 *	false = enough
 * @arg: handed to @take
 *
 * Return: 0, or -errno where the file could not be read to its end.
 */
int fz_file_lines(const struct fz_hooks *hooks, const char *path,
		  bool (*take)(void *arg, char *line), void *arg);

#endif
