// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows of two sides are the same measurement. */
#include "compare_match.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A measured row and its place. */
struct entry {
	char *key;
	const struct fz_read_row *row;
	unsigned int side;
	size_t run;
	size_t order; /* in which it was found */
};

struct entries {
	struct entry *entry; /* [nr] */
	size_t nr;
};

static size_t nr_rows(const struct fz_pair *pair)
{
	size_t nr = 0;

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < pair->sides[side].nr; i++)
			nr += pair->sides[side].documents[i].nr_rows;
	return nr;
}

static void leave_out(struct fz_pair *pair, enum fz_left_out why,
		      const struct entry *entry, const struct fz_read_row *same)
{
	pair->left[pair->nr_left++] = (struct fz_left_row){
		.why = why,
		.side = entry->side,
		.run = entry->run,
		.row = entry->row,
		.same = same,
	};
}

static int add_entry(struct entries *entries, struct fz_pair *pair,
		     struct entry entry)
{
	if (!entry.row->rounds) {
		leave_out(pair, FZ_LEFT_NOT_MEASURED, &entry, NULL);
		return 0;
	}
	entry.key = fz_row_key(entry.row->json);
	entry.order = entries->nr;
	entries->entry[entries->nr++] = entry;
	return entry.key ? 0 : -ENOMEM;
}

static int collect(struct entries *entries, struct fz_pair *pair)
{
	int code = 0;

	for (unsigned int side = 0; side < 2; side++)
		for (size_t run = 0; run < pair->sides[side].nr; run++) {
			const struct fz_document *document =
				&pair->sides[side].documents[run];

			for (size_t i = 0; i < document->nr_rows && !code; i++)
				code = add_entry(
					entries, pair,
					(struct entry){
						.row = &document->rows[i],
						.side = side,
						.run = run,
					});
		}
	return code;
}

/* Equal keys together, and among them in the order they were found. */
static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int order = strcmp(x->key, y->key);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static bool all_of_side(const struct entry *entry, size_t nr, unsigned int side)
{
	for (size_t i = 0; i < nr; i++)
		if (entry[i].side != side)
			return false;
	return true;
}

/* Entries of one key: a match, unless one side has none of it. */
static void match_key(struct fz_match *match, struct fz_pair *pair,
		      const struct entry *entry, size_t nr)
{
	struct fz_matched_row *matched = &match->matched[match->nr];
	const bool missing =
		all_of_side(entry, nr, 0) || all_of_side(entry, nr, 1);

	memset(matched, 0, sizeof(*matched));
	if (missing)
		leave_out(pair, FZ_LEFT_UNMATCHED, &entry[0], NULL);
	for (size_t i = 0; i < nr; i++) {
		const struct fz_read_row **place =
			&matched->sides[entry[i].side].runs[entry[i].run];

		if (*place)
			leave_out(pair, FZ_LEFT_DUPLICATE, &entry[i], *place);
		else
			*place = entry[i].row;
	}
	match->nr += !missing;
}

static void match_entries(struct fz_match *match, struct fz_pair *pair,
			  struct entries *entries)
{
	size_t first = 0;

	qsort(entries->entry, entries->nr, sizeof(*entries->entry),
	      compare_entries);
	for (size_t i = 1; i <= entries->nr; i++) {
		if (i < entries->nr && strcmp(entries->entry[first].key,
					      entries->entry[i].key) == 0)
			continue;
		match_key(match, pair, &entries->entry[first], i - first);
		first = i;
	}
}

/* Rows of a document stand in one array. */
static int compare_places(const struct fz_read_row *a,
			  const struct fz_read_row *b)
{
	return (a > b) - (a < b);
}

/* In the order of the first run of the base, then of the second. */
static int compare_matched(const void *a, const void *b)
{
	const struct fz_matched_row *x = a, *y = b;

	for (size_t i = 0; i < FZ_COMPARE_MAX_RUNS; i++) {
		const struct fz_read_row *row_x = x->sides[0].runs[i];
		const struct fz_read_row *row_y = y->sides[0].runs[i];

		if (row_x && row_y)
			return compare_places(row_x, row_y);
		if (row_x || row_y)
			return row_x ? -1 : 1;
	}
	return 0;
}

static int compare_left(const void *a, const void *b)
{
	const struct fz_left_row *x = a, *y = b;

	if (x->why != y->why)
		return (x->why > y->why) - (x->why < y->why);
	if (x->side != y->side)
		return (x->side > y->side) - (x->side < y->side);
	if (x->run != y->run)
		return (x->run > y->run) - (x->run < y->run);
	return compare_places(x->row, y->row);
}

/* Does a row differ from the first one that has the setting? */
static bool differs_from_first(const struct fz_key *key, const json_t *row,
			       const json_t **first)
{
	const json_t *value = fz_json_at(row, key->path);

	if (!fz_key_applies(key, row) || !value || json_is_null(value))
		return false;
	if (!*first)
		*first = value;
	return !json_equal(*first, value);
}

static bool document_varies(const struct fz_document *document,
			    const struct fz_key *key, const json_t **first)
{
	for (size_t i = 0; i < document->nr_rows; i++)
		if (differs_from_first(key, document->rows[i].json, first))
			return true;
	return false;
}

static bool varies_anywhere(const struct fz_pair *pair,
			    const struct fz_key *key)
{
	const json_t *first = NULL;

	for (size_t side = 0; side < 2; side++)
		for (size_t run = 0; run < pair->sides[side].nr; run++)
			if (document_varies(&pair->sides[side].documents[run],
					    key, &first))
				return true;
	return false;
}

/* Some run of the base has it. */
static const json_t *json_of(const struct fz_matched_row *matched)
{
	const struct fz_read_row *const *run = matched->sides[0].runs;

	while (!*run)
		run++;
	return (*run)->json;
}

