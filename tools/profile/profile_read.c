// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a machine profile, and refuses what cannot be one. */
#include "profile_json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_read.h"
#include "profile_fields.h"

/* Bytes of "clear 16: call_ns: " and the like. */
#define WHERE_BYTES 48

static const struct fz_json_member document_members[] = {
	{ "schema", FZ_JSON_STR, false },
	{ "name", FZ_JSON_STR, false },
	{ "cpu", FZ_JSON_STR, false },
	{ "fitted_rows", FZ_JSON_ARR, false },
	{ "cache", FZ_JSON_OBJ | FZ_JSON_NUL, false },
	{ "memory", FZ_JSON_OBJ, false },
	{ "clears", FZ_JSON_ARR, false },
	{ NULL, 0, false },
};

static const struct fz_json_member cache_members[] = {
	{ "prefetcher", FZ_JSON_OBJ | FZ_JSON_NUL, false },
	{ "levels", FZ_JSON_ARR, false },
	{ NULL, 0, false },
};

static const struct fz_json_member level_members[] = {
	{ "relation", FZ_JSON_STR, false },
	{ NULL, 0, false },
};

static const struct fz_json_member clear_members[] = {
	{ "name", FZ_JSON_STR, false },
	{ "streaming", FZ_JSON_BOO, false },
	{ "call_ns", FZ_JSON_OBJ, false },
	{ NULL, 0, false },
};

static const struct fz_json_member no_members[] = { { NULL, 0, false } };

static unsigned int kind_types(enum fz_profile_kind kind)
{
	switch (kind) {
	case FZ_PROFILE_REAL:
	case FZ_PROFILE_LATER:
	case FZ_PROFILE_CYCLES:
	case FZ_PROFILE_LATER_CYCLES:
		return FZ_JSON_NUM | FZ_JSON_NUL;
	case FZ_PROFILE_NUMBER:
		return FZ_JSON_INT | FZ_JSON_NUL;
	case FZ_PROFILE_COUNT:
	case FZ_PROFILE_BYTES:
		break;
	}
	return FZ_JSON_INT;
}

static bool may_be_missing(enum fz_profile_kind kind)
{
	return kind == FZ_PROFILE_LATER || kind == FZ_PROFILE_LATER_CYCLES;
}

static void keep_number(const struct fz_profile_field *field, void *base,
			const json_t *value)
{
	void *at = (char *)base + field->offset;
	const json_int_t integer = json_integer_value(value);

	switch (field->kind) {
	case FZ_PROFILE_REAL:
	case FZ_PROFILE_LATER:
		*(double *)at =
			json_is_null(value) ? NAN : json_number_value(value);
		return;
	case FZ_PROFILE_CYCLES:
	case FZ_PROFILE_LATER_CYCLES:
		*(double *)at = json_number_value(value);
		return;
	case FZ_PROFILE_NUMBER:
	case FZ_PROFILE_COUNT:
		*(unsigned int *)at = (unsigned int)integer;
		return;
	case FZ_PROFILE_BYTES:
		*(uint64_t *)at = (uint64_t)integer;
	}
}

static int read_number(const struct fz_json_reading *r, const char *where,
		       const json_t *object,
		       const struct fz_profile_field *field, void *base)
{
	const struct fz_json_member member[] = {
		{ field->name, kind_types(field->kind),
		  may_be_missing(field->kind) },
		{ NULL, 0, false },
	};
	const json_t *value = json_object_get(object, field->name);
	const int code = fz_json_check_members(r, where, object, member);

	if (code)
		return code;
	if (!value)
		value = json_null();
	if (!json_is_null(value) && !(json_number_value(value) >= field->min &&
				      json_number_value(value) <= field->max))
		return fz_json_fail(
			r, -EBADMSG, "%s'%s' is %.10g: give %.10g to %.10g%s",
			where, field->name, json_number_value(value),
			field->min, field->max,
			member[0].types & FZ_JSON_NUL
				? ", or null if it is not known"
				: "");
	keep_number(field, base, value);
	return 0;
}

