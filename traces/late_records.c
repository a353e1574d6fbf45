// SPDX-License-Identifier: GPL-2.0-or-later
/* A binary heap of records, by time and then by the order they came in. */
#include "late_records.h"

#include <assert.h>
#include <stdlib.h>

#define MIN_RECORDS ((size_t)256)
#define MAX_RECORDS ((size_t)1 << 16)

void late_records_fini(struct late_records *late)
{
	free(late->heap);
}

bool late_records_has_room(struct late_records *late)
{
	const size_t cap = late->cap ? 2 * late->cap : MIN_RECORDS;
	struct late_record *heap;

	if (late->nr < late->cap)
		return true;
	if (cap > MAX_RECORDS)
		return false;
	heap = realloc(late->heap, cap * sizeof(*heap));
	if (!heap)
		return false;
	late->heap = heap;
	late->cap = cap;
	return true;
}

static bool is_before(const struct late_record *a, const struct late_record *b)
{
	if (a->fault.time_ns != b->fault.time_ns)
		return a->fault.time_ns < b->fault.time_ns;
	return a->nr_before < b->nr_before;
}

void late_records_add(struct late_records *late, const struct fz_fault *fault)
{
	const struct late_record record = { *fault, late->nr_added++ };
	size_t at = late->nr++;

	assert(at < late->cap);
	while (at > 0 && is_before(&record, &late->heap[(at - 1) / 2])) {
		late->heap[at] = late->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	late->heap[at] = record;
}

void late_records_drop_first(struct late_records *late)
{
	const struct late_record *last = &late->heap[--late->nr];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < late->nr) {
		if (child + 1 < late->nr &&
		    is_before(&late->heap[child + 1], &late->heap[child]))
			child++;
		if (!is_before(&late->heap[child], last))
			break;
		late->heap[at] = late->heap[child];
		at = child;
	}
	late->heap[at] = *last;
}
