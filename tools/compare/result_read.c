// SPDX-License-Identifier: GPL-2.0-or-later
/* A result document read back: checked once, so that its users need not. */
#include "result_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/statistics.h>

#include "json_read.h"
#include "row_key.h"
#include "row_places.h"

/* A clock has no finer tick, and nobody waits for a round longer than that. */
#define MIN_SECONDS 1e-9
#define MAX_SECONDS 1e6

static const struct fz_json_member document_members[] = {
	{ "partial", FZ_JSON_BOO, false },
	{ "tool", FZ_JSON_OBJ, false },
	{ "machine", FZ_JSON_OBJ, false },
	{ "rows", FZ_JSON_ARR, false },
	{ NULL, 0, false },
};

static const struct fz_json_member tool_members[] = {
	{ "version", FZ_JSON_STR, false },
	{ "command", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "seed", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ NULL, 0, false },
};

/* Later versions may have members that earlier ones have not. */
static const struct fz_json_member row_members[] = {
	{ "id", FZ_JSON_STR, false },
	{ "status", FZ_JSON_STR, false },
	{ "reason", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "engine", FZ_JSON_STR, false },
	{ "policy", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "clear", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "stream_clear", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "page_size_bytes", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ "backing", FZ_JSON_OBJ, false },
	{ "folio_bytes", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ "fault_page", FZ_JSON_INT | FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "preempt", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ "batch_bytes", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ "radius_pages", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ "use", FZ_JSON_STR | FZ_JSON_NUL, true },
	{ "highmem", FZ_JSON_BOO | FZ_JSON_NUL, true },
	{ "per_page_clear", FZ_JSON_BOO | FZ_JSON_NUL, true },
	{ "waker", FZ_JSON_OBJ | FZ_JSON_NUL, true },
	{ "threads", FZ_JSON_INT, false },
	{ "rounds", FZ_JSON_INT, false },
	{ "faults", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ "bytes", FZ_JSON_INT | FZ_JSON_NUL, false },
	{ "seconds", FZ_JSON_ARR, false },
	{ "noise", FZ_JSON_OBJ | FZ_JSON_NUL, true },
	{ "timing", FZ_JSON_STR | FZ_JSON_NUL, true },
	{ "placement", FZ_JSON_ARR | FZ_JSON_NUL, true },
	{ "same_as", FZ_JSON_ARR | FZ_JSON_NUL, true },
	{ NULL, 0, false },
};

static const struct fz_json_member backing_members[] = {
	{ "kind", FZ_JSON_STR | FZ_JSON_NUL, false },
	{ NULL, 0, false },
};

static int check_schema(const struct fz_json_reading *r, const json_t *root)
{
	const json_t *schema = json_object_get(root, "schema");

	if (!json_is_object(root) || !json_is_string(schema))
		return fz_json_fail(
			r, -EBADMSG,
			"it is no result of 'foliosim bench --format "
			"json': no member 'schema'");
	if (strcmp(json_string_value(schema), FZ_RESULT_SCHEMA) == 0)
		return 0;
	return fz_json_fail(
		r, -EBADMSG,
		"its schema is '%.40s'; understood is '" FZ_RESULT_SCHEMA "'",
		json_string_value(schema));
}

static int check_second(const struct fz_json_reading *r, const char *where,
			size_t round, const json_t *value, double *seconds)
{
	if (!json_is_number(value))
		return fz_json_fail(r, -EBADMSG,
				    "%sround %zu has no number of seconds",
				    where, round + 1);
	*seconds = json_number_value(value);
	if (*seconds >= MIN_SECONDS && *seconds <= MAX_SECONDS)
		return 0;
	return fz_json_fail(r, -EBADMSG,
			    "%sround %zu cannot have lasted %g seconds", where,
			    round + 1, *seconds);
}

static int read_seconds(const struct fz_json_reading *r, const char *where,
			struct fz_read_row *row, const json_t *seconds)
{
	int code = 0;

	row->seconds = calloc(row->rounds, sizeof(*row->seconds));
	if (!row->seconds)
		return fz_json_fail(r, -ENOMEM, "out of memory");
	for (size_t i = 0; i < row->rounds && !code; i++)
		code = check_second(r, where, i, json_array_get(seconds, i),
				    &row->seconds[i]);
	return code;
}

