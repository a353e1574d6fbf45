/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader could not use: counted by reason, the first few quoted. */
#ifndef FZ_TRACE_PROBLEMS_H
#define FZ_TRACE_PROBLEMS_H

#include <stddef.h>
#include <stdint.h>

#define FZ_TRACE_MAX_REASONS  24
#define FZ_TRACE_MAX_QUOTED   5
#define FZ_TRACE_QUOTED_BYTES 80

/**
 * enum fz_trace_problem_kind - how bad it is
 * @FZ_TRACE_BAD: not understood: with --strict an error
 * @FZ_TRACE_SKIPPED: understood, but no fault that can be used
 * @FZ_TRACE_NOTE: used, with a doubt
 */
enum fz_trace_problem_kind {
	FZ_TRACE_BAD,
	FZ_TRACE_SKIPPED,
	FZ_TRACE_NOTE,
};

/**
 * struct fz_trace_reason - a kind of problem, and how often it was met
 * @kind: how bad it is
 * @reason: a phrase; points to a string constant
 * @nr: lines or records
 */
struct fz_trace_reason {
	enum fz_trace_problem_kind kind;
	const char *reason;
	uint64_t nr;
};

/**
 * struct fz_trace_quoted - a line that was bad
 * @line: its number; of a binary file the number of the block
 * @reason: as in struct fz_trace_reason
 * @text: its beginning; bytes outside 0x20-0x7e and backslashes as \\xNN
 */
struct fz_trace_quoted {
	uint64_t line;
	const char *reason;
	char text[FZ_TRACE_QUOTED_BYTES];
};

/**
 * struct fz_trace_problems - all of them; zero it at the start
 * @reasons: [nr_reasons] in the order they were met; the last one stands for
 *all others if there are more than fit
 * @nr_reasons: entries in @reasons
 * @quoted: [nr_quoted] the first bad ones
 * @nr_quoted: entries in @quoted
 * @nr_bad: all bad ones
 * @nr_lost: events that were lost while recording; UINT64_MAX = so many or more
 */
struct fz_trace_problems {
	struct fz_trace_reason reasons[FZ_TRACE_MAX_REASONS];
	size_t nr_reasons;
	struct fz_trace_quoted quoted[FZ_TRACE_MAX_QUOTED];
	size_t nr_quoted;
	uint64_t nr_bad;
	uint64_t nr_lost;
};

/**
 * fz_trace_problem() - count one, and quote it if it is one of the first bad
 * ones
 * @problems: counted there
 * @kind: how bad it is
 * @reason: a string constant
 * @line: number of the line, 0 = none
 * @text: [@bytes] the line; may be NULL
 * @bytes: its length
 */
void fz_trace_problem(struct fz_trace_problems *problems,
		      enum fz_trace_problem_kind kind, const char *reason,
		      uint64_t line, const char *text, size_t bytes);

/**
 * fz_trace_lost() - count events that were lost while recording
 * @problems: counted there
 * @nr: how many more
 */
void fz_trace_lost(struct fz_trace_problems *problems, uint64_t nr);

#endif
