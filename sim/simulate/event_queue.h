/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens next: a heap keyed (time, sequence). */
#ifndef FZ_EVENT_QUEUE_H
#define FZ_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fz_event - something that happens at a time
 * @time_ns: when
 * @seq: order of those at the same time: the order they were added in
 * @kind: what
 * @subject: to whom: index of a CPU, a task, a source
 * @stamp: so that its owner can tell that it is out of date
 */
struct fz_event {
	uint64_t time_ns;
	uint64_t seq;
	uint32_t kind;
	uint32_t subject;
	uint64_t stamp;
};

/**
 * struct fz_event_queue - see fz_event_queue_add(); zero it at the start
 * @heap: [nr], owned
 * @nr: events in it
 * @max: room in @heap
 * @next_seq: of the next one
 */
struct fz_event_queue {
	struct fz_event *heap;
	size_t nr;
	size_t max;
	uint64_t next_seq;
};

/**
 * fz_event_queue_fini() - forget all
 * @queue: empty afterwards
 */
void fz_event_queue_fini(struct fz_event_queue *queue);

/**
 * fz_event_queue_add() - something will happen
 * @queue: the queue
 * @event: seq is set by this
 *
 * Return: 0 or -ENOMEM.
 */
int fz_event_queue_add(struct fz_event_queue *queue, struct fz_event event);

/**
 * fz_event_queue_peek() - the next one, which stays
 * @queue: the queue
 *
 * Return: the event, valid until the next change; NULL if there is none.
 */
const struct fz_event *fz_event_queue_peek(const struct fz_event_queue *queue);

/**
 * fz_event_queue_take() - the next one
 * @queue: the queue
 * @event: written if there is one
 *
 * Return: true if there was one.
 */
bool fz_event_queue_take(struct fz_event_queue *queue, struct fz_event *event);

#endif
