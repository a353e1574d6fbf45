// SPDX-License-Identifier: GPL-2.0-or-later
/* What differs between the machines and tools of two result documents. */
#include "facts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/units.h>

#include "json_value.h"
#include "options.h"

/* Of the machine block; changes from minute to minute. */
static const char *const restless[] = { "steal_ms", "hugetlb_pools" };

/* Members that name an entry of an array. */
static const char *const names[] = { "name", "bytes", "page_bytes", "node" };

/* A path in words; longer ones are cut. */
#define WHAT_BYTES 256

static bool is_restless(const char *what)
{
	for (size_t i = 0; i < sizeof(restless) / sizeof(restless[0]); i++)
		if (strcmp(what, restless[i]) == 0)
			return true;
	return false;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* A value in words; NULL for null, or without memory. */
static char *value_text(const char *what, const json_t *value)
{
	char bytes[FZ_FORMAT_BYTES];

	if (!value || json_is_null(value))
		return NULL;
	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (json_is_boolean(value))
		return strdup(json_is_true(value) ? "yes" : "no");
	if (json_is_integer(value) && ends_with(what, "bytes") &&
	    json_integer_value(value) > 0) {
		fz_format_bytes(bytes, sizeof(bytes),
				(uint64_t)json_integer_value(value));
		return strdup(bytes);
	}
	return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT |
					 JSON_REAL_PRECISION(FZ_JSON_DIGITS));
}

static bool is_told(const struct fz_facts *facts, const char *what)
{
	for (size_t i = 0; i < facts->nr; i++)
		if (strcmp(facts->fact[i].what, what) == 0)
			return true;
	return false;
}

static int add(struct fz_facts *facts, const char *what, const json_t *base,
	       const json_t *other)
{
	struct fz_fact *fact = &facts->fact[facts->nr];

	if (is_told(facts, what))
		return 0;
	if (facts->nr == FZ_FACTS_MAX) {
		facts->more++;
		return 0;
	}
	*fact = (struct fz_fact){
		.what = strdup(what),
		.base = value_text(what, base),
		.other = value_text(what, other),
	};
	facts->nr++;
	return fact->what ? 0 : -ENOMEM;
}

static int add_difference(struct fz_facts *facts, const char *what,
			  const json_t *base, const json_t *other);

/* "caches" and "L3" are "caches L3"; the value of a finding is the finding. */
static void join(char *buf, const char *what, const char *name)
{
	if (strcmp(name, "value") == 0)
		snprintf(buf, WHAT_BYTES, "%s", what);
	else
		snprintf(buf, WHAT_BYTES, "%s%s%s", what, what[0] ? " " : "",
			 name);
}

static int add_member(struct fz_facts *facts, const char *what,
		      const char *name, const json_t *base, const json_t *other)
{
	char longer[WHAT_BYTES];

	if (strcmp(name, "basis") == 0)
		return 0;
	join(longer, what, name);
	return add_difference(facts, longer, json_object_get(base, name),
			      json_object_get(other, name));
}

static int add_objects(struct fz_facts *facts, const char *what,
		       const json_t *base, const json_t *other)
{
	const char *name;
	json_t *value;
	int code = 0;

	json_object_foreach((json_t *)base, name, value)
	{
		if (!code)
			code = add_member(facts, what, name, base, other);
	}
	json_object_foreach((json_t *)other, name, value)
	{
		if (!code && !json_object_get(base, name))
			code = add_member(facts, what, name, base, other);
	}
	return code;
}

/* What an entry of an array is called; false if it has no name. */
static bool entry_name(char *buf, const json_t *entry)
{
	if (json_is_string(entry)) {
		snprintf(buf, WHAT_BYTES, "%s", json_string_value(entry));
		return true;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *text =
			value_text(names[i], json_object_get(entry, names[i]));

		if (!text)
			continue;
		snprintf(buf, WHAT_BYTES, "%s", text);
		free(text);
		return true;
	}
	return false;
}

static const json_t *entry_of_name(const json_t *array, const char *name)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		char other[WHAT_BYTES];

		if (entry_name(other, json_array_get(array, i)) &&
		    strcmp(other, name) == 0)
			return json_array_get(array, i);
	}
	return NULL;
}

/* A word that is in the array or not. */
static json_t *presence(const json_t *entry)
{
	return entry ? json_true() : json_false();
}

static int add_entry(struct fz_facts *facts, const char *what, const char *name,
		     const json_t *base, const json_t *other)
{
	char longer[WHAT_BYTES];

	join(longer, what, name);
	if (json_is_string(base) || json_is_string(other))
		return add_difference(facts, longer, presence(base),
				      presence(other));
	return add_difference(facts, longer, base, other);
}

/* The entries of `base`, or those of `other` that `base` has not. */
static int add_entries(struct fz_facts *facts, const char *what,
		       const json_t *base, const json_t *other, bool only_other)
{
	const json_t *array = only_other ? other : base;
	int code = 0;

	for (size_t i = 0; i < json_array_size(array) && !code; i++) {
		char name[WHAT_BYTES];

		if (!entry_name(name, json_array_get(array, i)))
			continue;
		if (!only_other || !entry_of_name(base, name))
			code = add_entry(facts, what, name,
					 entry_of_name(base, name),
					 entry_of_name(other, name));
	}
	return code;
}

