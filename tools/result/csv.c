// SPDX-License-Identifier: GPL-2.0-or-later
/* A JSON object flattened to a line of CSV. */
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json_value.h"

/* A key with all those above it. */
#define KEY_BYTES 128

/* Writes the header of a row, or its values. */
struct csv {
	FILE *out;
	bool header;
	bool begun;  /* a field was written on this line */
	bool failed; /* there was no memory for a field */
};

static void write_field(struct csv *csv, const char *text)
{
	if (csv->begun)
		fputc(',', csv->out);
	csv->begun = true;
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, csv->out);
		return;
	}
	fputc('"', csv->out);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			fputc('"', csv->out);
		fputc(*c, csv->out);
	}
	fputc('"', csv->out);
}

/* Numbers and words exactly as in the JSON view. */
static void write_value(struct csv *csv, const json_t *value)
{
	char *text;

	if (!value || json_is_null(value)) {
		write_field(csv, "");
		return;
	}
	if (json_is_string(value)) {
		write_field(csv, json_string_value(value));
		return;
	}
	text = json_dumps(value, JSON_ENCODE_ANY |
					 JSON_REAL_PRECISION(FZ_JSON_DIGITS));
	csv->failed = csv->failed || !text;
	write_field(csv, text ? text : "");
	free(text);
}

static void write_leaf(struct csv *csv, const char *key, const json_t *value)
{
	if (csv->header)
		write_field(csv, key);
	else
		write_value(csv, value);
}

/* Two columns, also where there is no interval. */
static void write_interval(struct csv *csv, const char *key,
			   const json_t *interval)
{
	static const char *const ends[] = { "lo", "hi" };

	for (size_t i = 0; i < 2; i++) {
		char name[KEY_BYTES + 4];

		snprintf(name, sizeof(name), "%s.%s", key, ends[i]);
		write_leaf(csv, name, json_array_get(interval, i));
	}
}

/* Arrays are left out, but for intervals. Objects nest two deep. */
static void write_members(struct csv *csv, const char *prefix, json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		char name[KEY_BYTES];

		snprintf(name, sizeof(name), "%s%s%s", prefix,
			 prefix[0] ? "." : "", key);
		if (strncmp(key, "ci95", strlen("ci95")) == 0)
			write_interval(csv, name, value);
		else if (json_is_object(value))
			write_members(csv, name, value);
		else if (!json_is_array(value))
			write_leaf(csv, name, value);
	}
}

int fz_csv_line(FILE *out, bool header, json_t *row)
{
	struct csv csv = { .out = out, .header = header };

	write_members(&csv, "", row);
	fputc('\n', out);
	return csv.failed ? -ENOMEM : 0;
}
