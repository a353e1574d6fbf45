// SPDX-License-Identifier: GPL-2.0-or-later
/* A binary heap of flows that know their places in it. */
#include "fluid_heap.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 16u

int fz_fluid_heap_reserve(struct fz_fluid_heap *heap, uint32_t nr)
{
	uint32_t max = heap->max ? heap->max : FIRST_ROOM;
	struct fz_fluid_entry *at;

	if (nr <= heap->max)
		return 0;
	while (max < nr)
		max *= 2;
	at = reallocarray(heap->at, max, sizeof(*at));
	if (!at)
		return -ENOMEM;
	heap->at = at;
	heap->max = max;
	return 0;
}

void fz_fluid_heap_fini(struct fz_fluid_heap *heap)
{
	free(heap->at);
	*heap = (struct fz_fluid_heap){ 0 };
}

static void put(struct fz_fluid_heap *heap, uint32_t *place, uint32_t i,
		struct fz_fluid_entry entry)
{
	heap->at[i] = entry;
	place[entry.flow] = i;
}

/* Both move what is in the way of @entry into the hole at i. */
static void rise(struct fz_fluid_heap *heap, uint32_t *place, uint32_t i,
		 struct fz_fluid_entry entry)
{
	while (i > 0 && entry.key < heap->at[(i - 1) / 2].key) {
		put(heap, place, i, heap->at[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	put(heap, place, i, entry);
}

static void sink(struct fz_fluid_heap *heap, uint32_t *place, uint32_t i,
		 struct fz_fluid_entry entry)
{
	const struct fz_fluid_entry *at = heap->at;
	uint32_t child;

	while ((child = 2 * i + 1) < heap->nr) {
		if (child + 1 < heap->nr && at[child + 1].key < at[child].key)
			child++;
		if (entry.key <= at[child].key)
			break;
		put(heap, place, i, at[child]);
		i = child;
	}
	put(heap, place, i, entry);
}

static void fill(struct fz_fluid_heap *heap, uint32_t *place, uint32_t i,
		 struct fz_fluid_entry entry)
{
	if (i > 0 && entry.key < heap->at[(i - 1) / 2].key)
		rise(heap, place, i, entry);
	else
		sink(heap, place, i, entry);
}

void fz_fluid_heap_add(struct fz_fluid_heap *heap, uint32_t *place,
		       struct fz_fluid_entry entry)
{
	rise(heap, place, heap->nr++, entry);
}

void fz_fluid_heap_remove(struct fz_fluid_heap *heap, uint32_t *place,
			  uint32_t flow)
{
	const uint32_t hole = place[flow];

	heap->nr--;
	if (hole < heap->nr)
		fill(heap, place, hole, heap->at[heap->nr]);
}

void fz_fluid_heap_change(struct fz_fluid_heap *heap, uint32_t *place,
			  struct fz_fluid_entry entry)
{
	fill(heap, place, place[entry.flow], entry);
}
