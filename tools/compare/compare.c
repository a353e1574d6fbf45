// SPDX-License-Identifier: GPL-2.0-or-later
/* Result documents compared: matching rows, and testing what changed. */
#include "compare.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/significance.h>

#include "compare_match.h"
#include "compare_runs.h"

/* The median of a run's rounds. */
static double level_of(const struct fz_read_row *row)
{
	return fz_median(row->seconds, row->rounds);
}

/* The level of each run that measured the row, in seconds. */
static size_t levels_of(const struct fz_matched *matched, double *levels)
{
	size_t nr = 0;

	for (size_t i = 0; i < FZ_COMPARE_MAX_RUNS; i++)
		if (matched->runs[i])
			levels[nr++] = level_of(matched->runs[i]);
	return nr;
}

static struct fz_sample sample_of(const struct fz_read_row *row)
{
	return (struct fz_sample){ row->seconds, row->rounds };
}

static struct fz_compared_side side_of(const struct fz_matched *matched,
				       double between_runs)
{
	double levels[FZ_COMPARE_MAX_RUNS];
	struct fz_compared_side side = { .between_runs = NAN };
	struct fz_sample sample;

	side.runs = levels_of(matched, levels);
	for (size_t i = FZ_COMPARE_MAX_RUNS; i-- > 0;) {
		if (!matched->runs[i])
			continue;
		side.row = matched->runs[i];
		side.rounds += side.row->rounds;
	}
	side.bps = side.row->bytes / fz_median(levels, side.runs);
	if (side.runs > 1)
		return side;
	sample = sample_of(side.row);
	side.between_runs = between_runs < 0 ? fz_between_runs_assumed(&sample)
					     : between_runs;
	return side;
}

static void test_runs(struct fz_compared *row, const struct fz_matched *base,
		      const struct fz_matched *other)
{
	double levels[2][FZ_COMPARE_MAX_RUNS];
	const size_t nr_base = levels_of(base, levels[0]);
	const size_t nr_other = levels_of(other, levels[1]);

	row->change =
		fz_change_of_runs(levels[0], nr_base, levels[1], nr_other);
}

static void test_rounds(struct fz_compared *row)
{
	const struct fz_sample base = sample_of(row->base.row);
	const struct fz_sample other = sample_of(row->other.row);

	row->change = fz_change_of_rounds(&base, &other, row->base.between_runs,
					  row->other.between_runs);
}

/* Without a test there are the figures, and the rounds of one run a side. */
static void compare_row(struct fz_compared *row,
			const struct fz_matched_row *matched,
			double between_runs, enum fz_compare_verdict verdict)
{
	const struct fz_matched *base = &matched->sides[0];
	const struct fz_matched *other = &matched->sides[1];

	*row = (struct fz_compared){
		.base = side_of(base, between_runs),
		.other = side_of(other, between_runs),
		.verdict = verdict,
		.level = NAN,
		.rounds_alone = { .p = NAN },
		.others_ratio = NAN,
	};
	row->of_runs = row->base.runs + row->other.runs > 2;
	row->change = (struct fz_change){
		.log_ratio = log(row->other.bps / row->base.bps),
		.log_se = NAN,
		.df = NAN,
		.p = NAN,
	};
	if (row->of_runs)
		row->base.between_runs = row->other.between_runs = NAN;
	else if (verdict != FZ_COMPARE_TOO_FEW_ROUNDS)
		row->rounds_alone = fz_rank_sum_ratio(
			row->base.row->seconds, row->base.rounds,
			row->other.row->seconds, row->other.rounds,
			FZ_CHANGE_ALPHA);
	if (!fz_compared_is_tested(row))
		return;
	if (row->of_runs)
		test_runs(row, base, other);
	else
		test_rounds(row);
}

/* The test of one measurement, whose outcome its twins share? */
static bool is_test(const struct fz_compared *row)
{
	return row->lead == row && fz_compared_is_tested(row);
}

static enum fz_compare_verdict verdict_of(const struct fz_compared *row,
					  bool differs)
{
	if (!differs)
		return FZ_COMPARE_NO_DIFFERENCE;
	return row->change.log_ratio > 0 ? FZ_COMPARE_FASTER
					 : FZ_COMPARE_SLOWER;
}

/* A lead stands before its twins. */
static void follow_leads(struct fz_pair *pair)
{
	for (size_t i = 0; i < pair->nr_rows; i++) {
		pair->rows[i].level = pair->rows[i].lead->level;
		pair->rows[i].verdict = pair->rows[i].lead->verdict;
	}
}

