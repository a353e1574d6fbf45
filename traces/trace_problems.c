// SPDX-License-Identifier: GPL-2.0-or-later
/* Counting and quoting what could not be used. */
#include <fz/trace_problems.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct fz_trace_reason *find(struct fz_trace_problems *problems,
				    enum fz_trace_problem_kind kind,
				    const char *reason)
{
	struct fz_trace_reason *last;

	for (size_t i = 0; i < problems->nr_reasons; i++)
		if (problems->reasons[i].kind == kind &&
		    strcmp(problems->reasons[i].reason, reason) == 0)
			return &problems->reasons[i];
	if (problems->nr_reasons < FZ_TRACE_MAX_REASONS) {
		last = &problems->reasons[problems->nr_reasons++];
		last->kind = kind;
		last->reason = reason;
		return last;
	}
	last = &problems->reasons[FZ_TRACE_MAX_REASONS - 1];
	last->reason = "other reasons";
	return last;
}

/* Cut where no whole character fits any more. */
static void quote(struct fz_trace_quoted *quoted, const char *text,
		  size_t bytes)
{
	size_t used = 0;

	for (size_t i = 0; i < bytes; i++) {
		const unsigned char c = (unsigned char)text[i];
		const bool plain = c >= 0x20 && c <= 0x7e && c != '\\';

		if (used + (plain ? 1 : 4) >= sizeof(quoted->text))
			break;
		used += (size_t)snprintf(quoted->text + used,
					 sizeof(quoted->text) - used,
					 plain ? "%c" : "\\x%02x", c);
	}
	quoted->text[used] = '\0';
}

void fz_trace_problem(struct fz_trace_problems *problems,
		      enum fz_trace_problem_kind kind, const char *reason,
		      uint64_t line, const char *text, size_t bytes)
{
	struct fz_trace_quoted *quoted;

	find(problems, kind, reason)->nr++;
	if (kind != FZ_TRACE_BAD)
		return;
	problems->nr_bad++;
	if (problems->nr_quoted == FZ_TRACE_MAX_QUOTED)
		return;
	quoted = &problems->quoted[problems->nr_quoted++];
	quoted->line = line;
	quoted->reason = reason;
	quote(quoted, text, text ? bytes : 0);
}

void fz_trace_lost(struct fz_trace_problems *problems, uint64_t nr)
{
	if (__builtin_add_overflow(problems->nr_lost, nr, &problems->nr_lost))
		problems->nr_lost = UINT64_MAX;
}