static bool varies_in_matches(const struct fz_match *match,
			      const struct fz_key *key)
{
	const json_t *first = NULL;

	for (size_t i = 0; i < match->nr; i++)
		if (differs_from_first(key, json_of(&match->matched[i]),
				       &first))
			return true;
	return false;
}

static void find_varying(struct fz_pair *pair, const struct fz_match *match)
{
	/* The first two, engine and policy, are the name of a row. */
	for (size_t i = 2; fz_keys[i].path; i++) {
		assert(i < FZ_COMPARE_MAX_KEYS);
		pair->varies[i] = varies_in_matches(match, &fz_keys[i]);
		pair->varies_any[i] = varies_anywhere(pair, &fz_keys[i]);
	}
}

static unsigned int nr_differences(const json_t *a, const json_t *b)
{
	unsigned int nr = 0;

	for (const struct fz_key *key = fz_keys; key->path; key++)
		nr += fz_key_applies(key, a) && fz_key_differs(key, a, b);
	return nr;
}

/* Enough to look through for a hint. */
#define MAX_LOOKED_AT 256

/* The two unmatched rows that are most alike; false if a side has none. */
static bool find_closest(const struct fz_pair *pair,
			 const struct fz_read_row **base,
			 const struct fz_read_row **other)
{
	unsigned int fewest = FZ_COMPARE_MAX_KEYS;

	for (size_t i = 0; i < pair->nr_left && i < MAX_LOOKED_AT; i++)
		for (size_t j = 0; j < pair->nr_left; j++) {
			const struct fz_left_row *a = &pair->left[i];
			const struct fz_left_row *b = &pair->left[j];
			unsigned int nr;

			if (a->why != FZ_LEFT_UNMATCHED ||
			    b->why != FZ_LEFT_UNMATCHED || a->side || !b->side)
				continue;
			nr = nr_differences(a->row->json, b->row->json);
			if (nr >= fewest)
				continue;
			fewest = nr;
			*base = a->row;
			*other = b->row;
		}
	return fewest < FZ_COMPARE_MAX_KEYS;
}

static void value_word(char *buf, size_t cap, const struct fz_key *key,
		       const json_t *row)
{
	const struct fz_key bare = { .path = key->path, .form = key->form };

	fz_key_text(buf, cap, &bare, row);
	if (!buf[0] || key->form == FZ_KEY_FLAG)
		snprintf(buf, cap, "%s",
			 json_is_true(fz_json_at(row, key->path))    ? "true"
			 : json_is_false(fz_json_at(row, key->path)) ? "false"
								     : "null");
}

/* "page_size_bytes (2M, 1G)": the first setting that differs. */
static void first_difference(char *buf, size_t cap, const json_t *a,
			     const json_t *b)
{
	buf[0] = '\0';
	for (const struct fz_key *key = fz_keys; key->path; key++) {
		char in_a[80], in_b[80];

		if (!fz_key_applies(key, a) || !fz_key_differs(key, a, b))
			continue;
		value_word(in_a, sizeof(in_a), key, a);
		value_word(in_b, sizeof(in_b), key, b);
		snprintf(buf, cap, "%s (%s, %s)", key->path, in_a, in_b);
		return;
	}
}

static size_t nr_measured(const struct fz_side *side)
{
	size_t nr = 0;

	for (size_t run = 0; run < side->nr; run++)
		for (size_t i = 0; i < side->documents[run].nr_rows; i++)
			nr += side->documents[run].rows[i].rounds > 0;
	return nr;
}

static int no_match(const struct fz_pair *pair, struct fz_err *err)
{
	const struct fz_read_row *base, *other;
	char difference[200];

	for (size_t side = 0; side < 2; side++)
		if (!nr_measured(&pair->sides[side]))
			return fz_err_set(err, -EBADMSG,
					  "'%s' has no measured row",
					  pair->sides[side].documents[0].path);
	if (!find_closest(pair, &base, &other))
		return fz_err_set(err, -EBADMSG, "nothing to compare");
	first_difference(difference, sizeof(difference), other->json,
			 base->json);
	return fz_err_set(err, -EBADMSG,
			  "no row of '%s' has the settings of a row of '%s'; "
			  "the closest, %s and %s, differ in %s",
			  pair->sides[1].documents[0].path,
			  pair->sides[0].documents[0].path, other->id, base->id,
			  difference);
}

static int match_all(struct fz_match *match, struct fz_pair *pair,
		     struct entries *entries, struct fz_err *err)
{
	const int code = collect(entries, pair);

	if (code)
		return code;
	match_entries(match, pair, entries);
	qsort(match->matched, match->nr, sizeof(*match->matched),
	      compare_matched);
	qsort(pair->left, pair->nr_left, sizeof(*pair->left), compare_left);
	find_varying(pair, match);
	return match->nr ? 0 : no_match(pair, err);
}

int fz_match_make(struct fz_match *match, struct fz_pair *pair,
		  struct fz_err *err)
{
	const size_t nr = nr_rows(pair);
	struct entries entries = { .nr = 0 };
	int code = -ENOMEM;

	entries.entry = calloc(nr + 1, sizeof(*entries.entry));
	match->matched = calloc(nr + 1, sizeof(*match->matched));
	/* A row can be a duplicate and of no match at once. */
	pair->left = calloc(2 * nr + 1, sizeof(*pair->left));
	if (entries.entry && match->matched && pair->left)
		code = match_all(match, pair, &entries, err);
	for (size_t i = 0; i < entries.nr; i++)
		free(entries.entry[i].key);
	free(entries.entry);
	return code;
}

void fz_match_fini(struct fz_match *match)
{
	free(match->matched);
	match->matched = NULL;
	match->nr = 0;
}
