// SPDX-License-Identifier: GPL-2.0-or-later
/* A result document read back: checked once, so that its users need not. */
#include "result_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/statistics.h>

#include "printable.h"
#include "row_places.h"

/* A clock has no finer tick, and nobody waits for a round longer than that. */
#define MIN_SECONDS 1e-9
#define MAX_SECONDS 1e6

/* First piece of a file; it is doubled from there on. */
#define FIRST_BYTES ((size_t)1 << 16)

/* JSON types that a member may have, as a set. */
enum {
	NUL = 1u << JSON_NULL,
	STR = 1u << JSON_STRING,
	INT = 1u << JSON_INTEGER,
	OBJ = 1u << JSON_OBJECT,
	ARR = 1u << JSON_ARRAY,
	BOO = 1u << JSON_TRUE | 1u << JSON_FALSE,
};

struct member {
	const char *name;
	unsigned int types;
	bool optional;
};

static const struct member document_members[] = {
	{ "partial", BOO, false }, { "tool", OBJ, false },
	{ "machine", OBJ, false }, { "rows", ARR, false },
	{ NULL, 0, false },
};

static const struct member tool_members[] = {
	{ "version", STR, false },
	{ "command", STR | NUL, false },
	{ "seed", INT | NUL, false },
	{ NULL, 0, false },
};

/* Later versions may have members that earlier ones have not. */
static const struct member row_members[] = {
	{ "id", STR, false },
	{ "status", STR, false },
	{ "reason", STR | NUL, false },
	{ "engine", STR, false },
	{ "policy", STR | NUL, false },
	{ "clear", STR | NUL, false },
	{ "stream_clear", STR | NUL, false },
	{ "page_size_bytes", INT | NUL, false },
	{ "backing", OBJ, false },
	{ "folio_bytes", INT | NUL, false },
	{ "fault_page", INT | STR | NUL, false },
	{ "preempt", STR | NUL, false },
	{ "batch_bytes", INT | NUL, false },
	{ "radius_pages", INT | NUL, false },
	{ "use", STR | NUL, true },
	{ "highmem", BOO | NUL, true },
	{ "per_page_clear", BOO | NUL, true },
	{ "waker", OBJ | NUL, true },
	{ "threads", INT, false },
	{ "rounds", INT, false },
	{ "faults", INT | NUL, false },
	{ "bytes", INT | NUL, false },
	{ "seconds", ARR, false },
	{ "noise", OBJ | NUL, true },
	{ "timing", STR | NUL, true },
	{ "placement", ARR | NUL, true },
	{ "same_as", ARR | NUL, true },
	{ NULL, 0, false },
};

static const struct member backing_members[] = {
	{ "kind", STR | NUL, false },
	{ NULL, 0, false },
};

/* The document being read, for sentences. */
struct reading {
	const char *path;
	struct fz_err *err;
};

static int fail(const struct reading *r, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(const struct reading *r, int code, const char *format, ...)
{
	char cause[512];
	va_list args;

	va_start(args, format);
	vsnprintf(cause, sizeof(cause), format, args);
	va_end(args);
	fz_make_printable(cause);
	if (strcmp(r->path, "-") == 0)
		return fz_err_set(r->err, code,
				  "cannot read standard input: %s", cause);
	return fz_err_set(r->err, code, "cannot read '%s': %s", r->path, cause);
}

/* "a string or null" */
static void types_text(char *buf, size_t cap, unsigned int types)
{
	static const struct {
		unsigned int type;
		const char *name;
	} names[] = {
		{ OBJ, "an object" },      { ARR, "an array" },
		{ INT, "a whole number" }, { STR, "a string" },
		{ BOO, "true or false" },  { NUL, "null" },
	};

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t used = strlen(buf);

		if (types & names[i].type)
			snprintf(buf + used, cap - used, "%s%s",
				 used ? " or " : "", names[i].name);
	}
}

/* `where` names the object: "", "tool: ", "row 3: ". */
static int check_members(const struct reading *r, const char *where,
			 const json_t *object, const struct member *members)
{
	for (; members->name; members++) {
		const json_t *value = json_object_get(object, members->name);
		char wanted[80];

		if (!value && members->optional)
			continue;
		if (!value)
			return fail(r, -EBADMSG, "%sno member '%s'", where,
				    members->name);
		if (members->types & 1u << json_typeof(value))
			continue;
		types_text(wanted, sizeof(wanted), members->types);
		return fail(r, -EBADMSG, "%s'%s' is not %s", where,
			    members->name, wanted);
	}
	return 0;
}

static int check_schema(const struct reading *r, const json_t *root)
{
	const json_t *schema = json_object_get(root, "schema");

	if (!json_is_object(root) || !json_is_string(schema))
		return fail(r, -EBADMSG,
			    "it is no result of 'foliosim bench --format "
			    "json': no member 'schema'");
	if (strcmp(json_string_value(schema), FZ_RESULT_SCHEMA) == 0)
		return 0;
	return fail(r, -EBADMSG,
		    "its schema is '%.40s'; understood is '" FZ_RESULT_SCHEMA
		    "'",
		    json_string_value(schema));
}

static int check_second(const struct reading *r, const char *where,
			size_t round, const json_t *value, double *seconds)
{
	if (!json_is_number(value))
		return fail(r, -EBADMSG, "%sround %zu has no number of seconds",
			    where, round + 1);
	*seconds = json_number_value(value);
	if (*seconds >= MIN_SECONDS && *seconds <= MAX_SECONDS)
		return 0;
	return fail(r, -EBADMSG, "%sround %zu cannot have lasted %g seconds",
		    where, round + 1, *seconds);
}