/* Beyond that an array is no list of caches or features. */
#define MAX_ENTRIES 1000

static int add_arrays(struct fz_facts *facts, const char *what,
		      const json_t *base, const json_t *other)
{
	int code;

	if (json_array_size(base) > MAX_ENTRIES ||
	    json_array_size(other) > MAX_ENTRIES)
		return add(facts, what, base, other);
	code = add_entries(facts, what, base, other, false);
	if (!code)
		code = add_entries(facts, what, base, other, true);
	return code;
}

static int add_difference(struct fz_facts *facts, const char *what,
			  const json_t *base, const json_t *other)
{
	if (is_restless(what) || json_equal(base, other) ||
	    ((!base || json_is_null(base)) && (!other || json_is_null(other))))
		return 0;
	if (json_is_object(base) && json_is_object(other))
		return add_objects(facts, what, base, other);
	if (json_is_array(base) && json_is_array(other))
		return add_arrays(facts, what, base, other);
	return add(facts, what, base, other);
}

static const json_t *object_of_policy(const json_t *objects, const char *name)
{
	const json_t *object;
	size_t i;

	json_array_foreach((json_t *)objects, i, object)
	{
		const char *other =
			json_string_value(json_object_get(object, "policy"));

		if (other && strcmp(other, name) == 0)
			return object;
	}
	return NULL;
}

static bool is_same_file(const json_t *a, const json_t *b)
{
	return json_equal(json_object_get(a, "bytes"),
			  json_object_get(b, "bytes")) &&
	       json_equal(json_object_get(a, "crc32"),
			  json_object_get(b, "crc32"));
}

/* "./mine.so, 16008 bytes, crc32 0a1b2c3d". */
static json_t *object_words(const json_t *object)
{
	const char *path = json_string_value(json_object_get(object, "path"));
	const char *crc = json_string_value(json_object_get(object, "crc32"));

	return json_sprintf(
		"%s, %" JSON_INTEGER_FORMAT " bytes, crc32 %s",
		path ? path : "unknown",
		json_integer_value(json_object_get(object, "bytes")),
		crc ? crc : "unknown");
}

static int add_object(struct fz_facts *facts, const char *name,
		      const json_t *base, const json_t *other)
{
	char what[WHAT_BYTES];
	json_t *words[2];
	int code;

	if (is_same_file(base, other))
		return 0;
	snprintf(what, sizeof(what), "object of policy %s", name);
	words[0] = object_words(base);
	words[1] = object_words(other);
	code = words[0] && words[1] ? add(facts, what, words[0], words[1])
				    : -ENOMEM;
	json_decref(words[0]);
	json_decref(words[1]);
	return code;
}

/* Policies of one name that were compiled from two sources, or twice. */
static int add_policy_objects(struct fz_facts *facts, const json_t *base,
			      const json_t *other)
{
	int code = 0;

	for (size_t i = 0; i < json_array_size(base) && i < FZ_LIST_MAX; i++) {
		const json_t *object = json_array_get(base, i);
		const char *name =
			json_string_value(json_object_get(object, "policy"));
		const json_t *same =
			name ? object_of_policy(other, name) : NULL;

		if (same && !code)
			code = add_object(facts, name, object, same);
	}
	return code;
}

int fz_facts_add(struct fz_facts *facts, const struct fz_document *base,
		 const struct fz_document *other)
{
	int code = add_difference(
		facts, "version of foliosim",
		json_object_get(json_object_get(base->root, "tool"), "version"),
		json_object_get(json_object_get(other->root, "tool"),
				"version"));

	if (!code)
		code = add_policy_objects(
			facts, json_object_get(base->root, "policy_objects"),
			json_object_get(other->root, "policy_objects"));
	return code ? code
		    : add_difference(facts, "", base->machine, other->machine);
}

int fz_facts_add_seeds(struct fz_facts *facts, const struct fz_document *base,
		       const struct fz_document *other)
{
	return add_difference(facts, "seed", base->seed, other->seed);
}

int fz_facts_add_nodes(struct fz_facts *facts, const struct fz_read_row *base,
		       const struct fz_read_row *other)
{
	const json_t *nodes = json_object_get(base->json, "placement_nodes");
	const json_t *others = json_object_get(other->json, "placement_nodes");
	char what[WHAT_BYTES];

	if (!json_is_string(nodes) || !json_is_string(others))
		return 0;
	snprintf(what, sizeof(what), "NUMA nodes of %s", base->id);
	return add_difference(facts, what, nodes, others);
}

void fz_facts_fini(struct fz_facts *facts)
{
	for (size_t i = 0; i < facts->nr; i++) {
		free(facts->fact[i].what);
		free(facts->fact[i].base);
		free(facts->fact[i].other);
	}
	facts->nr = 0;
}
