/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes faulted how often. */
#ifndef FZ_TRACE_TASKS_H
#define FZ_TRACE_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>

/* Processes that are told apart; more are counted together: 2 MiB. */
#define FZ_TRACE_MAX_TASKS ((size_t)1 << 14)

/* A fault can be recorded in so many ways: enum fz_fault_way. */
#define FZ_TASK_WAYS 3

struct fz_trace_task;

/**
 * struct fz_trace_tasks - zero it at the start
 * @table: by pid
 * @nr: processes told apart
 * @left_out: faults of others
 */
struct fz_trace_tasks {
	struct fz_trace_task *table;
	size_t nr;
	uint64_t left_out;
};

/**
 * struct fz_trace_task_count - a process
 * @pid: process
 * @nr: its faults
 * @comm: [comm_bytes] its latest name
 * @comm_bytes: 0 = unknown
 */
struct fz_trace_task_count {
	uint32_t pid;
	uint64_t nr;
	char comm[FZ_COMM_BYTES];
	uint8_t comm_bytes;
};

/* A trace of threads only has a process for each. */
uint32_t fz_trace_process_of(const struct fz_fault *record);

/* Count a fault; without memory it is left out. */
void fz_trace_tasks_add(struct fz_trace_tasks *tasks,
			const struct fz_fault *fault, uint32_t pid,
			unsigned int way);
void fz_trace_tasks_fini(struct fz_trace_tasks *tasks);

/* Those with the most faults of that way, most first; how many there are. */
size_t fz_trace_tasks_top(const struct fz_trace_tasks *tasks, unsigned int way,
			  struct fz_trace_task_count *top, size_t max);

/* Bytes for the escapes of a comm, and a NUL. */
#define FZ_COMM_TEXT_BYTES (4 * FZ_COMM_BYTES + 1)

/* Bytes outside 0x20-0x7e, and backslashes, as \xNN. */
void fz_comm_text(char text[FZ_COMM_TEXT_BYTES], const char *comm,
		  size_t comm_bytes);

#endif
