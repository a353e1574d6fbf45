/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flows by a key, lowest first. */
#ifndef FZ_FLUID_HEAP_H
#define FZ_FLUID_HEAP_H

#include <stdint.h>

/**
 * struct fz_fluid_entry - a flow in a heap
 * @key: what it is ordered by
 * @flow: its number
 */
struct fz_fluid_entry {
	double key;
	uint32_t flow;
};

/**
 * struct fz_fluid_heap - flows by a key; zero it at the start
 * @at: [nr], owned; the first has the lowest key
 * @nr: flows in it
 * @max: room in @at
 *
 * A flow is in one heap at a time. Where it is there stands in an array
 * place[flow], which several heaps share and the caller owns.
 */
struct fz_fluid_heap {
	struct fz_fluid_entry *at;
	uint32_t nr;
	uint32_t max;
};

/**
 * fz_fluid_heap_reserve() - make room, so that fz_fluid_heap_add() cannot fail
 * @heap: the heap
 * @nr: flows that it will have at most
 *
 * Return: 0 or -ENOMEM.
 */
int fz_fluid_heap_reserve(struct fz_fluid_heap *heap, uint32_t nr);

/**
 * fz_fluid_heap_fini() - free it
 * @heap: empty afterwards
 */
void fz_fluid_heap_fini(struct fz_fluid_heap *heap);

/**
 * fz_fluid_heap_add() - one more, for which there is room
 * @heap: the heap
 * @place: of all flows
 * @entry: the flow and its key
 */
void fz_fluid_heap_add(struct fz_fluid_heap *heap, uint32_t *place,
		       struct fz_fluid_entry entry);

/**
 * fz_fluid_heap_remove() - one less
 * @heap: the heap
 * @place: of all flows
 * @flow: which is in this heap
 */
void fz_fluid_heap_remove(struct fz_fluid_heap *heap, uint32_t *place,
			  uint32_t flow);

/**
 * fz_fluid_heap_change() - a flow gets another key
 * @heap: the heap
 * @place: of all flows
 * @entry: the flow, which is in this heap, and its new key
 */
void fz_fluid_heap_change(struct fz_fluid_heap *heap, uint32_t *place,
			  struct fz_fluid_entry entry);

#endif
