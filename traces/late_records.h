/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that came later than their time: a heap, the earliest on top. */
#ifndef LATE_RECORDS_H
#define LATE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>

struct late_record {
	struct fz_fault fault;
	uint64_t nr_before; /* came earlier: the order of equal times */
};

/* Zeroed at the start. */
struct late_records {
	size_t nr, cap;
	uint64_t nr_added;
	struct late_record *heap; /* [cap] */
};

void late_records_fini(struct late_records *late);

/* Is there room for another one, also when that takes memory? */
bool late_records_has_room(struct late_records *late);

/* There must be room. */
void late_records_add(struct late_records *late, const struct fz_fault *fault);

/* The earliest; of equal ones the one that came first. There must be one. */
static inline const struct fz_fault *
late_records_first(const struct late_records *late)
{
	return &late->heap[0].fault;
}

void late_records_drop_first(struct late_records *late);

#endif
