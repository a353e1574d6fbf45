// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers of a profile by their keys: asked for, and replaced. */
#include "profile_set.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/units.h>

#include "profile_fields.h"
#include "profile_json.h"

#define NUMBER_BYTES 32

/* A number and the struct that it is in. */
struct place {
	const struct fz_profile_field *field;
	void *base;
};

static bool field_find(struct place *place,
		       const struct fz_profile_field *fields, const char *name)
{
	for (; fields->name; fields++) {
		if (strcmp(fields->name, name) != 0)
			continue;
		place->field = fields;
		return true;
	}
	return false;
}

/* What is behind "WORD." in a key; NULL if it begins otherwise. */
static const char *behind(const char *key, const char *word)
{
	const size_t length = strlen(word);

	return strncmp(key, word, length) == 0 && key[length] == '.'
		       ? key + length + 1
		       : NULL;
}

static bool clear_find(struct place *place, struct fz_profile_clear *clear,
		       const char *key)
{
	const char *name = behind(key, clear->name);
	const char *relation = name ? behind(name, "call_ns") : NULL;

	place->base = clear;
	if (relation)
		return field_find(place, fz_profile_call_fields, relation);
	return name && field_find(place, fz_profile_clear_fields, name);
}

/* "levels.0.bytes", from the core outward as in the document's list. */
static bool cache_find(struct place *place, struct fz_cache_geometry *cache,
		       const char *key)
{
	const char *level = behind(key, "levels");
	unsigned int index;

	if (!level) {
		place->base = cache;
		return field_find(place, fz_profile_cache_fields, key);
	}
	index = (unsigned int)(level[0] - '0');
	if (index >= cache->nr_levels || level[1] != '.')
		return false;
	place->base = &cache->level[index];
	return field_find(place, fz_profile_level_fields, level + 2);
}

static bool find(struct place *place, struct fz_profile *profile,
		 const char *key)
{
	const char *memory = behind(key, "memory");
	const char *cache = behind(key, "cache");

	if (memory) {
		place->base = &profile->memory;
		return field_find(place, fz_profile_memory_fields, memory);
	}
	if (cache)
		return cache_find(place, &profile->cache, cache);
	for (size_t i = 0; i < profile->nr_clears; i++)
		if (clear_find(place, &profile->clears[i], key))
			return true;
	place->base = profile;
	return field_find(place, fz_profile_fields, key);
}

static double number_at(const struct place *place)
{
	const void *at = (const char *)place->base + place->field->offset;

	switch (place->field->kind) {
	case FZ_PROFILE_REAL:
	case FZ_PROFILE_LATER:
	case FZ_PROFILE_CYCLES:
	case FZ_PROFILE_LATER_CYCLES:
		return *(const double *)at;
	case FZ_PROFILE_NUMBER:
	case FZ_PROFILE_COUNT:
		return *(const unsigned int *)at;
	case FZ_PROFILE_BYTES:
		break;
	}
	return (double)*(const uint64_t *)at;
}

static void number_put(const struct place *place, double number)
{
	void *at = (char *)place->base + place->field->offset;

	switch (place->field->kind) {
	case FZ_PROFILE_REAL:
	case FZ_PROFILE_LATER:
	case FZ_PROFILE_CYCLES:
	case FZ_PROFILE_LATER_CYCLES:
		*(double *)at = number;
		return;
	case FZ_PROFILE_NUMBER:
	case FZ_PROFILE_COUNT:
		*(unsigned int *)at = (unsigned int)number;
		return;
	case FZ_PROFILE_BYTES:
		*(uint64_t *)at = (uint64_t)number;
	}
}

static struct place place_of(const struct fz_profile *profile, const char *key)
{
	struct place place;
	/* Nothing is written through it. */
	const bool found =
		find(&place, (struct fz_profile *)(uintptr_t)profile, key);

	assert(found);
	(void)found;
	return place;
}

bool fz_profile_knows(const struct fz_profile *profile, const char *key)
{
	const struct place place = place_of(profile, key);
	const double number = number_at(&place);

	return !isnan(number) &&
	       (place.field->kind != FZ_PROFILE_NUMBER || number != 0);
}

double fz_profile_number(const struct fz_profile *profile, const char *key)
{
	const struct place place = place_of(profile, key);

	return number_at(&place);
}

static bool ends_in(const char *text, const char *suffix)
{
	const size_t length = strlen(text), end = strlen(suffix);

	return length >= end && strcmp(text + length - end, suffix) == 0;
}

