// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON documents with something wrong in them. */
#include "mutate_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define NR(a) (sizeof(a) / sizeof((a)[0]))

static void mutate_bytes(struct fz_random *random, char *text)
{
	const size_t bytes = strlen(text);
	const uint64_t nr = 1 + fz_random_below(random, 4);

	for (uint64_t i = 0; i < nr; i++) {
		char *c = &text[fz_random_below(random, bytes)];

		if (fz_random_below(random, 2))
			*c ^= (char)(1 << fz_random_below(random, 7));
		else
			*c = "0123456789-.,:[]{}\"eEnt\\"[fz_random_below(
				random, 23)];
		if (!*c)
			*c = ' ';
	}
}

static json_t *any_value(struct fz_random *random)
{
	static const char *const values[] = {
		"null",    "true",   "false",  "0",
		"-1",      "1",      "1e308",  "1e-320",
		"\"\"",    "[]",     "{}",     "9223372036854775807",
		"[[]]",    "[null]", "\"r1\"", "\"kernel\"",
		"\"NaN\"", "31",
	};

	return json_loads(values[fz_random_below(random, NR(values))],
			  JSON_DECODE_ANY, NULL);
}

/* Walk down to some member and change, remove or double it. */
static void mutate_json(struct fz_random *random, json_t *value)
{
	for (;;) {
		const bool array = json_is_array(value);
		const size_t nr = array ? json_array_size(value)
					: json_object_size(value);
		const size_t which = nr ? fz_random_below(random, nr) : 0;
		void *iter = array ? NULL : json_object_iter(value);
		json_t *child;

		for (size_t i = 0; iter && i < which; i++)
			iter = json_object_iter_next(value, iter);
		if (!nr)
			return;
		child = array ? json_array_get(value, which)
			      : json_object_iter_value(iter);
		if ((json_is_object(child) || json_is_array(child)) &&
		    fz_random_below(random, 5)) {
			value = child;
			continue;
		}
		if (array && fz_random_below(random, 3) == 0)
			json_array_remove(value, which);
		else if (array && fz_random_below(random, 3) == 0)
			json_array_append(value, child);
		else if (array)
			json_array_set_new(value, which, any_value(random));
		else if (fz_random_below(random, 3) == 0)
			json_object_del(value, json_object_iter_key(iter));
		else
			json_object_iter_set_new(value, iter,
						 any_value(random));
		return;
	}
}

char *mutated_json(struct fz_random *random, const char *text, bool bytes)
{
	json_t *root;
	char *mutated;

	if (bytes) {
		mutated = strdup(text);
		mutate_bytes(random, mutated);
		return mutated;
	}
	root = json_loads(text, 0, NULL);
	for (uint64_t i = 0; i <= fz_random_below(random, 3); i++)
		mutate_json(random, root);
	mutated = json_dumps(root, 0);
	json_decref(root);
	return mutated;
}

char *changed_json(const char *good, unsigned int nth, const char *from,
		   const char *to)
{
	const char *at = good;
	char *text;

	for (unsigned int i = 0; i <= nth; i++) {
		at = strstr(i ? at + 1 : at, from);
		if (!at) {
			fprintf(stderr, "no %s\n", from);
			abort();
		}
	}
	if (asprintf(&text, "%.*s%s%s", (int)(at - good), good, to,
		     at + strlen(from)) < 0)
		abort();
	for (char *c = text; *c; c++)
		if (*c == '\'')
			*c = '"';
	return text;
}
