/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must come of a text, for tables of tests. */
#ifndef FORMAT_CASE_H
#define FORMAT_CASE_H

#include <stdint.h>

struct format_case {
	const char *what;
	const char *text;
	const char *records; /* as records_text() writes them */
	uint64_t nr_bad, nr_skipped, nr_notes, nr_lost;
	const char *error; /* part of the message; NULL: none */
};

/*
 * Reads the text, recognised by its content and then forced to be of that
 * format, and fails the running test unless both come to what the case says.
 */
void check_format_case(const struct format_case *which, const char *format,
		       double tsc_hz);

/* The same without recognising it: the text is not enough for that. */
void check_forced_case(const struct format_case *which, const char *format,
		       double tsc_hz);

#endif