static int read_seconds(const struct reading *r, const char *where,
			struct fz_read_row *row, const json_t *seconds)
{
	int code = 0;

	row->seconds = calloc(row->rounds, sizeof(*row->seconds));
	if (!row->seconds)
		return fail(r, -ENOMEM, "out of memory");
	for (size_t i = 0; i < row->rounds && !code; i++)
		code = check_second(r, where, i, json_array_get(seconds, i),
				    &row->seconds[i]);
	return code;
}

static int read_rounds(const struct reading *r, const char *where,
		       struct fz_read_row *row)
{
	const json_t *seconds = json_object_get(row->json, "seconds");
	const json_int_t rounds =
		json_integer_value(json_object_get(row->json, "rounds"));
	const json_int_t bytes =
		json_integer_value(json_object_get(row->json, "bytes"));

	if (rounds < 0 || rounds > FZ_MAX_ROUNDS)
		return fail(r, -EBADMSG,
			    "%s%" JSON_INTEGER_FORMAT
			    " rounds; 0 to %d are understood",
			    where, rounds, FZ_MAX_ROUNDS);
	if ((size_t)rounds != json_array_size(seconds))
		return fail(r, -EBADMSG,
			    "%s%" JSON_INTEGER_FORMAT
			    " rounds, but %zu entries in 'seconds'",
			    where, rounds, json_array_size(seconds));
	if (!rounds)
		return 0;
	if (bytes <= 0)
		return fail(r, -EBADMSG, "%srounds without 'bytes'", where);
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

static int read_row(const struct reading *r, struct fz_read_row *row,
		    json_t *json, size_t index)
{
	char where[32];
	int code;

	snprintf(where, sizeof(where), "row %zu: ", index + 1);
	row->json = json;
	if (!json_is_object(json))
		return fail(r, -EBADMSG, "row %zu is not an object", index + 1);
	code = check_members(r, where, json, row_members);
	if (!code)
		code = check_members(r, where, json_object_get(json, "backing"),
				     backing_members);
	if (code)
		return code;
	row->id = json_string_value(json_object_get(json, "id"));
	row->reason = json_string_value(json_object_get(json, "reason"));
	if (!is_id(row->id))
		return fail(r, -EBADMSG, "%s'id' is not r1 or the like", where);
	if (fz_row_add_places(json))
		return fail(r, -ENOMEM, "out of memory");
	return read_rounds(r, where, row);
}

static int read_rows(const struct reading *r, struct fz_document *document)
{
	const json_t *rows = json_object_get(document->root, "rows");
	const size_t nr = json_array_size(rows);
	int code = 0;

	if (nr > FZ_RESULT_MAX_ROWS)
		return fail(r, -EBADMSG, "%zu rows; %d are understood", nr,
			    FZ_RESULT_MAX_ROWS);
	document->rows = calloc(nr + 1, sizeof(*document->rows));
	if (!document->rows)
		return fail(r, -ENOMEM, "out of memory");
	document->nr_rows = nr;
	for (size_t i = 0; i < nr && !code; i++)
		code = read_row(r, &document->rows[i], json_array_get(rows, i),
				i);
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

static int find_leads(const struct reading *r, struct fz_document *document)
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
	return code ? fail(r, code, "out of memory") : 0;
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

static int read_root(const struct reading *r, struct fz_document *document)
{
	const json_t *root = document->root;
	const json_t *tool = json_object_get(root, "tool");
	int code = check_schema(r, root);

	if (!code)
		code = check_members(r, "", root, document_members);
	if (!code)
		code = check_members(r, "tool: ", tool, tool_members);
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
	const struct reading r = { path, err };
	json_error_t error;

	*document = (struct fz_document){ .path = path };
	if (!text[strspn(text, " \t\r\n")] && strlen(text) == bytes)
		return fail(&r, -EBADMSG, "it is empty");
	document->root =
		json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
	if (!document->root)
		return fail(&r, -EBADMSG, "line %d, column %d: %s", error.line,
			    error.column, error.text);
	return read_root(&r, document);
}

static int read_error(int error)
{
	return error ? -error : -EIO;
}

/* All of a stream, and a NUL; *text is for free() in any case. */
static int read_all(const struct reading *r, FILE *in, char **text,
		    size_t *bytes)
{
	size_t room = 0;

	*bytes = 0;
	do {
		char *larger;

		if (*bytes > FZ_RESULT_MAX_BYTES)
			return fail(r, -EBADMSG, "it is larger than %zu MiB",
				    FZ_RESULT_MAX_BYTES >> 20);
		room = room ? 2 * room : FIRST_BYTES;
		if (room > FZ_RESULT_MAX_BYTES)
			room = FZ_RESULT_MAX_BYTES + 1;
		larger = realloc(*text, room + 1);
		if (!larger)
			return fail(r, -ENOMEM, "out of memory");
		*text = larger;
		errno = 0;
		*bytes += fread(*text + *bytes, 1, room - *bytes, in);
	} while (*bytes == room);
	(*text)[*bytes] = '\0';
	if (!ferror(in))
		return 0;
	return fail(r, read_error(errno), "%s", strerror(-read_error(errno)));
}

int fz_document_read(struct fz_document *document, const char *path,
		     struct fz_err *err)
{
	const struct reading r = { path, err };
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char *text = NULL;
	size_t bytes;
	int code;

	*document = (struct fz_document){ .path = path };
	if (!in)
		return fail(&r, -errno, "%s", strerror(errno));
	code = read_all(&r, in, &text, &bytes);
	if (!code)
		code = fz_document_parse(document, path, text, bytes, err);
	if (in != stdin)
		fclose(in);
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
