// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of tasks, linked by their numbers. */
#include "run_queue.h"

static const struct fz_waiters nobody = { FZ_NO_TASK, FZ_NO_TASK };

void fz_run_queue_init(struct fz_run_queue *queue)
{
	*queue = (struct fz_run_queue){ nobody, nobody, nobody };
}

static struct fz_waiters *list_of(struct fz_run_queue *queue,
				  const struct fz_waiter *waiter)
{
	if (waiter->priority)
		return &queue->rt;
	return waiter->winner ? &queue->winners : &queue->turn;
}

/* Behind @before, or first if that is FZ_NO_TASK. */
static void insert(struct fz_waiters *list, struct fz_waiter *waiters,
		   uint32_t before, uint32_t task)
{
	uint32_t *link =
		before == FZ_NO_TASK ? &list->first : &waiters[before].next;

	waiters[task].next = *link;
	*link = task;
	if (list->last == before)
		list->last = task;
}

/* The last one of a higher priority. */
static uint32_t higher(const struct fz_waiters *list,
		       const struct fz_waiter *waiters, unsigned int priority)
{
	uint32_t found = FZ_NO_TASK;

	for (uint32_t i = list->first;
	     i != FZ_NO_TASK && waiters[i].priority > priority;
	     i = waiters[i].next)
		found = i;
	return found;
}

void fz_run_queue_add_last(struct fz_run_queue *queue,
			   struct fz_waiter *waiters, uint32_t task)
{
	const unsigned int priority = waiters[task].priority;
	struct fz_waiters *list = list_of(queue, &waiters[task]);
	uint32_t before = list->last;

	if (before != FZ_NO_TASK && waiters[before].priority < priority)
		before = higher(list, waiters, priority - 1);
	insert(list, waiters, before, task);
}

void fz_run_queue_add_first(struct fz_run_queue *queue,
			    struct fz_waiter *waiters, uint32_t task)
{
	struct fz_waiters *list = list_of(queue, &waiters[task]);

	insert(list, waiters, higher(list, waiters, waiters[task].priority),
	       task);
}

static uint32_t take_first(struct fz_waiters *list,
			   const struct fz_waiter *waiters)
{
	const uint32_t task = list->first;

	list->first = waiters[task].next;
	if (list->first == FZ_NO_TASK)
		list->last = FZ_NO_TASK;
	return task;
}

uint32_t fz_run_queue_take(struct fz_run_queue *queue,
			   struct fz_waiter *waiters)
{
	if (queue->rt.first != FZ_NO_TASK)
		return take_first(&queue->rt, waiters);
	if (queue->winners.first != FZ_NO_TASK)
		return take_first(&queue->winners, waiters);
	if (queue->turn.first != FZ_NO_TASK)
		return take_first(&queue->turn, waiters);
	return FZ_NO_TASK;
}

bool fz_run_queue_has_fair(const struct fz_run_queue *queue)
{
	return queue->winners.first != FZ_NO_TASK ||
	       queue->turn.first != FZ_NO_TASK;
}
