// SPDX-License-Identifier: GPL-2.0-or-later
/* Which processes faulted how often. */
#include "trace_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"

struct fz_trace_task {
	uint32_t pid;
	uint8_t comm_bytes;
	char comm[FZ_COMM_BYTES];
	uint64_t nr[FZ_TASK_WAYS];
	UT_hash_handle hh;
};

uint32_t fz_trace_process_of(const struct fz_fault *record)
{
	return record->knows & FZ_KNOWS_PID ? record->pid : record->tid;
}

static struct fz_trace_task *add(struct fz_trace_tasks *tasks, uint32_t pid)
{
	struct fz_trace_task *task;

	if (tasks->nr == FZ_TRACE_MAX_TASKS)
		return NULL;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->pid = pid;
	HASH_ADD(hh, tasks->table, pid, sizeof(task->pid), task);
	if (!task->hh.tbl) {
		free(task);
		return NULL;
	}
	tasks->nr++;
	return task;
}

void fz_trace_tasks_add(struct fz_trace_tasks *tasks,
			const struct fz_fault *fault, uint32_t pid,
			unsigned int way)
{
	struct fz_trace_task *task;

	HASH_FIND(hh, tasks->table, &pid, sizeof(pid), task);
	if (!task)
		task = add(tasks, pid);
	if (!task) {
		tasks->left_out++;
		return;
	}
	task->nr[way]++;
	if (!fault->comm_bytes)
		return;
	task->comm_bytes = fault->comm_bytes;
	memcpy(task->comm, fault->comm, fault->comm_bytes);
}

void fz_trace_tasks_fini(struct fz_trace_tasks *tasks)
{
	struct fz_trace_task *task, *next;

	HASH_ITER (hh, tasks->table, task, next) {
		HASH_DEL(tasks->table, task);
		free(task);
	}
	tasks->nr = 0;
}

/* Into a short list that is sorted. */
static size_t insert(struct fz_trace_task_count *top, size_t nr, size_t max,
		     struct fz_trace_task_count count)
{
	size_t at = nr;

	while (at > 0 &&
	       (top[at - 1].nr < count.nr ||
		(top[at - 1].nr == count.nr && top[at - 1].pid > count.pid))) {
		if (at < max)
			top[at] = top[at - 1];
		at--;
	}
	if (at < max)
		top[at] = count;
	return nr < max ? nr + 1 : max;
}

size_t fz_trace_tasks_top(const struct fz_trace_tasks *tasks, unsigned int way,
			  struct fz_trace_task_count *top, size_t max)
{
	const struct fz_trace_task *task, *next;
	size_t nr = 0;

	HASH_ITER (hh, tasks->table, task, next) {
		struct fz_trace_task_count count = {
			.pid = task->pid,
			.nr = task->nr[way],
			.comm_bytes = task->comm_bytes,
		};

		memcpy(count.comm, task->comm, sizeof(count.comm));
		if (count.nr)
			nr = insert(top, nr, max, count);
	}
	return nr;
}

void fz_comm_text(char text[FZ_COMM_TEXT_BYTES], const char *comm,
		  size_t comm_bytes)
{
	for (size_t i = 0; i < comm_bytes; i++) {
		const unsigned char c = (unsigned char)comm[i];
		const bool plain = c >= 0x20 && c <= 0x7e && c != '\\';

		text += sprintf(text, plain ? "%c" : "\\x%02x", c);
	}
	*text = '\0';
}