/* Too many tests for chance to find nothing: Holm's correction. */
static int decide(struct fz_pair *pair)
{
	double *p = calloc(pair->nr_rows + 1, sizeof(*p));
	double *levels = calloc(pair->nr_rows + 1, sizeof(*levels));
	bool *differs = calloc(pair->nr_rows + 1, sizeof(*differs));
	size_t nr = 0, test = 0;
	const int code = p && levels && differs ? 0 : -ENOMEM;

	for (size_t i = 0; i < pair->nr_rows && !code; i++)
		if (is_test(&pair->rows[i]))
			p[nr++] = pair->rows[i].change.p;
	if (!code)
		fz_holm_levels(p, nr, FZ_CHANGE_ALPHA, differs, levels);
	for (size_t i = 0; i < pair->nr_rows && !code; i++) {
		struct fz_compared *row = &pair->rows[i];

		if (!is_test(row))
			continue;
		row->level = levels[test];
		row->verdict = verdict_of(row, differs[test++]);
	}
	follow_leads(pair);
	free(p);
	free(levels);
	free(differs);
	return code;
}

/* What the other rows did: a machine that changed changes them too. */
static int look_at_others(struct fz_pair *pair)
{
	double *others = calloc(pair->nr_rows + 1, sizeof(*others));

	if (!others)
		return -ENOMEM;
	for (size_t i = 0; i < pair->nr_rows; i++) {
		size_t nr = 0;

		for (size_t j = 0; j < pair->nr_rows; j++)
			if (pair->rows[j].lead == &pair->rows[j] &&
			    pair->rows[j].lead != pair->rows[i].lead)
				others[nr++] =
					exp(pair->rows[j].change.log_ratio);
		if (nr > 1)
			pair->rows[i].others_ratio = fz_median(others, nr);
	}
	free(others);
	return 0;
}

static bool share_measurement(const struct fz_read_row *a,
			      const struct fz_read_row *b)
{
	return a && b ? a->lead == b->lead : a == b;
}

/* In every run of both sides? */
static bool are_twins(const struct fz_matched_row *a,
		      const struct fz_matched_row *b)
{
	for (size_t side = 0; side < 2; side++)
		for (size_t run = 0; run < FZ_COMPARE_MAX_RUNS; run++)
			if (!share_measurement(a->sides[side].runs[run],
					       b->sides[side].runs[run]))
				return false;
	return true;
}

static void find_lead(struct fz_pair *pair, const struct fz_match *match,
		      size_t row)
{
	size_t first = 0;

	while (first < row &&
	       !are_twins(&match->matched[first], &match->matched[row]))
		first++;
	pair->rows[row].lead = &pair->rows[first];
}

static int compare_rows(struct fz_pair *pair, const struct fz_match *match,
			double between_runs)
{
	int code;

	pair->rows = calloc(match->nr + 1, sizeof(*pair->rows));
	if (!pair->rows)
		return -ENOMEM;
	for (size_t i = 0; i < match->nr; i++) {
		struct fz_matched_row counting = match->matched[i];
		const enum fz_compare_verdict verdict =
			fz_runs_that_count(pair, &counting, between_runs >= 0);

		compare_row(&pair->rows[pair->nr_rows++], &counting,
			    between_runs, verdict);
		find_lead(pair, match, i);
	}
	code = decide(pair);
	return code ? code : look_at_others(pair);
}

/* Memory elsewhere may be what is compared; it must not go untold. */
static int find_nodes(struct fz_pair *pair, const struct fz_match *match)
{
	int code = 0;

	for (size_t i = 0; i < match->nr; i++)
		for (size_t side = 0; side < 2; side++)
			for (size_t run = 0; run < pair->sides[side].nr;
			     run++) {
				const struct fz_read_row *row =
					match->matched[i].sides[side].runs[run];

				if (row && !code)
					code = fz_facts_add_nodes(
						&pair->facts,
						pair->rows[i].base.row, row);
			}
	return code;
}

static int find_facts(struct fz_pair *pair, const struct fz_match *match)
{
	const struct fz_document *base = &pair->sides[0].documents[0];
	int code = fz_facts_add_seeds(&pair->facts, base,
				      &pair->sides[1].documents[0]);

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < pair->sides[side].nr && !code; i++)
			code = fz_facts_add(&pair->facts, base,
					    &pair->sides[side].documents[i]);
	return code ? code : find_nodes(pair, match);
}

