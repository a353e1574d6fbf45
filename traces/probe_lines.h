/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognising a text format by its first lines. */
#ifndef PROBE_LINES_H
#define PROBE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How sure, 0 to 90, are the first bytes of a text whose records @is_record
 * recognises? Empty lines, those that begin with a tab and comments (#) do not
 * count; the last line does only if it is whole or the only one.
 */
unsigned int probe_lines(const char *head, size_t bytes,
			 bool (*is_record)(const char *line, size_t bytes));

#endif
