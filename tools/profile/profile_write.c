// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a machine profile as JSON. */
#include "profile_json.h"

#include "json_value.h"
#include "profile_fields.h"

static json_t *number_json(const struct fz_profile_field *field,
			   const void *base)
{
	const void *at = (const char *)base + field->offset;

	switch (field->kind) {
	case FZ_PROFILE_REAL:
	case FZ_PROFILE_LATER:
		return fz_json_real(*(const double *)at);
	case FZ_PROFILE_CYCLES:
	case FZ_PROFILE_LATER_CYCLES:
		return *(const double *)at > 0 ? json_real(*(const double *)at)
					       : json_null();
	case FZ_PROFILE_NUMBER:
		return fz_json_known_count(*(const unsigned int *)at);
	case FZ_PROFILE_COUNT:
		return fz_json_count(*(const unsigned int *)at);
	case FZ_PROFILE_BYTES:
		break;
	}
	return fz_json_count(*(const uint64_t *)at);
}

/* NULL, if it has failed to become whole. */
static json_t *whole(json_t *value, int failed)
{
	if (!failed)
		return value;
	json_decref(value);
	return NULL;
}

/* Not 0 if one of them failed. */
static int add_numbers(json_t *object, const struct fz_profile_field *fields,
		       const void *base)
{
	int failed = 0;

	for (; fields->name; fields++)
		failed |= json_object_set_new(object, fields->name,
					      number_json(fields, base));
	return failed;
}

static json_t *numbers_json(const struct fz_profile_field *fields,
			    const void *base)
{
	json_t *object = json_object();

	return whole(object, add_numbers(object, fields, base));
}

static json_t *level_json(const struct fz_cache_level *level)
{
	json_t *object = numbers_json(fz_profile_level_fields, level);

	return whole(
		object,
		json_object_set_new(
			object, "relation",
			json_string(fz_profile_relations[level->relation])));
}

static json_t *levels_json(const struct fz_cache_geometry *cache)
{
	json_t *array = json_array();
	int failed = 0;

	for (unsigned int i = 0; i < cache->nr_levels; i++)
		failed |= json_array_append_new(array,
						level_json(&cache->level[i]));
	return whole(array, failed);
}

static json_t *cache_json(const struct fz_cache_geometry *cache)
{
	json_t *object;
	int failed;

	if (!cache->nr_levels)
		return json_null();
	object = json_object();
	failed = add_numbers(object, fz_profile_cache_fields, cache);
	failed |= json_object_set_new(
		object, "prefetcher",
		cache->prefetcher.streams
			? numbers_json(fz_profile_prefetcher_fields,
				       &cache->prefetcher)
			: json_null());
	failed |= json_object_set_new(object, "levels", levels_json(cache));
	return whole(object, failed);
}

static json_t *clear_json(const struct fz_profile_clear *clear)
{
	json_t *object = json_object();
	int failed =
		json_object_set_new(object, "name", json_string(clear->name));

	failed |= json_object_set_new(object, "streaming",
				      json_boolean(clear->streaming));
	failed |= json_object_set_new(
		object, "call_ns", numbers_json(fz_profile_call_fields, clear));
	failed |= add_numbers(object, fz_profile_clear_fields, clear);
	return whole(object, failed);
}

static json_t *clears_json(const struct fz_profile *profile)
{
	json_t *array = json_array();
	int failed = 0;

	for (size_t i = 0; i < profile->nr_clears; i++)
		failed |= json_array_append_new(
			array, clear_json(&profile->clears[i]));
	return whole(array, failed);
}

static json_t *rows_json(const struct fz_profile_document *document)
{
	json_t *array = json_array();
	int failed = 0;

	for (size_t i = 0; i < document->nr_fitted_rows; i++)
		failed |= json_array_append_new(
			array, json_string(document->fitted_rows[i]));
	return whole(array, failed);
}

int fz_profile_print(FILE *out, const struct fz_profile_document *document)
{
	const struct fz_profile *profile = &document->profile;
	json_t *root = json_object();
	int failed;
	int code;

	failed = json_object_set_new(root, "schema",
				     json_string(FZ_PROFILE_SCHEMA));
	failed |= json_object_set_new(root, "name", json_string(profile->name));
	failed |= json_object_set_new(root, "cpu", json_string(profile->cpu));
	failed |= json_object_set_new(root, "fitted_rows", rows_json(document));
	failed |= add_numbers(root, fz_profile_fields, profile);
	failed |=
		json_object_set_new(root, "cache", cache_json(&profile->cache));
	failed |= json_object_set_new(
		root, "memory",
		numbers_json(fz_profile_memory_fields, &profile->memory));
	failed |= json_object_set_new(root, "clears", clears_json(profile));
	root = whole(root, failed);
	code = fz_json_print(out, root);
	json_decref(root);
	return code;
}