static int make_pair(const struct fz_compare *compare, struct fz_pair *pair,
		     size_t other, struct fz_err *err)
{
	struct fz_match match = { .nr = 0 };
	int code;

	*pair = (struct fz_pair){
		.sides = { compare->sides[0], compare->sides[other] },
		.indices = { 0, other },
	};
	code = fz_match_make(&match, pair, err);
	if (!code)
		code = compare_rows(pair, &match, compare->between_runs);
	if (!code)
		code = find_facts(pair, &match);
	fz_match_fini(&match);
	return code;
}

int fz_compare_make(struct fz_compare *compare, struct fz_err *err)
{
	int code = 0;

	assert(compare->nr_sides > 1);
	compare->pairs = calloc(compare->nr_sides - 1, sizeof(*compare->pairs));
	if (!compare->pairs)
		return fz_err_set(err, -ENOMEM, "out of memory");
	for (size_t i = 1; i < compare->nr_sides && !code; i++)
		code = make_pair(compare, &compare->pairs[i - 1], i, err);
	return code == -ENOMEM ? fz_err_set(err, code, "out of memory") : code;
}

void fz_compare_fini(struct fz_compare *compare)
{
	for (size_t i = 0; compare->pairs && i + 1 < compare->nr_sides; i++) {
		free(compare->pairs[i].rows);
		free(compare->pairs[i].left);
		fz_facts_fini(&compare->pairs[i].facts);
	}
	free(compare->pairs);
	compare->pairs = NULL;
}

char fz_side_letter(size_t index)
{
	return (char)('A' + index);
}

const char *fz_compare_verdict_name(enum fz_compare_verdict verdict)
{
	static const char *const names[] = {
		[FZ_COMPARE_FASTER] = "faster",
		[FZ_COMPARE_SLOWER] = "slower",
		[FZ_COMPARE_NO_DIFFERENCE] = "no-difference",
		[FZ_COMPARE_TOO_FEW_ROUNDS] = "too-few-rounds",
		[FZ_COMPARE_DISTURBED] = "disturbed",
	};

	return names[verdict];
}

void fz_run_name(char *buf, size_t cap, const struct fz_side *side,
		 size_t index, size_t run)
{
	if (side->nr > 1)
		snprintf(buf, cap, "%c%zu", fz_side_letter(index), run + 1);
	else
		snprintf(buf, cap, "%c", fz_side_letter(index));
}

bool fz_compared_is_tested(const struct fz_compared *row)
{
	return row->verdict != FZ_COMPARE_TOO_FEW_ROUNDS &&
	       row->verdict != FZ_COMPARE_DISTURBED;
}

bool fz_compared_differs(const struct fz_compared *row)
{
	return row->verdict == FZ_COMPARE_FASTER ||
	       row->verdict == FZ_COMPARE_SLOWER;
}

/* Append a setting of a row, if it has one. */
static void append_key(char *buf, size_t cap, const struct fz_key *key,
		       const json_t *row)
{
	const size_t used = strlen(buf);
	char text[80];

	if (!fz_key_applies(key, row))
		return;
	fz_key_text(text, sizeof(text), key, row);
	if (text[0])
		snprintf(buf + used, cap - used, ", %s", text);
}

void fz_pair_label(char *buf, size_t cap, const struct fz_pair *pair,
		   const json_t *row)
{
	fz_key_name(buf, cap, row);
	for (size_t i = 0; fz_keys[i].path; i++)
		if (pair->varies_any[i])
			append_key(buf, cap, &fz_keys[i], row);
}

bool fz_is_outcome(const struct fz_compared *row, const struct fz_key *key)
{
	return !fz_key_applies(key, row->base.row->json) &&
	       fz_key_differs(key, row->base.row->json, row->other.row->json);
}

void fz_compared_label(char *buf, size_t cap, const struct fz_pair *pair,
		       const struct fz_compared *row)
{
	const json_t *base = row->base.row->json;
	bool changed = false;

	for (const struct fz_key *key = fz_keys; key->path; key++)
		changed |= fz_is_outcome(row, key);
	if (changed)
		snprintf(buf, cap, "kernel");
	else
		fz_key_name(buf, cap, base);
	for (size_t i = 0; fz_keys[i].path; i++)
		if (pair->varies[i] && !fz_keys[i].in_heading)
			append_key(buf, cap, &fz_keys[i], base);
}
