// SPDX-License-Identifier: GPL-2.0-or-later
/* What makes two rows of result documents the same measurement. */
#include "row_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/units.h>

#include "json_value.h"
#include "printable.h"

const struct fz_key fz_keys[] = {
	{ .path = "engine" },
	{ .path = "policy", .of_machine = true },
	{ .path = "profile", .word = "prices of " },
	{ .path = "page_size_bytes",
	  .word = "pages of ",
	  .form = FZ_KEY_BYTES,
	  .in_heading = true },
	{ .path = "backing.kind", .word = "", .in_heading = true },
	{ .path = "folio_bytes",
	  .word = "folios of ",
	  .form = FZ_KEY_BYTES,
	  .in_heading = true },
	{ .path = "bytes",
	  .word = "size ",
	  .form = FZ_KEY_BYTES,
	  .in_heading = true },
	{ .path = "faults", .word = "faults ", .in_heading = true },
	{ .path = "fault_page", .word = "faulting page ", .in_heading = true },
	{ .path = "threads", .word = "threads ", .in_heading = true },
	{ .path = "placement_cpus", .word = "CPUs ", .in_heading = true },
	{ .path = "timing", .word = "timed by ", .in_heading = true },
	{ .path = "use", .word = "use ", .in_heading = true },
	{ .path = "clear", .word = "" },
	{ .path = "stream_clear", .word = "streaming " },
	{ .path = "preempt", .word = "preempt ", .of_machine = true },
	{ .path = "batch_bytes", .word = "batch ", .form = FZ_KEY_BYTES },
	{ .path = "radius_pages", .word = "radius " },
	{ .path = "highmem", .word = "highmem", .form = FZ_KEY_FLAG },
	{ .path = "per_page_clear",
	  .word = "per-page-clear",
	  .form = FZ_KEY_FLAG },
	{ .path = "waker.by", .word = "waker " },
	{ .path = "waker.interval_ns", .word = "every ns " },
	{ .path = NULL },
};

/* Longer names of members do not exist. */
#define MEMBER_BYTES 64

const json_t *fz_json_at(const json_t *object, const char *path)
{
	while (object) {
		const size_t len = strcspn(path, ".");
		char member[MEMBER_BYTES];

		snprintf(member, sizeof(member), "%.*s", (int)len, path);
		object = json_object_get(object, member);
		if (!path[len])
			return object;
		path += len + 1;
	}
	return NULL;
}

static const char *string_at(const json_t *row, const char *path)
{
	return json_string_value(fz_json_at(row, path));
}

bool fz_key_applies(const struct fz_key *key, const json_t *row)
{
	const char *engine = string_at(row, "engine");

	return !key->of_machine || !engine || strcmp(engine, "kernel") != 0;
}

/* The value, or NULL for null. */
static const json_t *known_at(const struct fz_key *key, const json_t *row)
{
	const json_t *value = fz_json_at(row, key->path);

	return json_is_null(value) ? NULL : value;
}

char *fz_row_key(const json_t *row)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	bool failed = !out;

	for (const struct fz_key *key = fz_keys; out && key->path; key++) {
		const json_t *value =
			fz_key_applies(key, row) ? known_at(key, row) : NULL;
		char *word = value ? json_dumps(value, JSON_ENCODE_ANY |
							       JSON_SORT_KEYS)
				   : NULL;

		failed |= value && !word;
		/* A dump has no line feed in it. */
		fprintf(out, "%s\n", word ? word : "");
		free(word);
	}
	failed |= out && fclose(out);
	if (!failed)
		return text;
	free(text);
	return NULL;
}

bool fz_key_differs(const struct fz_key *key, const json_t *a, const json_t *b)
{
	const json_t *value_a = known_at(key, a), *value_b = known_at(key, b);

	if (!value_a || !value_b)
		return value_a != value_b;
	return !json_equal(value_a, value_b);
}

bool fz_rows_share_heading(const json_t *a, const json_t *b)
{
	for (const struct fz_key *key = fz_keys; key->path; key++)
		if (key->in_heading && fz_key_differs(key, a, b))
			return false;
	return true;
}

void fz_key_name(char *buf, size_t cap, const json_t *row)
{
	const char *engine = string_at(row, "engine");
	const char *policy = string_at(row, "policy");

	if (strcmp(engine, "buffers") == 0)
		snprintf(buf, cap, "%s", policy ? policy : engine);
	else
		snprintf(buf, cap, "%s%s%s", engine, policy ? ": " : "",
			 policy ? policy : "");
	fz_make_printable(buf);
}

void fz_key_text(char *buf, size_t cap, const struct fz_key *key,
		 const json_t *row)
{
	const json_t *value = known_at(key, row);
	char text[64] = "";

	buf[0] = '\0';
	if (!value || json_is_false(value))
		return;
	if (key->form == FZ_KEY_BYTES && json_integer_value(value) > 0)
		fz_format_bytes(text, sizeof(text),
				(uint64_t)json_integer_value(value));
	else if (json_is_string(value))
		snprintf(text, sizeof(text), "%s", json_string_value(value));
	else if (json_is_integer(value))
		snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT,
			 json_integer_value(value));
	snprintf(buf, cap, "%s%s", key->word ? key->word : "", text);
	fz_make_printable(buf);
}
