// SPDX-License-Identifier: GPL-2.0-or-later
/* The share of the first lines that a format recognises. */
#include "probe_lines.h"

#include <string.h>

#define MAX_LINES 64u

static bool says_nothing(const char *line, size_t bytes)
{
	return bytes == 0 || line[0] == '\t' || line[0] == '#';
}

unsigned int probe_lines(const char *head, size_t bytes,
			 bool (*is_record)(const char *line, size_t bytes))
{
	unsigned int seen = 0, recognised = 0;

	while (bytes && seen < MAX_LINES) {
		const char *newline = memchr(head, '\n', bytes);
		const size_t length =
			newline ? (size_t)(newline - head) : bytes;
		const size_t text = length && head[length - 1] == '\r'
					    ? length - 1
					    : length;

		if (!newline && seen)
			break;
		if (!says_nothing(head, text)) {
			seen++;
			recognised += is_record(head, text);
		}
		if (!newline)
			break;
		head += length + 1;
		bytes -= length + 1;
	}
	return recognised ? 1 + 89 * recognised / seen : 0;
}
