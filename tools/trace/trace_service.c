// SPDX-License-Identifier: GPL-2.0-or-later
/* How long faults took, where both ends of them were recorded. */
#include "trace_service.h"

#include <stdlib.h>

#include "hash.h"

#define NEEDED (FZ_KNOWS_TIME | FZ_KNOWS_ADDR | FZ_KNOWS_TID)

struct fz_trace_thread {
	uint32_t tid;
	uint64_t addr;
	uint64_t begin_ns;
	UT_hash_handle hh;
};

static void begin(struct fz_trace_service *service,
		  struct fz_trace_thread *thread, const struct fz_fault *fault)
{
	if (!thread) {
		if (service->nr == FZ_TRACE_MAX_THREADS)
			return;
		thread = calloc(1, sizeof(*thread));
		if (!thread)
			return;
		thread->tid = fault->tid;
		HASH_ADD(hh, service->table, tid, sizeof(thread->tid), thread);
		if (!thread->hh.tbl) {
			free(thread);
			return;
		}
		service->nr++;
	}
	thread->addr = fault->addr;
	thread->begin_ns = fault->time_ns;
}

static void end(struct fz_trace_service *service,
		struct fz_trace_thread *thread, const struct fz_fault *fault)
{
	if (!thread)
		return;
	if (thread->addr == fault->addr && fault->time_ns >= thread->begin_ns)
		fz_histogram_add(&service->time_ns,
				 fault->time_ns - thread->begin_ns);
	HASH_DEL(service->table, thread);
	free(thread);
	service->nr--;
}

void fz_trace_service_add(struct fz_trace_service *service,
			  const struct fz_fault *fault)
{
	struct fz_trace_thread *thread;

	if ((fault->knows & NEEDED) != NEEDED)
		return;
	HASH_FIND(hh, service->table, &fault->tid, sizeof(fault->tid), thread);
	if (fault->event == FZ_EVENT_PAGE_FAULTS)
		begin(service, thread, fault);
	else if (fault->event == FZ_EVENT_MINOR_FAULTS ||
		 fault->event == FZ_EVENT_MAJOR_FAULTS)
		end(service, thread, fault);
}

void fz_trace_service_fini(struct fz_trace_service *service)
{
	struct fz_trace_thread *thread, *next;

	HASH_ITER (hh, service->table, thread, next) {
		HASH_DEL(service->table, thread);
		free(thread);
	}
	service->nr = 0;
}
