// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison as a document: foliosim.compare/1; and as CSV. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "json_value.h"
#include "view.h"

static json_t *letter_json(size_t index)
{
	const char letter[] = { fz_side_letter(index), '\0' };

	return json_string(letter);
}

static json_t *document_json(const struct fz_document *document)
{
	return json_pack("{s:o, s:o, s:o, s:O, s:b, s:i, s:o}", "path",
			 fz_json_text(document->path), "version",
			 fz_json_text(document->version), "command",
			 fz_json_text(document->command), "seed",
			 document->seed, "partial", document->partial, "rows",
			 (int)document->nr_rows, "switches_per_s",
			 fz_json_real(document->switches_per_s));
}

static json_t *side_json(const struct fz_side *side, size_t index)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < side->nr; i++)
		json_array_append_new(runs, document_json(&side->documents[i]));
	return json_pack("{s:o, s:o}", "side", letter_json(index), "runs",
			 runs);
}

/* The members that make a row comparable, as in the result document. */
static json_t *settings_json(const json_t *row)
{
	json_t *settings = json_object();

	for (const struct fz_key *key = fz_keys; key->path; key++) {
		const json_t *value = fz_json_at(row, key->path);

		json_object_set_new(settings, key->path,
				    value ? json_deep_copy(value)
					  : json_null());
	}
	return settings;
}

static json_t *of_row(const struct fz_read_row *row, const char *member)
{
	json_t *value = json_object_get(row->json, member);

	return value ? json_incref(value) : json_null();
}

static json_t *compared_side_json(const struct fz_compared_side *side)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
			 side->row->id, "policy", of_row(side->row, "policy"),
			 "preempt", of_row(side->row, "preempt"), "runs",
			 fz_json_count(side->runs), "rounds",
			 fz_json_count(side->rounds), "median_bps",
			 fz_json_real(side->bps), "assumed_between_runs_pct",
			 fz_json_real(100 * side->between_runs));
}

static json_t *interval_json(bool has, struct fz_interval interval)
{
	if (!has || !isfinite(interval.lo) || !isfinite(interval.hi))
		return json_null();
	return json_pack("[o, o]", fz_json_real(interval.lo),
			 fz_json_real(interval.hi));
}

static json_t *change_json(const struct fz_compared *row)
{
	const bool has = fz_compared_is_tested(row);
	struct fz_interval interval = { NAN, NAN };
	double detectable = NAN;

	if (has) {
		interval = fz_change_interval(&row->change, row->level);
		detectable = fz_change_detectable(&row->change, row->level);
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "ratio",
			 fz_json_real(exp(row->change.log_ratio)), "ci95",
			 interval_json(has, interval), "p",
			 fz_json_probability(row->change.p), "level",
			 fz_json_real(row->level), "detectable_ratio",
			 fz_json_real(detectable));
}

static json_t *rounds_alone_json(const struct fz_compared *row)
{
	const bool has = isfinite(row->rounds_alone.p);

	return json_pack("{s:o, s:o, s:o}", "p",
			 fz_json_probability(row->rounds_alone.p), "ratio",
			 fz_json_real(has ? row->rounds_alone.ratio : NAN),
			 "ci95", interval_json(has, row->rounds_alone.ci));
}

static const char *unit_name(const struct fz_compared *row)
{
	return row->of_runs ? "runs" : "rounds";
}

static json_t *compared_json(const struct fz_pair *pair,
			     const struct fz_compared *row)
{
	return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "base", letter_json(pair->indices[0]), "side",
			 letter_json(pair->indices[1]), "verdict",
			 fz_compare_verdict_name(row->verdict), "unit",
			 unit_name(row), "change", change_json(row),
			 "others_ratio", fz_json_real(row->others_ratio),
			 "rounds_alone", rounds_alone_json(row), "before",
			 compared_side_json(&row->base), "after",
			 compared_side_json(&row->other), "settings",
			 settings_json(row->base.row->json));
}

static json_t *rows_json(const struct fz_pair *pair)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < pair->nr_rows; i++)
		json_array_append_new(rows,
				      compared_json(pair, &pair->rows[i]));
	return rows;
}

