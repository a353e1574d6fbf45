// SPDX-License-Identifier: GPL-2.0-or-later
/* Events in a binary heap: the children of i are 2i + 1 and 2i + 2. */
#include "event_queue.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 16

static bool before(const struct fz_event *a, const struct fz_event *b)
{
	return a->time_ns < b->time_ns ||
	       (a->time_ns == b->time_ns && a->seq < b->seq);
}

/* Both move what is in the way of @event into the hole at i. */
static void rise(struct fz_event *heap, size_t i, const struct fz_event *event)
{
	while (i > 0 && before(event, &heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = *event;
}

static void sink(struct fz_event *heap, size_t nr, const struct fz_event *event)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < nr) {
		if (child + 1 < nr && before(&heap[child + 1], &heap[child]))
			child++;
		if (before(event, &heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = *event;
}

static int make_room(struct fz_event_queue *queue)
{
	const size_t max = queue->max ? 2 * queue->max : FIRST_ROOM;
	struct fz_event *heap;

	if (queue->nr < queue->max)
		return 0;
	heap = reallocarray(queue->heap, max, sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	queue->heap = heap;
	queue->max = max;
	return 0;
}

void fz_event_queue_fini(struct fz_event_queue *queue)
{
	free(queue->heap);
	*queue = (struct fz_event_queue){ 0 };
}

int fz_event_queue_add(struct fz_event_queue *queue, struct fz_event event)
{
	const int rc = make_room(queue);

	if (rc)
		return rc;
	event.seq = queue->next_seq++;
	rise(queue->heap, queue->nr++, &event);
	return 0;
}

const struct fz_event *fz_event_queue_peek(const struct fz_event_queue *queue)
{
	return queue->nr ? &queue->heap[0] : NULL;
}

bool fz_event_queue_take(struct fz_event_queue *queue, struct fz_event *event)
{
	if (!queue->nr)
		return false;
	*event = queue->heap[0];
	queue->nr--;
	if (queue->nr)
		sink(queue->heap, queue->nr, &queue->heap[queue->nr]);
	return true;
}
