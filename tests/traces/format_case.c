// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares what a text came to with what it should. */
#include "format_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "read_trace.h"

static void check_counts(const struct format_case *which,
			 const struct outcome *outcome)
{
	ck_assert_msg(outcome_count(outcome, FZ_TRACE_BAD) == which->nr_bad,
		      "%s: %ju bad", which->what,
		      (uintmax_t)outcome_count(outcome, FZ_TRACE_BAD));
	ck_assert_msg(outcome_count(outcome, FZ_TRACE_SKIPPED) ==
			      which->nr_skipped,
		      "%s: %ju skipped", which->what,
		      (uintmax_t)outcome_count(outcome, FZ_TRACE_SKIPPED));
	ck_assert_msg(outcome_count(outcome, FZ_TRACE_NOTE) == which->nr_notes,
		      "%s: %ju notes", which->what,
		      (uintmax_t)outcome_count(outcome, FZ_TRACE_NOTE));
	ck_assert_msg(outcome->problems.nr_lost == which->nr_lost,
		      "%s: %ju lost", which->what,
		      (uintmax_t)outcome->problems.nr_lost);
}

static void check_outcome(const struct format_case *which,
			  const struct outcome *outcome)
{
	char *records = records_text(outcome->faults, outcome->nr);

	if (which->error) {
		ck_assert_msg(outcome->code < 0, "%s: no error", which->what);
		ck_assert_msg(strstr(outcome->err.msg, which->error) != NULL,
			      "%s: %s", which->what, outcome->err.msg);
	} else {
		ck_assert_msg(outcome->code == 0, "%s: %s", which->what,
			      outcome->err.msg);
	}
	ck_assert_msg(strcmp(records, which->records) == 0,
		      "%s: records\n%sinstead of\n%s", which->what, records,
		      which->records);
	check_counts(which, outcome);
	free(records);
}

static void read_and_check(const struct format_case *which,
			   const struct fz_trace_format *format,
			   const char *expected, double tsc_hz)
{
	struct memory_bytes memory = { .bytes = which->text,
				       .nr = strlen(which->text) };
	struct outcome outcome;

	outcome_read(&outcome, memory_source(&memory), format, tsc_hz);
	ck_assert_msg(outcome.format, "%s: not recognised: %s", which->what,
		      outcome.err.msg);
	ck_assert_msg(strcmp(outcome.format->name, expected) == 0,
		      "%s: taken for %s", which->what, outcome.format->name);
	check_outcome(which, &outcome);
	outcome_fini(&outcome);
}

void check_forced_case(const struct format_case *which, const char *format,
		       double tsc_hz)
{
	read_and_check(which, fz_trace_format_find(format), format, tsc_hz);
}

void check_format_case(const struct format_case *which, const char *format,
		       double tsc_hz)
{
	read_and_check(which, NULL, format, tsc_hz);
	check_forced_case(which, format, tsc_hz);
}
