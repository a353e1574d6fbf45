// SPDX-License-Identifier: GPL-2.0-or-later
/* What the text and the commit view of a comparison say alike. */
#include "compare_words.h"

#include <math.h>
#include <string.h>

#include <fz/units.h>

#include "printable.h"

static const json_t *base_json(const struct fz_pair *pair, size_t row)
{
	return pair->rows[row].base.row->json;
}

bool fz_pair_rows_share(const struct fz_pair *pair, size_t a, size_t b)
{
	return fz_rows_share_heading(base_json(pair, a), base_json(pair, b));
}

bool fz_pair_row_leads(const struct fz_pair *pair, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (fz_pair_rows_share(pair, i, row))
			return false;
	return true;
}

/* A setting without its word; "" where it is null. */
static void setting(char *buf, const json_t *row, const char *path,
		    enum fz_key_form form)
{
	const struct fz_key key = { .path = path, .form = form };

	fz_key_text(buf, FZ_WORDS_BYTES, &key, row);
}

static void add_setting(struct fz_note *note, const json_t *row,
			const char *path, enum fz_key_form form,
			const char *before, const char *after)
{
	char text[FZ_WORDS_BYTES];

	setting(text, row, path, form);
	if (text[0])
		fz_note_add(note, "%s%s%s", before, text, after);
}

static bool same_setting(const json_t *row, const char *path, const char *other)
{
	return json_equal(fz_json_at(row, path), fz_json_at(row, other));
}

static void add_fault_page(struct fz_note *note, const json_t *row)
{
	char text[FZ_WORDS_BYTES];

	setting(text, row, "fault_page", FZ_KEY_WORD);
	if (strcmp(text, "random") == 0)
		fz_note_add(note, ", random faulting page");
	else if (text[0])
		fz_note_add(note, ", faulting page %s", text);
}

/* Threads may share CPUs, and one that is timed as a thread is told as one. */
static void add_threads(struct fz_note *note, const json_t *row)
{
	const json_int_t threads =
		json_integer_value(fz_json_at(row, "threads"));
	const json_int_t cpus =
		json_integer_value(fz_json_at(row, "placement_cpus"));
	char timing[FZ_WORDS_BYTES];

	setting(timing, row, "timing", FZ_KEY_WORD);
	if (threads == 1 && strcmp(timing, "span") != 0)
		return;
	fz_note_add(note, ", %" JSON_INTEGER_FORMAT " thread%s", threads,
		    threads == 1 ? "" : "s");
	if (cpus && cpus < threads)
		fz_note_add(note, " on %" JSON_INTEGER_FORMAT " CPU%s", cpus,
			    cpus == 1 ? "" : "s");
}

void fz_note_add_heading(struct fz_note *note, const struct fz_pair *pair,
			 size_t row)
{
	const json_t *json = base_json(pair, row);

	add_setting(note, json, "bytes", FZ_KEY_BYTES, "", " of ");
	add_setting(note, json, "page_size_bytes", FZ_KEY_BYTES, "", " ");
	add_setting(note, json, "backing.kind", FZ_KEY_WORD, "", " ");
	fz_note_add(note, "pages");
	if (!same_setting(json, "page_size_bytes", "folio_bytes"))
		add_setting(note, json, "folio_bytes", FZ_KEY_BYTES,
			    ", folios of ", "");
	add_fault_page(note, json);
	add_threads(note, json);
	add_setting(note, json, "use", FZ_KEY_WORD, ", use ", "");
}

void fz_note_add_printable(struct fz_note *note, const char *text)
{
	const size_t used = note->used;

	fz_note_add(note, "%s", text);
	fz_make_printable(note->text + used);
}

static bool same_run_and_reason(const struct fz_left_row *a,
				const struct fz_left_row *b)
{
	return a->why == b->why && a->side == b->side && a->run == b->run;
}

/* "left out of B2, disturbed: r1, r3": once for all rows of a run. */
static void add_run_left(struct fz_note *note, const struct fz_pair *pair,
			 size_t left, const char *run)
{
	const struct fz_left_row *row = &pair->left[left];

	for (size_t i = 0; i < left; i++)
		if (same_run_and_reason(&pair->left[i], row))
			return;
	fz_note_add(note, "left out of %s, ", run);
	if (row->why == FZ_LEFT_DISTURBED)
		fz_note_add(note, "disturbed:");
	else
		fz_note_add(note,
			    "fewer than %d rounds:", FZ_CHANGE_MIN_ROUNDS);
	for (size_t i = left; i < pair->nr_left; i++)
		if (same_run_and_reason(&pair->left[i], row))
			fz_note_add(note, "%s %s", i == left ? "" : ",",
				    pair->left[i].row->id);
}

