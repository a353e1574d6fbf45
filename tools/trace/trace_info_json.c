// SPDX-License-Identifier: GPL-2.0-or-later
/* What is in traces, as a document: foliosim.trace-info/1. */
#include "trace_info.h"

#include <inttypes.h>

#include "json_value.h"

#define TOP_TASKS 20u

static json_t *addr_json(uint64_t addr)
{
	char text[19];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	return json_string(text);
}

static json_t *events_json(const struct fz_trace_info *info)
{
	json_t *events = json_object();

	for (unsigned int i = 0; i < FZ_NR_EVENTS; i++)
		json_object_set_new(events, fz_event_name((enum fz_event)i),
				    fz_json_count(info->events[i]));
	return events;
}

static json_t *faults_json(const struct fz_trace_info *info)
{
	json_t *by = json_array();
	const bool has = info->way < FZ_NR_WAYS;

	for (unsigned int i = 0; i < FZ_NR_EVENTS; i++)
		if (has && info->events[i] &&
		    fz_fault_way_of((enum fz_event)i) == info->way)
			json_array_append_new(by, json_string(fz_event_name(
							  (enum fz_event)i)));
	return json_pack(
		"{s:o, s:o, s:o}", "count", fz_json_count(info->nr_faults),
		"counted_by", by, "without_address",
		fz_json_count(has ? info->without_address[info->way] : 0));
}

static json_t *classes_json(const struct fz_trace_info *info)
{
	json_t *classes = json_object();

	for (unsigned int i = 0; i < FZ_NR_CLASSES; i++)
		json_object_set_new(
			classes, fz_fault_class_name((enum fz_fault_class)i),
			fz_json_count(info->way < FZ_NR_WAYS
					      ? info->classes[info->way][i]
					      : 0));
	return classes;
}

static json_t *tasks_json(const struct fz_trace_info *info)
{
	struct fz_trace_task_count top[TOP_TASKS];
	const size_t nr = info->way < FZ_NR_WAYS
				  ? fz_trace_tasks_top(&info->tasks, info->way,
						       top, TOP_TASKS)
				  : 0;
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++) {
		char comm[FZ_COMM_TEXT_BYTES];

		fz_comm_text(comm, top[i].comm, top[i].comm_bytes);
		json_array_append_new(list,
				      json_pack("{s:I, s:o, s:o}", "pid",
						(json_int_t)top[i].pid, "comm",
						fz_json_known(comm), "faults",
						fz_json_count(top[i].nr)));
	}
	return json_pack("{s:o, s:o, s:o}", "count",
			 fz_json_count(info->tasks.nr), "faults_of_others",
			 fz_json_count(info->tasks.left_out), "top", list);
}

static json_t *largest_json(const struct fz_trace_pieces *pieces)
{
	if (!pieces->nr)
		return json_null();
	return json_pack("{s:I, s:o, s:o}", "pid", (json_int_t)pieces->pid,
			 "addr", addr_json(pieces->addr), "bytes",
			 fz_json_count(pieces->nr_regions << FZ_REGION_SHIFT));
}

static json_t *regions_json(const struct fz_trace_info *info)
{
	return json_pack("{s:i, s:o, s:o, s:o, s:o}", "region_bytes",
			 1 << FZ_REGION_SHIFT, "count",
			 fz_json_count(info->regions.nr), "faults_in_others",
			 fz_json_count(info->regions.left_out), "pieces",
			 fz_json_count(info->pieces.nr), "largest",
			 largest_json(&info->pieces));
}

static json_t *touches_json(const struct fz_trace_regions *regions)
{
	json_t *bins = json_array();

	for (unsigned int i = 0; i < FZ_TOUCH_BINS; i++)
		json_array_append_new(bins, fz_json_count(regions->bins[i]));
	return json_pack("{s:o, s:o, s:i, s:o}", "count",
			 fz_json_count(regions->nr), "at_page_0",
			 fz_json_count(regions->at_page_0), "bin_pages",
			 (int)FZ_TOUCH_BIN_PAGES, "bins", bins);
}

static json_t *service_json(const struct fz_histogram *time_ns)
{
	if (!time_ns->count)
		return json_null();
	return json_pack(
		"{s:o, s:o, s:o, s:o}", "count", fz_json_count(time_ns->count),
		"p50", fz_json_count(fz_histogram_quantile(time_ns, 0.5)),
		"p99", fz_json_count(fz_histogram_quantile(time_ns, 0.99)),
		"max", fz_json_count(time_ns->max));
}

static json_t *granularity_json(const struct fz_trace_info *info)
{
	const struct fz_granularity *const found = &info->granularity;

	return json_pack("{s:o, s:o, s:o, s:o}", "bytes",
			 found->nr ? fz_json_count(found->bytes) : json_null(),
			 "places", fz_json_count(found->nr), "alone",
			 fz_json_count(found->nr_alone), "faults_left_out",
			 fz_json_count(info->places_left_out));
}

static json_t *problems_json(const struct fz_trace_problems *problems)
{
	static const char *const kinds[] = {
		[FZ_TRACE_BAD] = "bad",
		[FZ_TRACE_SKIPPED] = "skipped",
		[FZ_TRACE_NOTE] = "note",
	};
	json_t *list = json_array();

	for (size_t i = 0; i < problems->nr_reasons; i++)
		json_array_append_new(
			list,
			json_pack("{s:s, s:o, s:o}", "kind",
				  kinds[problems->reasons[i].kind], "reason",
				  fz_json_text(problems->reasons[i].reason),
				  "count",
				  fz_json_count(problems->reasons[i].nr)));
	return list;
}

static json_t *rate_json(const struct fz_trace_info *info)
{
	if (!info->span_ns)
		return json_null();
	return fz_json_real(1e9 * (double)info->nr_faults /
			    (double)info->span_ns);
}

static json_t *info_json(const struct fz_trace_info *info)
{
	return json_pack(
		"{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o, s:o, s:o}",
		"path", fz_json_text(info->path), "format", info->format->name,
		"records", fz_json_count(info->nr_records), "events",
		events_json(info), "faults", faults_json(info), "classes",
		classes_json(info), "sessions",
		fz_json_count(info->nr_sessions), "span_ns",
		info->has_time ? fz_json_count(info->span_ns) : json_null(),
		"faults_per_s", rate_json(info), "processes", tasks_json(info),
		"regions", regions_json(info), "first_touches",
		touches_json(&info->regions), "service_ns",
		service_json(&info->service.time_ns), "granularity",
		granularity_json(info), "lost",
		fz_json_count(info->problems.nr_lost), "bad_lines",
		fz_json_count(info->problems.nr_bad), "problems",
		problems_json(&info->problems));
}

int fz_trace_info_json(FILE *out, const struct fz_trace_info *infos, size_t nr,
		       const char *command)
{
	json_t *traces = json_array(), *document;
	int code;

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(traces, info_json(&infos[i]));
	document = json_pack("{s:s, s:{s:s, s:o}, s:o}", "schema",
			     "foliosim.trace-info/1", "tool", "version",
			     FZ_VERSION, "command", fz_json_text(command),
			     "traces", traces);
	code = fz_json_print(out, document);
	json_decref(document);
	return code;
}
