/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result documents compared: matched rows, changes, and what else differs. */
#ifndef FZ_COMPARE_H
#define FZ_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <fz/change.h>
#include <fz/err.h>
#include <fz/rank_sum.h>

#include "facts.h"
#include "result_read.h"
#include "row_key.h"

/**
 * DOC: compare
 *
 * A side is one run of a command or several; the first side is the base, and
 * each other side makes a pair with it. Rows are matched by their settings
 * (row_key.h). docs/comparing.md has the method and the reasons.
 */

#define FZ_COMPARE_MAX_SIDES 26 /* A to Z */
#define FZ_COMPARE_MAX_RUNS  64 /* of a side */

/**
 * struct fz_side - runs of one command
 * @documents: [nr]; owned by the caller
 * @nr: at least 1
 */
struct fz_side {
	const struct fz_document *documents;
	size_t nr;
};

/* What a comparison says of a row. */
enum fz_compare_verdict {
	FZ_COMPARE_FASTER,
	FZ_COMPARE_SLOWER,
	FZ_COMPARE_NO_DIFFERENCE,
	FZ_COMPARE_TOO_FEW_ROUNDS, /* not tested: in all runs of a side */
	FZ_COMPARE_DISTURBED, /* not tested: those of a side shared a CPU */
};

/**
 * struct fz_compared_side - one side of a compared row
 * @row: in the first of @runs
 * @runs: how many count; without a test, how many measured it
 * @rounds: of all of them
 * @bps: bytes per second: the median of the rounds; of several runs the median
 *	of their medians
 * @between_runs: what runs are assumed to differ by, as a standard deviation of
 *	logarithms; NAN where there are several runs
 */
struct fz_compared_side {
	const struct fz_read_row *row;
	size_t runs;
	size_t rounds;
	double bps;
	double between_runs;
};

/**
 * struct fz_compared - a row that both sides have
 * @base: the first side
 * @other: the second side
 * @verdict: what can be said
 * @of_runs: from the runs' medians, not from the rounds of one run a side
 * @change: from base to other; without a test only its log_ratio
 * @level: the level that Holm's correction tests it at; NAN without a test
 * @rounds_alone: what the rounds of one run a side say when runs are taken to
 *	be alike, which they are not; p is NAN where there are several
 * @others_ratio: median ratio of the other measurements; NAN for fewer than two
 * @lead: the first row of the pair that has the same measurements on both
 *	sides; itself if there is no other
 */
struct fz_compared {
	struct fz_compared_side base;
	struct fz_compared_side other;
	enum fz_compare_verdict verdict;
	bool of_runs;
	struct fz_change change;
	double level;
	struct fz_rank_sum rounds_alone;
	double others_ratio;
	const struct fz_compared *lead;
};

/* Why a row is not compared. */
enum fz_left_out {
	FZ_LEFT_UNMATCHED,    /* no row of the other side has its settings */
	FZ_LEFT_NOT_MEASURED, /* no rounds */
	FZ_LEFT_DUPLICATE,    /* an earlier row of its document has them too */
	FZ_LEFT_TOO_SHORT,    /* too few rounds; other runs count */
	FZ_LEFT_DISTURBED,    /* its run shared the CPU; other runs count */
};

/**
 * struct fz_left_row - a row that is not compared
 * @why: the reason
 * @side: 0 the base, 1 the other
 * @run: index of the document in its side
 * @row: the row
 * @same: the earlier row of a duplicate, else NULL
 */
struct fz_left_row {
	enum fz_left_out why;
	unsigned int side;
	size_t run;
	const struct fz_read_row *row;
	const struct fz_read_row *same;
};

#define FZ_COMPARE_MAX_KEYS 32

/**
 * struct fz_pair - one side against the base
 * @sides: base and other
 * @indices: their indices among all sides, 0 = A
 * @rows: [nr_rows], in the order of the base
 * @nr_rows: their number
 * @left: [nr_left]
 * @nr_left: their number
 * @facts: what differs besides
 * @varies: by index of fz_keys: compared rows differ in it, so that their
 *	labels name it
 * @varies_any: the same of all rows
 */
struct fz_pair {
	struct fz_side sides[2];
	size_t indices[2];
	struct fz_compared *rows;
	size_t nr_rows;
	struct fz_left_row *left;
	size_t nr_left;
	struct fz_facts facts;
	bool varies[FZ_COMPARE_MAX_KEYS];
	bool varies_any[FZ_COMPARE_MAX_KEYS];
};

/**
 * struct fz_compare - everything that a view may print
 * @command: the command line, shell-quoted
 * @sides: [nr_sides]
 * @nr_sides: at least 2
 * @pairs: [nr_sides - 1]
 * @between_runs: what the user says runs differ by; negative = assumed from the
 *	spread of the rounds
 */
struct fz_compare {
	const char *command;
	const struct fz_side *sides;
	size_t nr_sides;
	struct fz_pair *pairs;
	double between_runs;
};

/*
 * Fill `pairs`. Return: 0, or -errno with a sentence: -EBADMSG where a side has
 * no row in common with the base. fz_compare_fini() follows in either case.
 */
int fz_compare_make(struct fz_compare *compare, struct fz_err *err);
void fz_compare_fini(struct fz_compare *compare);

/* 'A' for the base. */
char fz_side_letter(size_t index);

/* "faster", "no-difference"; for machines. */
const char *fz_compare_verdict_name(enum fz_compare_verdict verdict);

/* "A", or "A2" where the side has several runs; into [cap]. */
void fz_run_name(char *buf, size_t cap, const struct fz_side *side,
		 size_t index, size_t run);

/* Has it a test behind it? */
bool fz_compared_is_tested(const struct fz_compared *row);

/* Tested and found different. */
bool fz_compared_differs(const struct fz_compared *row);

/* Any row by its name and by the settings that tell it from others; into
 * [cap]. */
void fz_pair_label(char *buf, size_t cap, const struct fz_pair *pair,
		   const json_t *row);

/* Does the kernel of one side do something else than the other's? Told, but no
 * reason not to compare. */
bool fz_is_outcome(const struct fz_compared *row, const struct fz_key *key);

/* A compared row, without what its heading names; "kernel" where the kernels do
 * not do the same; into [cap]. */
void fz_compared_label(char *buf, size_t cap, const struct fz_pair *pair,
		       const struct fz_compared *row);

/* The views; 0 or -errno. */
int fz_compare_text(FILE *out, const struct fz_compare *compare);
int fz_compare_commit(FILE *out, const struct fz_compare *compare);
int fz_compare_json(FILE *out, const struct fz_compare *compare);
int fz_compare_csv(FILE *out, const struct fz_compare *compare);

#endif
