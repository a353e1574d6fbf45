// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts what is in a trace. */
#include "trace_info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>

#define BATCH_RECORDS 512u

enum fz_fault_way fz_fault_way_of(enum fz_event event)
{
	switch (event) {
	case FZ_EVENT_USER_FAULT:
	case FZ_EVENT_KERNEL_FAULT:
		return FZ_WAY_TRACEPOINT;
	case FZ_EVENT_PAGE_FAULTS:
		return FZ_WAY_ENTRY;
	case FZ_EVENT_MINOR_FAULTS:
	case FZ_EVENT_MAJOR_FAULTS:
		return FZ_WAY_EXIT;
	default:
		return FZ_NR_WAYS;
	}
}

static void add_place(struct fz_trace_info *info, const struct fz_fault *fault)
{
	if (info->nr_places == FZ_TRACE_MAX_PLACES) {
		info->places_left_out++;
		return;
	}
	info->places[info->nr_places++] = (struct fz_fault_place){
		.page = fault->addr >> FZ_PAGE_SHIFT,
		.pid = fz_trace_process_of(fault),
	};
}

static void add_fault(struct fz_trace_info *info, const struct fz_fault *fault,
		      enum fz_fault_way way)
{
	enum fz_fault_class which;

	fz_trace_tasks_add(&info->tasks, fault, fz_trace_process_of(fault),
			   way);
	fz_trace_service_add(&info->service, fault);
	if (!(fault->knows & FZ_KNOWS_ADDR)) {
		info->without_address[way]++;
		return;
	}
	which = fz_trace_mappings_class(&info->mappings, fault);
	info->classes[way][which]++;
	if (which != FZ_CLASS_ZERO_FILL && which != FZ_CLASS_UNKNOWN)
		return;
	fz_trace_regions_add(&info->regions, fz_trace_process_of(fault),
			     fault->addr);
	add_place(info, fault);
}

static void end_session(struct fz_trace_info *info)
{
	info->span_ns += info->last_ns - info->first_ns;
}

/* A step back that sorting did not mend begins another session. */
static void add_time(struct fz_trace_info *info, uint64_t time_ns)
{
	if (info->has_time && time_ns >= info->last_ns) {
		info->last_ns = time_ns;
		return;
	}
	if (info->has_time &&
	    info->last_ns - time_ns <= fz_trace_format_reorder_ns(info->format))
		return;
	end_session(info);
	info->has_time = true;
	info->nr_sessions++;
	info->first_ns = info->last_ns = time_ns;
}

static void add_record(struct fz_trace_info *info, const struct fz_fault *fault)
{
	const enum fz_fault_way way =
		fz_fault_way_of((enum fz_event)fault->event);

	info->nr_records++;
	info->events[fault->event]++;
	if (fault->knows & FZ_KNOWS_TIME)
		add_time(info, fault->time_ns);
	if (way < FZ_NR_WAYS)
		add_fault(info, fault, way);
	else
		fz_trace_mappings_add(&info->mappings, fault);
}

static uint64_t nr_by(const struct fz_trace_info *info, enum fz_fault_way way)
{
	uint64_t nr = 0;

	for (unsigned int event = 0; event < FZ_NR_EVENTS; event++)
		if (fz_fault_way_of((enum fz_event)event) == way)
			nr += info->events[event];
	return nr;
}

static void finish(struct fz_trace_info *info)
{
	end_session(info);
	info->way = FZ_WAY_TRACEPOINT;
	while (info->way < FZ_NR_WAYS && !nr_by(info, info->way))
		info->way++;
	if (info->way < FZ_NR_WAYS)
		info->nr_faults = nr_by(info, info->way);
	info->pieces = fz_trace_regions_pieces(&info->regions);
	info->granularity = fz_granularity_of(info->places, info->nr_places);
}

int fz_trace_info_read(struct fz_trace_info *info,
		       const struct fz_trace_format *format,
		       struct fz_fault_source source, struct fz_err *err)
{
	struct fz_fault faults[BATCH_RECORDS];
	ssize_t got;

	memset(info, 0, sizeof(*info));
	info->format = format;
	info->places = malloc(FZ_TRACE_MAX_PLACES * sizeof(*info->places));
	if (!info->places)
		return fz_err_set(err, -ENOMEM, "out of memory");
	fz_histogram_init(&info->service.time_ns);
	while ((got = source.next(source.state, faults, BATCH_RECORDS, err)) >
	       0)
		for (ssize_t i = 0; i < got; i++)
			add_record(info, &faults[i]);
	if (got < 0)
		return (int)got;
	if (info->mappings.failed)
		return fz_err_set(err, -ENOMEM, "out of memory");
	finish(info);
	return 0;
}

void fz_trace_info_shrink(struct fz_trace_info *info)
{
	fz_trace_regions_fini(&info->regions);
	fz_trace_service_fini(&info->service);
	fz_trace_mappings_fini(&info->mappings);
	free(info->places);
	info->places = NULL;
}

void fz_trace_info_fini(struct fz_trace_info *info)
{
	fz_trace_info_shrink(info);
	fz_trace_tasks_fini(&info->tasks);
}