static const char *why_name(enum fz_left_out why)
{
	static const char *const names[] = {
		[FZ_LEFT_UNMATCHED] = "unmatched",
		[FZ_LEFT_NOT_MEASURED] = "not-measured",
		[FZ_LEFT_DUPLICATE] = "duplicate",
		[FZ_LEFT_TOO_SHORT] = "too-few-rounds",
		[FZ_LEFT_DISTURBED] = "disturbed",
	};

	return names[why];
}

static json_t *left_json(const struct fz_pair *pair)
{
	json_t *left = json_array();

	for (size_t i = 0; i < pair->nr_left; i++) {
		const struct fz_left_row *row = &pair->left[i];
		char label[200];

		fz_pair_label(label, sizeof(label), pair, row->row->json);
		json_array_append_new(
			left,
			json_pack("{s:o, s:i, s:s, s:s, s:s, s:o, s:o}", "side",
				  letter_json(pair->indices[row->side]), "run",
				  (int)row->run + 1, "id", row->row->id, "why",
				  why_name(row->why), "label", label, "reason",
				  fz_json_known(row->row->reason), "same_as",
				  fz_json_text(row->same ? row->same->id
							 : NULL)));
	}
	return left;
}

static json_t *facts_json(const struct fz_facts *facts)
{
	json_t *array = json_array();

	for (size_t i = 0; i < facts->nr; i++)
		json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:o}", "what",
				  fz_json_text(facts->fact[i].what), "base",
				  fz_json_text(facts->fact[i].base), "side",
				  fz_json_text(facts->fact[i].other)));
	return array;
}

static json_t *pair_json(const struct fz_pair *pair)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "base",
			 letter_json(pair->indices[0]), "side",
			 letter_json(pair->indices[1]), "differences",
			 facts_json(&pair->facts), "more_differences",
			 fz_json_count(pair->facts.more), "rows",
			 rows_json(pair), "left_out", left_json(pair));
}

static json_t *method_json(const struct fz_compare *compare)
{
	const bool given = compare->between_runs >= 0;

	return json_pack("{s:f, s:i, s:f, s:o}", "alpha", FZ_CHANGE_ALPHA,
			 "min_rounds", FZ_CHANGE_MIN_ROUNDS, "detectable_power",
			 FZ_CHANGE_POWER, "given_between_runs_pct",
			 given ? fz_json_real(100 * compare->between_runs)
			       : json_null());
}

int fz_compare_json(FILE *out, const struct fz_compare *compare)
{
	json_t *sides = json_array(), *pairs = json_array(), *document;
	int code;

	for (size_t i = 0; i < compare->nr_sides; i++)
		json_array_append_new(sides, side_json(&compare->sides[i], i));
	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		json_array_append_new(pairs, pair_json(&compare->pairs[i]));
	document = json_pack(
		"{s:s, s:{s:s, s:o}, s:o, s:o, s:o}", "schema",
		"foliosim.compare/1", "tool", "version", FZ_VERSION, "command",
		fz_json_text(compare->command), "method", method_json(compare),
		"sides", sides, "comparisons", pairs);
	code = fz_json_print(out, document);
	json_decref(document);
	return code;
}

static int write_row(FILE *out, const struct fz_pair *pair, size_t row,
		     bool header)
{
	json_t *object = compared_json(pair, &pair->rows[row]);
	int code = object ? 0 : -ENOMEM;

	if (!code && header)
		code = fz_csv_line(out, true, object);
	if (!code)
		code = fz_csv_line(out, false, object);
	json_decref(object);
	return code;
}

int fz_compare_csv(FILE *out, const struct fz_compare *compare)
{
	struct fz_view view;
	int code = fz_view_begin(&view);
	bool header = true;

	if (code)
		return code;
	for (size_t i = 0; i + 1 < compare->nr_sides; i++)
		for (size_t j = 0; j < compare->pairs[i].nr_rows && !code;
		     j++) {
			code = write_row(view.stream, &compare->pairs[i], j,
					 header);
			header = false;
		}
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
