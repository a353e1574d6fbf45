// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print_workloads FILE...: what the reader of workloads says of files and of
 * made-up ones, for the schema to agree: a line each with its verdict, a tab,
 * and the workload. The verdict is "read", "refused", "wrong" if a schema must
 * refuse it too, or "unfit" if it is refused for what a schema cannot tell.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>
#include <jansson.h>

#include "made_workloads.h"
#include "mutate_json.h"
#include "workload_read.h"

#define MUTATIONS 3000u

static bool is_read(const char *text)
{
	struct fz_workload workload = { .nr_cpus = 0 };
	const bool read =
		!fz_workload_parse(&workload, "x", text, strlen(text), NULL);

	fz_workload_fini(&workload);
	return read;
}

/* In one line, whatever it was; what is no JSON has no schema. */
static void print_workload(const char *verdict, const char *text)
{
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	char *line = root ? json_dumps(root, JSON_COMPACT) : NULL;

	if (line)
		printf("%s\t%s\n", verdict, line);
	free(line);
	json_decref(root);
}

static void print_read(const char *text)
{
	print_workload(is_read(text) ? "read" : "refused", text);
}

static void print_wrong(const struct wrong_workload *wrong)
{
	char *text =
		changed_json(good_workload, wrong->nth, wrong->from, wrong->to);

	print_workload(is_read(text) ? "read"
		       : wrong->fits ? "unfit"
				     : "wrong",
		       text);
	free(text);
}

static void print_mutations(bool bytes)
{
	struct fz_random random = fz_random_begin(4, bytes);
	char *good = changed_json(good_workload, 0, "worker", "worker");

	for (unsigned int i = 0; i < MUTATIONS; i++) {
		char *text = mutated_json(&random, good, bytes);

		print_read(text);
		free(text);
	}
	free(good);
}

static int print_file(const char *path)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);
	char *text = root ? json_dumps(root, 0) : NULL;

	if (!text)
		fprintf(stderr, "print_workloads: %s: %s\n", path, error.text);
	else
		print_read(text);
	json_decref(root);
	free(text);
	return text ? 0 : 1;
}

int main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= print_file(argv[i]);
	for (size_t i = 0; i < nr_wrong_workloads; i++)
		print_wrong(&wrong_workloads[i]);
	print_mutations(false);
	print_mutations(true);
	return status;
}
