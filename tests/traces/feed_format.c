// SPDX-License-Identifier: GPL-2.0-or-later
/* What holds of everything that is read, whatever the bytes are. */
#include "feed_format.h"

#include <string.h>

#include <fz/trace_stream.h>

#define BATCH_RECORDS 100u

struct bytes {
	const char *at;
	size_t left;
};

/* In portions, so that lines are cut in all places. */
static ssize_t read_bytes(void *state, void *buf, size_t cap)
{
	struct bytes *bytes = state;
	size_t nr = bytes->left % 1021 + 1;

	nr = nr < cap ? nr : cap;
	nr = nr < bytes->left ? nr : bytes->left;
	memcpy(buf, bytes->at, nr);
	bytes->at += nr;
	bytes->left -= nr;
	return (ssize_t)nr;
}

static bool keeps_unknown_zero(const struct fz_fault *fault)
{
	const struct {
		uint64_t value;
		unsigned int bit;
	} members[] = {
		{ fault->time_ns, FZ_KNOWS_TIME },
		{ fault->addr, FZ_KNOWS_ADDR },
		{ fault->ip, FZ_KNOWS_IP },
		{ fault->pid, FZ_KNOWS_PID },
		{ fault->tid, FZ_KNOWS_TID },
		{ fault->cpu, FZ_KNOWS_CPU },
		{ fault->error_code, FZ_KNOWS_ERROR_CODE },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (members[i].value && !(fault->knows & members[i].bit))
			return false;
	return true;
}

/* Formats that we write keep all that was recorded; of the others' texts a line
 * without the address of its fault is of no use. */
static const char *check_record(const struct fz_fault *fault,
				const struct fz_trace_format *format)
{
	if (fault->event >= FZ_NR_EVENTS)
		return "an event that does not exist";
	if (fault->backing > FZ_BACKING_FILE)
		return "a backing that does not exist";
	if (!keeps_unknown_zero(fault))
		return "an unknown member that is not 0";
	if (fault->comm_bytes > FZ_COMM_BYTES ||
	    memchr(fault->comm, '\0', fault->comm_bytes))
		return "a comm that is none";
	if (!format->write && fz_event_is_fault(fault->event) &&
	    !(fault->knows & FZ_KNOWS_ADDR))
		return "a fault without an address";
	return NULL;
}

static const char *read_all(struct fz_trace *trace)
{
	const struct fz_fault_source source = fz_trace_source(trace);
	struct fz_fault faults[BATCH_RECORDS];
	struct fz_err err = { .msg = "" };
	const char *wrong = NULL;
	ssize_t got;

	while ((got = source.next(source.state, faults, BATCH_RECORDS, &err)) >
	       0)
		for (ssize_t i = 0; i < got && !wrong; i++)
			wrong = check_record(&faults[i],
					     fz_trace_format_of(trace));
	if (got < 0 && !*err.msg)
		return "an error without a message";
	if (fz_trace_problems_of(trace)->nr_quoted > FZ_TRACE_MAX_QUOTED)
		return "too much is quoted";
	return wrong;
}

static const char *feed(const struct fz_trace_format *format, const char *bytes,
			size_t nr, double tsc_hz)
{
	const struct fz_trace_params params = { .tsc_hz = tsc_hz };
	struct bytes all = { bytes, nr };
	struct fz_err err = { .msg = "" };
	struct fz_trace *trace;
	const char *wrong;

	if (fz_trace_open(&trace, (struct fz_byte_source){ &all, read_bytes },
			  format, &params, &err))
		return *err.msg ? NULL : "an error without a message";
	wrong = read_all(trace);
	fz_trace_close(trace);
	return wrong;
}

const char *feed_format(const struct fz_trace_format *format, const char *bytes,
			size_t nr)
{
	const char *wrong = feed(format, bytes, nr, 2.5e9);

	return wrong ? wrong : feed(NULL, bytes, nr, 0);
}
