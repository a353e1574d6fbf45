/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that wait for a CPU. */
#ifndef FZ_RUN_QUEUE_H
#define FZ_RUN_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define FZ_NO_TASK UINT32_MAX

/**
 * struct fz_waiter - a task as a queue sees it
 * @next: task behind it
 * @priority: of RT, 1 (lowest) to 99; 0 = fair
 * @winner: fair, and won the CPU when it was woken
 */
struct fz_waiter {
	uint32_t next;
	unsigned int priority;
	bool winner;
};

/**
 * struct fz_waiters - a list of them
 * @first: task, or FZ_NO_TASK
 * @last: task, or FZ_NO_TASK
 */
struct fz_waiters {
	uint32_t first;
	uint32_t last;
};

/**
 * struct fz_run_queue - of one CPU
 * @rt: highest priority first, then first come first served
 * @winners: fair ones that won, first come first served
 * @turn: other fair ones, whose turn it is first
 */
struct fz_run_queue {
	struct fz_waiters rt;
	struct fz_waiters winners;
	struct fz_waiters turn;
};

/**
 * fz_run_queue_init() - nobody waits
 * @queue: written
 */
void fz_run_queue_init(struct fz_run_queue *queue);

/**
 * fz_run_queue_add_last() - one more waits, behind its like
 * @queue: the queue
 * @waiters: of all tasks
 * @task: who
 */
void fz_run_queue_add_last(struct fz_run_queue *queue,
			   struct fz_waiter *waiters, uint32_t task);

/**
 * fz_run_queue_add_first() - one more waits, before its like
 * @queue: the queue
 * @waiters: of all tasks
 * @task: who
 */
void fz_run_queue_add_first(struct fz_run_queue *queue,
			    struct fz_waiter *waiters, uint32_t task);

/**
 * fz_run_queue_take() - who is next
 * @queue: the queue
 * @waiters: of all tasks
 *
 * Return: the task, which no longer waits; FZ_NO_TASK if there is none.
 */
uint32_t fz_run_queue_take(struct fz_run_queue *queue,
			   struct fz_waiter *waiters);

/**
 * fz_run_queue_has_fair() - does a fair task wait?
 * @queue: the queue
 *
 * Return: true if one does.
 */
bool fz_run_queue_has_fair(const struct fz_run_queue *queue);

#endif