static int read_rounds(const struct fz_json_reading *r, const char *where,
		       struct fz_read_row *row)
{
	const json_t *seconds = json_object_get(row->json, "seconds");
	const json_int_t rounds =
		json_integer_value(json_object_get(row->json, "rounds"));
	const json_int_t bytes =
		json_integer_value(json_object_get(row->json, "bytes"));

	if (rounds < 0 || rounds > FZ_MAX_ROUNDS)
		return fz_json_fail(r, -EBADMSG,
				    "%s%" JSON_INTEGER_FORMAT
				    " rounds; 0 to %d are understood",
				    where, rounds, FZ_MAX_ROUNDS);
	if ((size_t)rounds != json_array_size(seconds))
		return fz_json_fail(r, -EBADMSG,
				    "%s%" JSON_INTEGER_FORMAT
				    " rounds, but %zu entries in 'seconds'",
				    where, rounds, json_array_size(seconds));
	if (!rounds)
		return 0;
	if (bytes <= 0)
		return fz_json_fail(r, -EBADMSG, "%srounds without 'bytes'",
				    where);
	row->rounds = (size_t)rounds;
	row->bytes = (double)bytes;
	return read_seconds(r, where, row, seconds);
}

/* "r1" and so on; other names could be anything. */
static bool is_id(const char *id)
{
	const size_t digits = id[0] == 'r' ? strspn(id + 1, "0123456789") : 0;

	return digits && digits < 10 && !id[1 + digits] && id[1] != '0';
}

/* Give a row what it is priced by; null = it is measured, or nobody knows. */
static int add_profile(const json_t *root, json_t *row)
{
	const char *engine = json_string_value(json_object_get(row, "engine"));
	const json_t *profile = fz_json_at(root, "prices.profile");
	const char *name;

	if (!profile)
		profile = fz_json_at(root, "trace.prices.profile");
	name = strcmp(engine, "model") == 0 ? json_string_value(profile) : NULL;
	return json_object_set_new(row, "profile",
				   name ? json_string(name) : json_null());
}

static int read_row(const struct fz_json_reading *r, struct fz_read_row *row,
		    const json_t *root, json_t *json, size_t index)
{
	char where[32];
	int code;

	snprintf(where, sizeof(where), "row %zu: ", index + 1);
	row->json = json;
	if (!json_is_object(json))
		return fz_json_fail(r, -EBADMSG, "row %zu is not an object",
				    index + 1);
	code = fz_json_check_members(r, where, json, row_members);
	if (!code)
		code = fz_json_check_members(r, where,
					     json_object_get(json, "backing"),
					     backing_members);
	if (code)
		return code;
	row->id = json_string_value(json_object_get(json, "id"));
	row->reason = json_string_value(json_object_get(json, "reason"));
	if (!is_id(row->id))
		return fz_json_fail(r, -EBADMSG, "%s'id' is not r1 or the like",
				    where);
	if (fz_row_add_places(json) || add_profile(root, json))
		return fz_json_fail(r, -ENOMEM, "out of memory");
	return read_rounds(r, where, row);
}

static int read_rows(const struct fz_json_reading *r,
		     struct fz_document *document)
{
	const json_t *rows = json_object_get(document->root, "rows");
	const size_t nr = json_array_size(rows);
	int code = 0;

	if (nr > FZ_RESULT_MAX_ROWS)
		return fz_json_fail(r, -EBADMSG, "%zu rows; %d are understood",
				    nr, FZ_RESULT_MAX_ROWS);
	document->rows = calloc(nr + 1, sizeof(*document->rows));
	if (!document->rows)
		return fz_json_fail(r, -ENOMEM, "out of memory");
	document->nr_rows = nr;
	for (size_t i = 0; i < nr && !code; i++)
		code = read_row(r, &document->rows[i], document->root,
				json_array_get(rows, i), i);
	return code;
}

/* Whatever a document says: one measurement has the same seconds. */
static bool share_seconds(const struct fz_read_row *a,
			  const struct fz_read_row *b)
{
	return a->rounds == b->rounds && a->bytes == b->bytes &&
	       memcmp(a->seconds, b->seconds,
		      a->rounds * sizeof(*a->seconds)) == 0;
}

