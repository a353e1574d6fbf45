// SPDX-License-Identifier: GPL-2.0-or-later
/* Result documents put together row by row, for tests of comparisons. */
#include "made_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

json_t *made_document(const char *kernel)
{
	return json_pack(
		"{s:s, s:b, s:{s:s, s:s, s:i}, s:{s:s, s:s, s:{s:s, s:s},"
		" s:b, s:i, s:[{s:s, s:i}]}, s:[]}",
		"schema", FZ_RESULT_SCHEMA, "partial", 0, "tool", "version",
		"0.1.0", "command", "foliosim bench", "seed", 1, "machine",
		"cpu", "A CPU", "kernel", kernel, "preempt_mode", "value",
		"none", "basis", "config", "virtualised", 0, "steal_ms", 7,
		"caches", "name", "L3", "bytes", 1 << 20, "rows");
}

/* A sum of twelve is normal enough. */
static double normal(struct fz_random *random)
{
	double sum = -6;

	for (unsigned int i = 0; i < 12; i++)
		sum += fz_random_unit(random);
	return sum;
}

json_t *made_row(json_t *document, const char *policy, size_t rounds,
		 double seconds, double stdev, struct fz_random *random)
{
	json_t *rows = json_object_get(document, "rows");
	json_t *row = json_pack(
		"{s:s, s:n, s:s, s:s, s:s, s:n, s:i, s:{s:s}, s:i, s:s, s:s,"
		" s:n, s:n, s:i, s:i, s:i, s:i, s:[], s:o}",
		"status", "measured", "reason", "engine", "buffers", "policy",
		policy, "clear", "stosb", "stream_clear", "page_size_bytes",
		2 << 20, "backing", "kind", "hugetlb", "folio_bytes", 2 << 20,
		"fault_page", "random", "preempt", "none", "batch_bytes",
		"radius_pages", "threads", 1, "rounds", (int)rounds, "faults",
		32, "bytes", 64 << 20, "seconds", "id",
		json_sprintf("r%zu", json_array_size(rows) + 1));

	ck_assert_ptr_nonnull(row);
	for (size_t i = 0; i < rounds; i++)
		json_array_append_new(
			json_object_get(row, "seconds"),
			json_real(seconds * exp(stdev * normal(random))));
	json_array_append_new(rows, row);
	return row;
}

void made_read(struct fz_document *read, json_t *document)
{
	struct fz_err err = { "" };
	char *text = json_dumps(document, 0);

	ck_assert_ptr_nonnull(text);
	ck_assert_msg(fz_document_parse(read, "made.json", text, strlen(text),
					&err) == 0,
		      "%s", err.msg);
	free(text);
	json_decref(document);
}
