/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a trace: counted in one pass, in bounded memory. */
#ifndef FZ_TRACE_INFO_H
#define FZ_TRACE_INFO_H

#include <stdbool.h>
#include <stdio.h>

#include <fz/fault.h>
#include <fz/fault_source.h>
#include <fz/granularity.h>
#include <fz/histogram.h>
#include <fz/trace_format.h>

#include "trace_mappings.h"
#include "trace_regions.h"
#include "trace_service.h"
#include "trace_tasks.h"

/*
 * A fault can be recorded by several events. The first of these ways that a
 * recording has is the one its faults are counted by.
 */
enum fz_fault_way {
	FZ_WAY_TRACEPOINT,
	FZ_WAY_ENTRY, /* page-faults */
	FZ_WAY_EXIT,  /* minor-faults, major-faults */
	FZ_NR_WAYS,
};

/* Which way an event is of; FZ_NR_WAYS = it is no fault. */
enum fz_fault_way fz_fault_way_of(enum fz_event event);

/**
 * struct fz_trace_info - what is in a trace
 * @path: as it was given
 * @format: that it was read with
 * @problems: what could not be used
 * @nr_records: all of them
 * @events: of each kind
 * @classes: of faults with an address, by each way; mappings that were recorded
 *	before a fault say of what it is
 * @without_address: faults that cannot be used, by each way
 * @way: the one to count by; FZ_NR_WAYS = there are no faults
 * @nr_faults: by that way
 * @has_time: some records have a time
 * @first_ns: of the session that is read
 * @last_ns: of the session that is read
 * @span_ns: from the first to the last record, of all sessions
 * @nr_sessions: beginnings of time
 * @tasks: processes
 * @mappings: of processes
 * @regions: areas of 2 MiB that were touched
 * @pieces: what they make together
 * @service: how long faults took
 * @places: [nr_places] where faults that may have zeroed were, the first ones
 * @nr_places: entries of @places
 * @places_left_out: faults for which there was no room in @places
 * @granularity: how much memory a fault made
 */
struct fz_trace_info {
	const char *path;
	const struct fz_trace_format *format;
	struct fz_trace_problems problems;
	uint64_t nr_records;
	uint64_t events[FZ_NR_EVENTS];
	uint64_t classes[FZ_NR_WAYS][FZ_NR_CLASSES];
	uint64_t without_address[FZ_NR_WAYS];
	enum fz_fault_way way;
	uint64_t nr_faults;
	bool has_time;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t span_ns;
	uint64_t nr_sessions;
	struct fz_trace_tasks tasks;
	struct fz_trace_mappings mappings;
	struct fz_trace_regions regions;
	struct fz_trace_pieces pieces;
	struct fz_trace_service service;
	struct fz_fault_place *places;
	size_t nr_places;
	uint64_t places_left_out;
	struct fz_granularity granularity;
};

/* Faults whose places are kept: 8 MiB. */
#define FZ_TRACE_MAX_PLACES ((size_t)1 << 19)

/*
 * Read all of a source, which is of a format. Return: 0 or a negative errno
 * with a message. The fini follows in any case.
 */
int fz_trace_info_read(struct fz_trace_info *info,
		       const struct fz_trace_format *format,
		       struct fz_fault_source source, struct fz_err *err);

/* All is read: give back the memory that was needed for it. */
void fz_trace_info_shrink(struct fz_trace_info *info);
void fz_trace_info_fini(struct fz_trace_info *info);

/* Views. JSON gives 0 or -errno. */
void fz_trace_info_text(FILE *out, const struct fz_trace_info *info);
int fz_trace_info_json(FILE *out, const struct fz_trace_info *infos, size_t nr,
		       const char *command);

#endif