/* `places` has the index of each id. Rows before this one have their leads. */
static void find_lead(struct fz_document *document, size_t index,
		      const json_t *places)
{
	struct fz_read_row *row = &document->rows[index];
	const json_t *ids = json_object_get(row->json, "same_as");
	size_t first = index;

	for (size_t i = 0; row->rounds && i < json_array_size(ids); i++) {
		const char *id = json_string_value(json_array_get(ids, i));
		const json_t *place = json_object_get(places, id);
		const size_t other = (size_t)json_integer_value(place);

		if (place && other < first &&
		    share_seconds(row, &document->rows[other]))
			first = other;
	}
	row->lead = first == index ? row : document->rows[first].lead;
}

static int find_leads(const struct fz_json_reading *r,
		      struct fz_document *document)
{
	json_t *places = json_object();
	int code = places ? 0 : -ENOMEM;

	for (size_t i = document->nr_rows; i-- > 0 && !code;)
		if (json_object_set_new(places, document->rows[i].id,
					json_integer((json_int_t)i)))
			code = -ENOMEM;
	for (size_t i = 0; i < document->nr_rows && !code; i++)
		find_lead(document, i, places);
	json_decref(places);
	return code ? fz_json_fail(r, code, "out of memory") : 0;
}

/* Involuntary switches of a row; 0 where they are not known. */
static double switches_of(const struct fz_read_row *row)
{
	const json_t *noise = json_object_get(row->json, "noise");
	const json_int_t nr = json_integer_value(
		json_object_get(noise, "involuntary_switches"));

	return nr > 0 ? (double)nr : 0;
}

/* Do its switches tell of other tasks? A waker takes the CPU on purpose, and
 * threads that wait for each other yield it. */
static bool tells_of_others(const struct fz_read_row *row)
{
	const json_t *waker = json_object_get(row->json, "waker");

	return row->rounds && !json_is_string(json_object_get(waker, "by")) &&
	       json_integer_value(json_object_get(row->json, "threads")) == 1;
}

static void read_noise(struct fz_document *document)
{
	double seconds = 0;

	for (size_t i = 0; i < document->nr_rows; i++) {
		const struct fz_read_row *row = &document->rows[i];

		if (row->lead != row || !tells_of_others(row))
			continue;
		document->switches += switches_of(row);
		for (size_t round = 0; round < row->rounds; round++)
			seconds += row->seconds[round];
	}
	if (seconds > 0)
		document->switches_per_s = document->switches / seconds;
}

bool fz_document_is_disturbed(const struct fz_document *document)
{
	return document->switches >= FZ_DISTURBED_SWITCHES &&
	       document->switches_per_s >= FZ_DISTURBED_PER_S;
}

static int read_root(const struct fz_json_reading *r,
		     struct fz_document *document)
{
	const json_t *root = document->root;
	const json_t *tool = json_object_get(root, "tool");
	int code = check_schema(r, root);

	if (!code)
		code = fz_json_check_members(r, "", root, document_members);
	if (!code)
		code = fz_json_check_members(r, "tool: ", tool, tool_members);
	if (code)
		return code;
	document->partial = json_is_true(json_object_get(root, "partial"));
	document->machine = json_object_get(root, "machine");
	document->version = json_string_value(json_object_get(tool, "version"));
	document->command = json_string_value(json_object_get(tool, "command"));
	document->seed = json_object_get(tool, "seed");
	code = read_rows(r, document);
	if (!code)
		code = find_leads(r, document);
	if (!code)
		read_noise(document);
	return code;
}

int fz_document_parse(struct fz_document *document, const char *path,
		      const char *text, size_t bytes, struct fz_err *err)
{
	const struct fz_json_reading r = { path, err };
	int code;

	*document = (struct fz_document){ .path = path };
	code = fz_json_load(&r, text, bytes, &document->root);
	if (code)
		return code;
	return read_root(&r, document);
}

int fz_document_read(struct fz_document *document, const char *path,
		     struct fz_err *err)
{
	const struct fz_json_reading r = { path, err };
	char *text = NULL;
	size_t bytes;
	int code;

	*document = (struct fz_document){ .path = path };
	code = fz_json_read_text(&r, FZ_RESULT_MAX_BYTES, &text, &bytes);
	if (!code)
		code = fz_document_parse(document, path, text, bytes, err);
	free(text);
	return code;
}

bool fz_document_is_same(const struct fz_document *a,
			 const struct fz_document *b)
{
	return json_equal(a->root, b->root);
}

void fz_document_fini(struct fz_document *document)
{
	for (size_t i = 0; i < document->nr_rows; i++)
		free(document->rows[i].seconds);
	free(document->rows);
	json_decref(document->root);
	*document = (struct fz_document){ .path = NULL };
}
