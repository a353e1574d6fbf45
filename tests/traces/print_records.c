// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the records of the trace on stdin, for recordings.py. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "read_trace.h"

static ssize_t read_stdin(void *state, void *buf, size_t cap)
{
	const ssize_t got = read(STDIN_FILENO, buf, cap);

	(void)state;
	return got < 0 ? -errno : got;
}

/* print_records [TSC_HZ] */
int main(int argc, char **argv)
{
	struct outcome outcome;
	char *records;

	outcome_read(&outcome, (struct fz_byte_source){ .read = read_stdin },
		     NULL, argc > 1 ? strtod(argv[1], NULL) : 0);
	if (outcome.code) {
		fprintf(stderr, "%s\n", outcome.err.msg);
		return 1;
	}
	records = records_text(outcome.faults, outcome.nr);
	printf("%s %ju %ju\n%s", outcome.format->name,
	       (uintmax_t)outcome_count(&outcome, FZ_TRACE_BAD),
	       (uintmax_t)outcome_count(&outcome, FZ_TRACE_SKIPPED), records);
	free(records);
	outcome_fini(&outcome);
	return 0;
}