const char *fz_profile_example(const char *key)
{
	static const struct {
		const char *suffix, *value;
	} examples[] = {
		{ "memory.bps", "300G" }, { "bps", "10G" },
		{ "_bytes", "1M" },       { "_cost", "1" },
		{ "_share", "1" },        { "hz", "1000" },
		{ "nr_nodes", "2" },      { "nr_cores", "64" },
		{ "smt", "2" },
	};

	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		if (ends_in(key, examples[i].suffix))
			return examples[i].value;
	return "500ns";
}

/* "1.5G"; a fraction of a K is fine. */
static int parse_scaled(const char *text, double *number)
{
	static const char units[] = "KMGT";
	char digits[NUMBER_BYTES];
	const size_t length = strlen(text);
	const char *unit = length ? strchr(units, text[length - 1]) : NULL;

	if (!length || length >= sizeof(digits))
		return -EINVAL;
	snprintf(digits, sizeof(digits), "%.*s", (int)(length - !!unit), text);
	if (fz_parse_decimal(digits, number, NULL))
		return -EINVAL;
	if (unit)
		*number *= exp2(10.0 * (double)(unit - units + 1));
	return 0;
}

static int parse_number(const struct fz_profile_field *field, const char *text,
			double *number)
{
	const bool is_bytes =
		ends_in(field->name, "bps") || ends_in(field->name, "bytes");
	const bool is_count = field->kind == FZ_PROFILE_NUMBER ||
			      field->kind == FZ_PROFILE_COUNT ||
			      field->kind == FZ_PROFILE_BYTES;
	uint64_t ns;

	if (is_bytes) {
		if (parse_scaled(text, number))
			return -EINVAL;
	} else if (field->max == FZ_PROFILE_MAX_NS &&
		   fz_parse_ns(text, &ns, NULL) == 0) {
		*number = (double)ns;
	} else if (fz_parse_decimal(text, number, NULL)) {
		return -EINVAL;
	}
	return is_count && *number != floor(*number) ? -EINVAL : 0;
}

int fz_profile_set(struct fz_profile *profile, const char *assignment,
		   char key[FZ_PROFILE_KEY_BYTES], struct fz_err *err)
{
	const char *equals = strchr(assignment, '=');
	struct place place;
	double number;
	int length;

	if (!equals)
		return fz_err_set(err, -EINVAL,
				  "'%.40s' sets nothing: give KEY=VALUE, for "
				  "example memory.bps=300G",
				  assignment);
	length = snprintf(key, FZ_PROFILE_KEY_BYTES, "%.*s",
			  (int)(equals - assignment), assignment);
	if (length >= FZ_PROFILE_KEY_BYTES || !find(&place, profile, key))
		return fz_err_set(err, -EINVAL,
				  "profile '%s' has no number '%.40s': give "
				  "its key in the document, for example hz, "
				  "memory.bps or %s.interrupted_ns",
				  profile->name, key, profile->clears[0].name);
	if (parse_number(place.field, equals + 1, &number))
		return fz_err_set(err, -EINVAL,
				  "'%.40s' is no value for '%s': give a number",
				  equals + 1, key);
	if (!(number >= place.field->min && number <= place.field->max))
		return fz_err_set(err, -EINVAL,
				  "'%s' is %.10g: give %.10g to %.10g", key,
				  number, place.field->min, place.field->max);
	number_put(&place, number);
	return 0;
}

/* A reader's sentence begins with what was read, which here is no file. */
static int check_text(struct fz_profile_document *document, const char *name,
		      const char *text, size_t bytes, struct fz_err *err)
{
	struct fz_err reason = { "" };
	const int code = fz_profile_parse(document, name, text, bytes, &reason);
	const char *cause = strstr(reason.msg, "': ");

	return code ? fz_err_set(err, code, "profile '%s' would be wrong: %s",
				 name, cause ? cause + 3 : reason.msg)
		    : 0;
}

int fz_profile_check(const struct fz_profile *profile, struct fz_err *err)
{
	struct fz_profile_document *documents = calloc(2, sizeof(*documents));
	char *text = NULL;
	size_t bytes;
	FILE *out = documents ? open_memstream(&text, &bytes) : NULL;
	int code = out ? 0 : -ENOMEM;

	if (out) {
		documents[0].profile = *profile;
		code = fz_profile_print(out, &documents[0]);
		if (fclose(out) && !code)
			code = -ENOMEM;
	}
	if (code)
		fz_err_set(err, code, "out of memory");
	else
		code = check_text(&documents[1], profile->name, text, bytes,
				  err);
	free(text);
	free(documents);
	return code;
}
