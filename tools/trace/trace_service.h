/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long faults took, where both ends of them were recorded. */
#ifndef FZ_TRACE_SERVICE_H
#define FZ_TRACE_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>
#include <fz/histogram.h>

/* Threads that can be in a fault at a time. */
#define FZ_TRACE_MAX_THREADS ((size_t)1 << 14)

struct fz_trace_thread;

/**
 * struct fz_trace_service - zero it at the start
 * @table: threads that are in a fault
 * @nr: their number
 * @time_ns: from page-faults to minor-faults or major-faults of one thread and
 *	one address
 */
struct fz_trace_service {
	struct fz_trace_thread *table;
	size_t nr;
	struct fz_histogram time_ns;
};

/* Any record of a fault, in order of time. */
void fz_trace_service_add(struct fz_trace_service *service,
			  const struct fz_fault *fault);
void fz_trace_service_fini(struct fz_trace_service *service);

#endif
