// SPDX-License-Identifier: GPL-2.0-or-later
/* PERF_RECORD_FORK, COMM, EXIT, MMAP, MMAP2, LOST and LOST_SAMPLES. */
#include "perf_record.h"

#include "backing_name.h"

static void set_ids(struct fz_fault *fault, uint32_t pid, uint32_t tid)
{
	fault->pid = pid;
	fault->tid = tid;
	fault->knows |= FZ_KNOWS_PID | FZ_KNOWS_TID;
}

/* (PID:TID):(PID:TID), of a task and its parent. */
static bool scan_family(struct scan *text, uint32_t ids[4])
{
	return scan_char(text, '(') && scan_decimal32(text, &ids[0]) &&
	       scan_char(text, ':') && scan_decimal32(text, &ids[1]) &&
	       scan_text(text, "):(") && scan_decimal32(text, &ids[2]) &&
	       scan_char(text, ':') && scan_decimal32(text, &ids[3]) &&
	       scan_char(text, ')');
}

/* A new thread is no new process. */
static enum perf_record take_fork(struct scan text, struct fz_fault *fault)
{
	uint32_t ids[4];

	if (!scan_family(&text, ids))
		return PERF_RECORD_BAD;
	if (ids[0] == ids[2])
		return PERF_RECORD_USELESS;
	fault->event = FZ_EVENT_FORK;
	fault->value = ids[2];
	set_ids(fault, ids[0], ids[1]);
	return PERF_RECORD_USED;
}

static enum perf_record take_exit(struct scan text, struct fz_fault *fault)
{
	uint32_t ids[4];

	if (!scan_family(&text, ids))
		return PERF_RECORD_BAD;
	fault->event = FZ_EVENT_EXIT;
	set_ids(fault, ids[0], ids[1]);
	return PERF_RECORD_USED;
}

/* " exec: COMM:PID/TID": the comm may hold colons. A new name is no exec. */
static enum perf_record take_comm(struct scan text, struct fz_fault *fault)
{
	uint32_t pid, tid;
	const char *colon;

	if (!scan_text(&text, " exec: "))
		return PERF_RECORD_USELESS;
	colon = memrchr(text.at, ':', scan_left(&text));
	if (!colon)
		return PERF_RECORD_BAD;
	text.at = colon + 1;
	if (!scan_decimal32(&text, &pid) || !scan_char(&text, '/') ||
	    !scan_decimal32(&text, &tid))
		return PERF_RECORD_BAD;
	fault->event = FZ_EVENT_EXEC;
	set_ids(fault, pid, tid);
	return PERF_RECORD_USED;
}

/* " PID/TID: [0xADDR(0xBYTES) @ ...]: rw-p NAME": the kernel's have pid -1. */
static enum perf_record take_mmap(struct scan text, struct fz_fault *fault)
{
	uint32_t pid, tid;

	scan_spaces(&text);
	if (scan_char(&text, '-'))
		return PERF_RECORD_USELESS;
	if (!scan_decimal32(&text, &pid) || !scan_char(&text, '/') ||
	    !scan_decimal32(&text, &tid) || !scan_text(&text, ": [") ||
	    !scan_0x(&text, &fault->addr) || !scan_char(&text, '(') ||
	    !scan_0x(&text, &fault->value) || !scan_char(&text, ')') ||
	    !scan_find(&text, "]: ") || !scan_find(&text, " "))
		return PERF_RECORD_BAD;
	fault->event = FZ_EVENT_MMAP;
	fault->knows |= FZ_KNOWS_ADDR;
	fault->backing = (uint8_t)backing_of_name(text.at, scan_left(&text));
	set_ids(fault, pid, tid);
	return PERF_RECORD_USED;
}

/* " lost N", with or without a dash between; newer ones name the event. */
static enum perf_record take_lost(struct scan text, struct fz_fault *fault)
{
	if (!scan_find(&text, "lost ") || !scan_decimal(&text, &fault->value))
		return PERF_RECORD_BAD;
	fault->event = FZ_EVENT_LOST;
	return fault->value ? PERF_RECORD_USED : PERF_RECORD_USELESS;
}

enum perf_record perf_record(struct scan text, struct fz_fault *fault,
			     bool *samples)
{
	static const struct {
		const char *name;
		enum perf_record (*take)(struct scan text,
					 struct fz_fault *fault);
		bool samples;
	} kinds[] = {
		{ "FORK", take_fork, false },
		{ "EXIT", take_exit, false },
		{ "COMM", take_comm, false },
		{ "MMAP2", take_mmap, false },
		{ "MMAP", take_mmap, false },
		{ "LOST_SAMPLES", take_lost, true },
		{ "LOST", take_lost, false },
	};

	/* What was there before the recording has no time. */
	if (fault->time_ns == 0)
		fault->knows &= (uint8_t)~FZ_KNOWS_TIME;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		*samples = kinds[i].samples;
		if (scan_text(&text, kinds[i].name))
			return kinds[i].take(text, fault);
	}
	return PERF_RECORD_USELESS;
}