void fz_note_add_left(struct fz_note *note, const struct fz_pair *pair,
		      size_t left)
{
	const struct fz_left_row *row = &pair->left[left];
	char run[8], label[FZ_WORDS_BYTES];

	fz_run_name(run, sizeof(run), &pair->sides[row->side],
		    pair->indices[row->side], row->run);
	fz_pair_label(label, sizeof(label), pair, row->row->json);
	switch (row->why) {
	case FZ_LEFT_UNMATCHED:
		fz_note_add(note, "only in %s: %s %s", run, row->row->id,
			    label);
		break;
	case FZ_LEFT_NOT_MEASURED:
		fz_note_add(note, "not measured in %s: %s %s", run,
			    row->row->id, label);
		if (row->row->reason) {
			fz_note_add(note, ": ");
			fz_note_add_printable(note, row->row->reason);
		}
		break;
	case FZ_LEFT_DUPLICATE:
		fz_note_add(note,
			    "twice in %s: %s %s has the settings of %s, which "
			    "counts",
			    run, row->row->id, label, row->same->id);
		break;
	case FZ_LEFT_TOO_SHORT:
	case FZ_LEFT_DISTURBED:
		add_run_left(note, pair, left, run);
		break;
	}
}

static void add_value(struct fz_note *note, const char *value, char letter)
{
	fz_note_add_printable(note, value ? value : "unknown");
	fz_note_add(note, " in %c", letter);
}

void fz_note_add_fact(struct fz_note *note, const struct fz_pair *pair,
		      size_t fact)
{
	const struct fz_fact *f = &pair->facts.fact[fact];

	fz_note_add_printable(note, f->what);
	fz_note_add(note, ": ");
	add_value(note, f->base, fz_side_letter(pair->indices[0]));
	fz_note_add(note, ", ");
	add_value(note, f->other, fz_side_letter(pair->indices[1]));
}

static void add_outcome(struct fz_note *note, const struct fz_pair *pair,
			const json_t *row, const char *path, size_t side)
{
	char text[FZ_WORDS_BYTES];

	setting(text, row, path, FZ_KEY_WORD);
	fz_note_add(note, "%s%s in %c", side ? ", " : "",
		    text[0] ? text : "unknown",
		    fz_side_letter(pair->indices[side]));
}

void fz_note_add_outcome(struct fz_note *note, const struct fz_pair *pair,
			 size_t row)
{
	const struct fz_compared *compared = &pair->rows[row];

	for (const struct fz_key *key = fz_keys; key->path; key++) {
		if (!fz_is_outcome(compared, key))
			continue;
		fz_note_add(note, "%s%s kernel %s: ", note->used ? "; " : "",
			    compared->base.row->id, key->path);
		add_outcome(note, pair, compared->base.row->json, key->path, 0);
		add_outcome(note, pair, compared->other.row->json, key->path,
			    1);
	}
}

bool fz_pair_has_outcomes(const struct fz_pair *pair)
{
	for (size_t i = 0; i < pair->nr_rows; i++)
		for (const struct fz_key *key = fz_keys; key->path; key++)
			if (fz_is_outcome(&pair->rows[i], key))
				return true;
	return false;
}

size_t fz_nr_tested(const struct fz_compare *compare, bool of_runs)
{
	size_t nr = 0;

	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->pairs[i].nr_rows; j++)
			nr += fz_compared_is_tested(
				      &compare->pairs[i].rows[j]) &&
			      compare->pairs[i].rows[j].of_runs == of_runs;
	return nr;
}

size_t fz_nr_with(const struct fz_compare *compare,
		  enum fz_compare_verdict verdict)
{
	size_t nr = 0;

	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->pairs[i].nr_rows; j++)
			nr += compare->pairs[i].rows[j].verdict == verdict;
	return nr;
}

