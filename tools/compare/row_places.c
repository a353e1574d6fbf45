// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a row of a result document ran: its placement in two values. */
#include "row_places.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers that threads name, and what is wrong with them, if anything. */
struct numbers {
	json_int_t *number; /* [nr] */
	size_t nr;
	bool unknown;
};

/* The number itself, or that of an object's member. */
static void add_number(struct numbers *n, const json_t *value,
		       const char *member)
{
	if (member)
		value = json_object_get(value, member);
	n->unknown |= !json_is_integer(value);
	n->number[n->nr++] = json_integer_value(value);
}

/* All entries of an array that each thread has. */
static int collect(struct numbers *n, const json_t *placement,
		   const char *array, const char *member)
{
	size_t room = 1;

	for (size_t i = 0; i < json_array_size(placement); i++)
		room += json_array_size(
			json_object_get(json_array_get(placement, i), array));
	n->number = calloc(room, sizeof(*n->number));
	if (!n->number)
		return -ENOMEM;
	for (size_t i = 0; i < json_array_size(placement); i++) {
		const json_t *entries =
			json_object_get(json_array_get(placement, i), array);

		n->unknown |= !json_array_size(entries);
		for (size_t j = 0; j < json_array_size(entries); j++)
			add_number(n, json_array_get(entries, j), member);
	}
	n->unknown |= !n->nr;
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const json_int_t x = *(const json_int_t *)a, y = *(const json_int_t *)b;

	return (x > y) - (x < y);
}

/* Sort them, and keep one of each. */
static void keep_distinct(struct numbers *n)
{
	size_t kept = 0;

	qsort(n->number, n->nr, sizeof(*n->number), compare_numbers);
	for (size_t i = 0; i < n->nr; i++)
		if (!kept || n->number[i] != n->number[kept - 1])
			n->number[kept++] = n->number[i];
	n->nr = kept;
}

static json_t *count_json(const struct numbers *n)
{
	return json_integer((json_int_t)n->nr);
}

static json_t *list_json(const struct numbers *n)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	json_t *list = NULL;

	for (size_t i = 0; out && i < n->nr; i++)
		fprintf(out, "%s%" JSON_INTEGER_FORMAT, i ? "," : "",
			n->number[i]);
	if (out && !fclose(out))
		list = json_string(text);
	free(text);
	return list;
}

static int add_places(json_t *row, const char *name, const char *array,
		      const char *member,
		      json_t *(*to_json)(const struct numbers *n))
{
	struct numbers n = { .nr = 0 };
	int code =
		collect(&n, json_object_get(row, "placement"), array, member);

	if (!code) {
		keep_distinct(&n);
		code = json_object_set_new(
			row, name, n.unknown ? json_null() : to_json(&n));
	}
	free(n.number);
	return code ? -ENOMEM : 0;
}

int fz_row_add_places(json_t *row)
{
	const int code =
		add_places(row, "placement_cpus", "cpus", NULL, count_json);

	return code ? code
		    : add_places(row, "placement_nodes", "nodes", "node",
				 list_json);
}
