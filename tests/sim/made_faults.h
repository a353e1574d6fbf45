/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings made up by tests. */
#ifndef MADE_FAULTS_H
#define MADE_FAULTS_H

#include <errno.h>
#include <string.h>

#include <fz/fault_source.h>

/* Hands out an array, a few records at a time. */
struct made_faults {
	const struct fz_fault *records; /* [nr] */
	size_t nr, at;
	size_t most; /* at a time; 0 = as many as asked for */
	int code;    /* at the end */
};

static inline ssize_t made_next(void *state, struct fz_fault *faults,
				size_t max, struct fz_err *err)
{
	struct made_faults *made = state;
	size_t nr = made->nr - made->at;

	if (nr == 0 && made->code)
		return fz_err_set(err, made->code, "made to fail");
	nr = nr < max ? nr : max;
	if (made->most && nr > made->most)
		nr = made->most;
	memcpy(faults, made->records + made->at, nr * sizeof(*faults));
	made->at += nr;
	return (ssize_t)nr;
}

static inline struct fz_fault_source made_source(struct made_faults *made)
{
	return (struct fz_fault_source){ .state = made, .next = made_next };
}

#define MADE_KNOWS (FZ_KNOWS_TIME | FZ_KNOWS_ADDR | FZ_KNOWS_PID | FZ_KNOWS_TID)

/* A software event: it does not say what kind of access it was. */
static inline struct fz_fault made_fault(uint32_t pid, uint64_t addr,
					 uint64_t time_ns)
{
	return (struct fz_fault){
		.time_ns = time_ns,
		.addr = addr,
		.pid = pid,
		.tid = pid,
		.event = FZ_EVENT_PAGE_FAULTS,
		.knows = MADE_KNOWS,
	};
}

/* A tracepoint, with an error code. */
static inline struct fz_fault made_tracepoint(uint32_t pid, uint64_t addr,
					      uint64_t time_ns,
					      uint32_t error_code)
{
	struct fz_fault fault = made_fault(pid, addr, time_ns);

	fault.event = FZ_EVENT_USER_FAULT;
	fault.knows |= FZ_KNOWS_ERROR_CODE;
	fault.error_code = error_code;
	return fault;
}

#define MADE_ZERO_FILL (FZ_FAULT_USER | FZ_FAULT_WRITE)
#define MADE_READ      FZ_FAULT_USER
#define MADE_COPY      (FZ_FAULT_USER | FZ_FAULT_WRITE | FZ_FAULT_PRESENT)
#define MADE_FETCH     (FZ_FAULT_USER | FZ_FAULT_FETCH)

#endif
