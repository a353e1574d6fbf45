/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that came later than their time: a heap, the earliest on top. */
#ifndef LATE_RECORDS_H
#define LATE_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>

#define LATE_RECORDS_MAX ((size_t)1 << 16)

struct late_record {
	struct fz_fault fault;
	uint64_t nr_before; /* came earlier: the order of equal times */
};

/* Zeroed at the start, but for the heap: memory that the owner provides. */
struct late_records {
	size_t nr; /* less than LATE_RECORDS_MAX where one is added */
	uint64_t nr_added;
	struct late_record *heap; /* [LATE_RECORDS_MAX] */
};

void late_records_add(struct late_records *late, const struct fz_fault *fault);

/* The earliest; of equal ones the one that came first. There must be one. */
static inline const struct fz_fault *
late_records_first(const struct late_records *late)
{
	return &late->heap[0].fault;
}

void late_records_drop_first(struct late_records *late);

#endif