static bool is_known(const char *key, const struct fz_json_member *members,
		     const struct fz_profile_field *fields)
{
	for (; members->name; members++)
		if (strcmp(key, members->name) == 0)
			return true;
	for (; fields->name; fields++)
		if (strcmp(key, fields->name) == 0)
			return true;
	return false;
}

/* All members of an object, and no others; its numbers go into a struct. */
static int read_object(const struct fz_json_reading *r, const char *where,
		       json_t *object, const struct fz_json_member *members,
		       const struct fz_profile_field *fields, void *base)
{
	int code = fz_json_check_members(r, where, object, members);
	const char *key;
	json_t *value;

	for (size_t i = 0; fields[i].name && !code; i++)
		code = read_number(r, where, object, &fields[i], base);
	if (code)
		return code;
	json_object_foreach(object, key, value) if (
		!is_known(
			key, members,
			fields)) return fz_json_fail(r, -EBADMSG,
						     "%sunknown member '%.40s'",
						     where, key);
	return 0;
}

/* Printable ASCII that fits. */
static int read_text(const struct fz_json_reading *r, const char *where,
		     const char *what, const json_t *value, char *buf,
		     size_t cap)
{
	const char *text = json_string_value(value);

	if (!text[0] || strlen(text) >= cap ||
	    strlen(text) != json_string_length(value))
		return fz_json_fail(r, -EBADMSG,
				    "%s'%s' must have 1 to %zu characters",
				    where, what, cap - 1);
	for (const char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			return fz_json_fail(r, -EBADMSG,
					    "%s'%s' is not printable ASCII",
					    where, what);
	memcpy(buf, text, strlen(text) + 1);
	return 0;
}

/* A name as on a command line: "dc-zva". */
static int read_name(const struct fz_json_reading *r, const char *where,
		     const json_t *object, char name[FZ_PROFILE_NAME_BYTES])
{
	const int code =
		read_text(r, where, "name", json_object_get(object, "name"),
			  name, FZ_PROFILE_NAME_BYTES);

	if (code)
		return code;
	if (name[0] == '-' ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return fz_json_fail(r, -EBADMSG,
				    "%s'name' is '%s': give lower-case "
				    "letters, digits and '-'",
				    where, name);
	return 0;
}

static int read_row(const struct fz_json_reading *r,
		    struct fz_profile_document *document, const json_t *value)
{
	char *row = document->fitted_rows[document->nr_fitted_rows];
	int code;

	if (!json_is_string(value))
		return fz_json_fail(r, -EBADMSG,
				    "'fitted_rows' has more than strings");
	code = read_text(r, "", "fitted_rows", value, row,
			 FZ_PROFILE_ROW_BYTES);
	if (code)
		return code;
	for (size_t i = 0; i < document->nr_fitted_rows; i++)
		if (strcmp(document->fitted_rows[i], row) == 0)
			return fz_json_fail(r, -EBADMSG,
					    "'fitted_rows' has '%s' twice",
					    row);
	document->nr_fitted_rows++;
	return 0;
}

static int read_rows(const struct fz_json_reading *r,
		     struct fz_profile_document *document, const json_t *rows)
{
	int code = 0;

	if (json_array_size(rows) > FZ_PROFILE_MAX_ROWS)
		return fz_json_fail(r, -EBADMSG,
				    "'fitted_rows' has more than %d",
				    FZ_PROFILE_MAX_ROWS);
	for (size_t i = 0; i < json_array_size(rows) && !code; i++)
		code = read_row(r, document, json_array_get(rows, i));
	return code;
}

static int read_relation(const struct fz_json_reading *r, const char *where,
			 const json_t *object, struct fz_cache_level *level)
{
	const char *word =
		json_string_value(json_object_get(object, "relation"));

	for (unsigned int i = 0; fz_profile_relations[i]; i++) {
		if (strcmp(word, fz_profile_relations[i]) != 0)
			continue;
		level->relation = (enum fz_cache_relation)i;
		return 0;
	}
	return fz_json_fail(r, -EBADMSG,
			    "%s'relation' is '%.20s': give plain, inclusive or "
			    "victim",
			    where, word);
}

static int read_level(const struct fz_json_reading *r,
		      struct fz_cache_geometry *cache, json_t *object)
{
	struct fz_cache_level *level = &cache->level[cache->nr_levels];
	char where[WHERE_BYTES];
	int code;

	snprintf(where, sizeof(where),
		 "cache: level %u: ", cache->nr_levels + 1);
	if (!json_is_object(object))
		return fz_json_fail(r, -EBADMSG, "%sit is not an object",
				    where);
	code = read_object(r, where, object, level_members,
			   fz_profile_level_fields, level);
	if (!code)
		code = read_relation(r, where, object, level);
	if (code)
		return code;
	if (cache->nr_levels && level->bytes <= level[-1].bytes)
		return fz_json_fail(r, -EBADMSG,
				    "%s'bytes' is not larger than that of "
				    "level %u: levels are sorted from the core "
				    "outward",
				    where, cache->nr_levels);
	cache->nr_levels++;
	return 0;
}

static int read_levels(const struct fz_json_reading *r,
		       struct fz_cache_geometry *cache, const json_t *levels)
{
	const size_t nr = json_array_size(levels);
	int code = 0;

	if (!nr || nr > FZ_CACHE_MAX_LEVELS)
		return fz_json_fail(r, -EBADMSG,
				    "cache: 'levels' has %zu entries: give 1 "
				    "to %d",
				    nr, FZ_CACHE_MAX_LEVELS);
	for (size_t i = 0; i < nr && !code; i++)
		code = read_level(r, cache, json_array_get(levels, i));
	return code;
}

static int read_cache(const struct fz_json_reading *r,
		      struct fz_cache_geometry *cache, json_t *object)
{
	json_t *prefetcher = json_object_get(object, "prefetcher");
	struct fz_err reason;
	int code;

	if (json_is_null(object))
		return 0;
	code = read_object(r, "cache: ", object, cache_members,
			   fz_profile_cache_fields, cache);
	if (!code && !json_is_null(prefetcher))
		code = read_object(r, "cache: prefetcher: ", prefetcher,
				   no_members, fz_profile_prefetcher_fields,
				   &cache->prefetcher);
	if (!code)
		code = read_levels(r, cache, json_object_get(object, "levels"));
	if (!code && fz_cache_geometry_check(cache, &reason))
		code = fz_json_fail(r, -EBADMSG, "cache: %s", reason.msg);
	return code;
}

/* A string store is elided as a whole or not at all. */
static int check_elision(const struct fz_json_reading *r, const char *where,
			 const struct fz_profile_clear *clear)
{
	const char *without = clear->ramp_bytes             ? "ramp_bytes"
			      : !isnan(clear->elided_bps)   ? "elided_bps"
			      : !isnan(clear->elided_share) ? "elided_share"
							    : NULL;

	if (!clear->threshold_bytes)
		return without ? fz_json_fail(r, -EBADMSG,
					      "%s'%s' without a "
					      "'threshold_bytes'",
					      where, without)
			       : 0;
	if (clear->streaming)
		return fz_json_fail(r, -EBADMSG,
				    "%s'streaming' with a 'threshold_bytes': "
				    "only stores through the caches are elided",
				    where);
	if (clear->ramp_bytes <= clear->threshold_bytes)
		return 0;
	return fz_json_fail(r, -EBADMSG,
			    "%s'ramp_bytes' is %" PRIu64
			    ", longer than 'threshold_bytes', %" PRIu64,
			    where, clear->ramp_bytes, clear->threshold_bytes);
}

static int read_clear(const struct fz_json_reading *r,
		      struct fz_profile *profile, json_t *object)
{
	struct fz_profile_clear *clear = &profile->clears[profile->nr_clears];
	char where[WHERE_BYTES], inside[WHERE_BYTES];
	int code;

	snprintf(where, sizeof(where), "clear %zu: ", profile->nr_clears + 1);
	snprintf(inside, sizeof(inside),
		 "clear %zu: call_ns: ", profile->nr_clears + 1);
	if (!json_is_object(object))
		return fz_json_fail(r, -EBADMSG, "%sit is not an object",
				    where);
	code = read_object(r, where, object, clear_members,
			   fz_profile_clear_fields, clear);
	if (!code)
		code = read_object(r, inside,
				   json_object_get(object, "call_ns"),
				   no_members, fz_profile_call_fields, clear);
	if (!code)
		code = read_name(r, where, object, clear->name);
	if (code)
		return code;
	if (fz_profile_clear_find(profile, clear->name))
		return fz_json_fail(r, -EBADMSG, "%sthere are two of '%s'",
				    where, clear->name);
	clear->streaming = json_is_true(json_object_get(object, "streaming"));
	profile->nr_clears++;
	return check_elision(r, where, clear);
}

static int read_clears(const struct fz_json_reading *r,
		       struct fz_profile *profile, const json_t *clears)
{
	const size_t nr = json_array_size(clears);
	int code = 0;

	if (!nr || nr > FZ_PROFILE_MAX_CLEARS)
		return fz_json_fail(r, -EBADMSG,
				    "'clears' has %zu entries: give 1 to %d",
				    nr, FZ_PROFILE_MAX_CLEARS);
	for (size_t i = 0; i < nr && !code; i++)
		code = read_clear(r, profile, json_array_get(clears, i));
	return code;
}

static int check_cores(const struct fz_json_reading *r,
		       const struct fz_profile *profile)
{
	if (!profile->nr_cores || !profile->nr_nodes ||
	    profile->nr_cores % profile->nr_nodes == 0)
		return 0;
	return fz_json_fail(r, -EBADMSG,
			    "%u 'nr_cores' cannot be shared out evenly between "
			    "%u 'nr_nodes'",
			    profile->nr_cores, profile->nr_nodes);
}

static int check_schema(const struct fz_json_reading *r, const json_t *root)
{
	const json_t *schema = json_object_get(root, "schema");

	if (!json_is_object(root) || !json_is_string(schema))
		return fz_json_fail(r, -EBADMSG,
				    "it is no machine profile: no member "
				    "'schema'");
	if (strcmp(json_string_value(schema), FZ_PROFILE_SCHEMA) == 0)
		return 0;
	return fz_json_fail(r, -EBADMSG,
			    "'schema' is '%.40s'; understood is "
			    "'" FZ_PROFILE_SCHEMA "'",
			    json_string_value(schema));
}

static int read_root(const struct fz_json_reading *r,
		     struct fz_profile_document *document, json_t *root)
{
	struct fz_profile *profile = &document->profile;
	int code = check_schema(r, root);

	if (!code)
		code = read_object(r, "", root, document_members,
				   fz_profile_fields, profile);
	if (!code)
		code = read_name(r, "", root, profile->name);
	if (!code)
		code = read_text(r, "", "cpu", json_object_get(root, "cpu"),
				 profile->cpu, sizeof(profile->cpu));
	if (!code)
		code = read_rows(r, document,
				 json_object_get(root, "fitted_rows"));
	if (!code)
		code = read_cache(r, &profile->cache,
				  json_object_get(root, "cache"));
	if (!code)
		code = read_object(
			r, "memory: ", json_object_get(root, "memory"),
			no_members, fz_profile_memory_fields, &profile->memory);
	if (!code)
		code = read_clears(r, profile, json_object_get(root, "clears"));
	return code ? code : check_cores(r, profile);
}

int fz_profile_parse(struct fz_profile_document *document, const char *path,
		     const char *text, size_t bytes, struct fz_err *err)
{
	const struct fz_json_reading r = { path, err };
	json_t *root = NULL;
	int code = fz_json_load(&r, text, bytes, &root);

	*document = (struct fz_profile_document){ .nr_fitted_rows = 0 };
	if (!code)
		code = read_root(&r, document, root);
	json_decref(root);
	return code;
}

int fz_profile_read(struct fz_profile_document *document, const char *path,
		    struct fz_err *err)
{
	const struct fz_json_reading r = { path, err };
	char *text = NULL;
	size_t bytes;
	int code = fz_json_read_text(&r, FZ_PROFILE_MAX_BYTES, &text, &bytes);

	if (!code)
		code = fz_profile_parse(document, path, text, bytes, err);
	free(text);
	return code;
}