/* "so often per timed second: 146 in A, 111 in B"; nothing if nowhere. */
static void add_disturbed_runs(struct fz_note *note,
			       const struct fz_compare *compare)
{
	for (size_t i = 0; i < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->sides[i].nr; j++) {
			const struct fz_document *document =
				&compare->sides[i].documents[j];
			char run[8];

			if (!fz_document_is_disturbed(document))
				continue;
			fz_run_name(run, sizeof(run), &compare->sides[i], i, j);
			if (!note->used)
				fz_note_add(note,
					    "disturbed: other tasks took the "
					    "CPU so often per timed second:");
			else
				fz_note_add(note, ",");
			fz_note_add(note, " %.0f in %s",
				    document->switches_per_s, run);
		}
}

void fz_note_add_disturbed(struct fz_note *note,
			   const struct fz_compare *compare)
{
	add_disturbed_runs(note, compare);
	if (!note->used)
		return;
	if (fz_nr_with(compare, FZ_COMPARE_DISTURBED))
		fz_note_add(note,
			    "; nothing can be assumed about what such runs "
			    "differ by, and they do not count: measure again, "
			    "or say it with --between-runs");
	else if (compare->between_runs >= 0)
		fz_note_add(note,
			    "; a difference between the sides may be theirs");
	else
		fz_note_add(note, "; such runs do not count");
}

/* Of all rows with one run a side. */
static double largest_allowance(const struct fz_compare *compare)
{
	double largest = 0;

	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->pairs[i].nr_rows; j++) {
			const struct fz_compared *row =
				&compare->pairs[i].rows[j];

			if (!row->of_runs && fz_compared_is_tested(row))
				largest = fmax(largest,
					       fmax(row->base.between_runs,
						    row->other.between_runs));
		}
	return largest;
}

void fz_note_add_rounds_method(struct fz_note *note,
			       const struct fz_compare *compare)
{
	fz_note_add(note,
		    "one run a side: ratio of the rounds (Hodges-Lehmann, rank "
		    "sum); how much runs differ was not measured but ");
	if (compare->between_runs >= 0)
		fz_note_add(note, "given, %.3g %% (standard deviation)",
			    100 * compare->between_runs);
	else
		fz_note_add(note,
			    "assumed, up to %.1f %% (standard deviation: "
			    "half of the spread of the rounds, at least 1 %%)",
			    100 * largest_allowance(compare));
}

/* Of a side, those that count: of the row that has the most. */
static size_t nr_runs(const struct fz_compare *compare, size_t side)
{
	size_t most = 0;

	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->pairs[i].nr_rows; j++) {
			const struct fz_compared *row =
				&compare->pairs[i].rows[j];
			const size_t runs = side == 0       ? row->base.runs
					    : side == i + 1 ? row->other.runs
							    : 0;

			if (fz_compared_is_tested(row) && runs > most)
				most = runs;
		}
	return most;
}

void fz_note_add_runs_method(struct fz_note *note,
			     const struct fz_compare *compare)
{
	fz_note_add(note,
		    "several runs: Welch's t-test of the logarithms of the "
		    "runs' medians");
	for (size_t i = 0; i < compare->nr_sides; i++)
		fz_note_add(note, "%s %zu in %c", i ? "," : ";",
			    nr_runs(compare, i), fz_side_letter(i));
}

/* The names of two that are the same, once for each such two. */
static void add_twins_of(struct fz_note *note, const struct fz_compare *compare,
			 size_t side, size_t run)
{
	const struct fz_document *one = &compare->sides[side].documents[run];

	for (size_t i = 0; i <= side; i++)
		for (size_t j = 0; j < compare->sides[i].nr; j++) {
			char a[8], b[8];

			if (i == side && j >= run)
				return;
			if (!fz_document_is_same(
				    one, &compare->sides[i].documents[j]))
				continue;
			fz_run_name(a, sizeof(a), &compare->sides[i], i, j);
			fz_run_name(b, sizeof(b), &compare->sides[side], side,
				    run);
			fz_note_add(note, "%s%s and %s", note->used ? ", " : "",
				    a, b);
			return;
		}
}

void fz_note_add_twins(struct fz_note *note, const struct fz_compare *compare)
{
	for (size_t i = 0; i < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->sides[i].nr; j++)
			add_twins_of(note, compare, i, j);
	if (note->used)
		fz_note_add(note, " are the same measurement, not two");
}

double fz_ratio_pct(double ratio)
{
	return 100 * (ratio - 1);
}
