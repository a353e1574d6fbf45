// SPDX-License-Identifier: GPL-2.0-or-later
/* What is in a trace, for people. */
#include "trace_info.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include <fz/units.h>

#include "note.h"
#include "printable.h"
#include "text_parts.h"

#define TOP_TASKS 5u

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 17, 17 };

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_count(FILE *out, const char *label, uint64_t nr)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%s%" PRIu64, nr == UINT64_MAX ? "at least " : "",
		    nr);
	fz_note_print_label(out, label, &note, margins);
}

static void print_records(FILE *out, const struct fz_trace_info *info)
{
	struct fz_note note = { .used = 0 };
	const char *separator = ": ";

	fz_note_add(&note, "%" PRIu64, info->nr_records);
	for (unsigned int event = 0; event < FZ_NR_EVENTS; event++) {
		if (!info->events[event])
			continue;
		fz_note_add(&note, "%s%" PRIu64 " %s", separator,
			    info->events[event],
			    fz_event_name((enum fz_event)event));
		separator = ", ";
	}
	fz_note_print_label(out, "  records", &note, margins);
}

static void add_ways(struct fz_note *note, const struct fz_trace_info *info)
{
	const char *separator = ", counted by ";

	for (unsigned int event = 0; event < FZ_NR_EVENTS; event++) {
		if (fz_fault_way_of((enum fz_event)event) != info->way ||
		    !info->events[event])
			continue;
		fz_note_add(note, "%s%s", separator,
			    fz_event_name((enum fz_event)event));
		separator = " and ";
	}
}

static void print_faults(FILE *out, const struct fz_trace_info *info)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%" PRIu64, info->nr_faults);
	if (info->way < FZ_NR_WAYS) {
		add_ways(&note, info);
		if (info->without_address[info->way])
			fz_note_add(&note, "; %" PRIu64 " without an address",
				    info->without_address[info->way]);
	}
	fz_note_print_label(out, "  faults", &note, margins);
}

static void print_classes(FILE *out, const struct fz_trace_info *info)
{
	const uint64_t *const nr = info->classes[info->way];
	const uint64_t all = info->nr_faults - info->without_address[info->way];
	struct fz_note note = { .used = 0 };

	for (unsigned int i = 0; i < FZ_NR_CLASSES; i++)
		if (nr[i])
			fz_note_add(&note, "%s%s %.1f %%",
				    note.used ? ", " : "",
				    fz_fault_class_name((enum fz_fault_class)i),
				    percent(nr[i], all));
	if (!note.used)
		fz_note_add(&note, "-");
	fz_note_print_label(out, "  classes", &note, margins);
}

static void print_times(FILE *out, const struct fz_trace_info *info)
{
	struct fz_note note = { .used = 0 };
	char span[FZ_FORMAT_BYTES];

	fz_format_ns(span, sizeof(span), (double)info->span_ns);
	fz_note_add(&note, "%s", info->has_time ? span : "no times");
	if (info->nr_sessions > 1)
		fz_note_add(&note, " in %" PRIu64 " sessions",
			    info->nr_sessions);
	if (info->span_ns)
		fz_note_add(&note, "; %.4g faults a second",
			    1e9 * (double)info->nr_faults /
				    (double)info->span_ns);
	fz_note_print_label(out, "  span", &note, margins);
}

static void print_task(FILE *out, const struct fz_trace_task_count *task,
		       uint64_t nr_faults)
{
	char comm[FZ_COMM_TEXT_BYTES];

	fz_comm_text(comm, task->comm, task->comm_bytes);
	fprintf(out, "    %10" PRIu32 " %10" PRIu64 " %5.1f %%  %s\n",
		task->pid, task->nr, percent(task->nr, nr_faults),
		task->comm_bytes ? comm : "-");
}

static void add_left_out(struct fz_note *note, size_t nr, uint64_t left_out)
{
	fz_note_add(note,
		    "; those beyond the first %zu are not told apart and have ",
		    nr);
	fz_note_add_count(note, left_out, "fault");
}

static void print_tasks(FILE *out, const struct fz_trace_info *info)
{
	struct fz_trace_task_count top[TOP_TASKS];
	const size_t nr =
		fz_trace_tasks_top(&info->tasks, info->way, top, TOP_TASKS);
	const uint64_t left_out = info->tasks.left_out;
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%s%zu", left_out ? "at least " : "",
		    info->tasks.nr + (left_out > 0));
	if (left_out)
		add_left_out(&note, info->tasks.nr, left_out);
	if (nr)
		fz_note_add(&note, "; with the most faults:");
	fz_note_print_label(out, "  processes", &note, margins);
	for (size_t i = 0; i < nr; i++)
		print_task(out, &top[i], info->nr_faults);
}

static void print_regions(FILE *out, const struct fz_trace_info *info)
{
	const struct fz_trace_regions *const regions = &info->regions;
	const struct fz_trace_pieces *const pieces = &info->pieces;
	const uint64_t left_out = regions->left_out;
	struct fz_note note = { .used = 0 };
	char largest[FZ_FORMAT_BYTES];

	fz_note_add(&note, "%s%zu of 2M %s touched",
		    left_out ? "at least " : "", regions->nr + (left_out > 0),
		    regions->nr == 1 ? "was" : "were");
	if (left_out)
		add_left_out(&note, regions->nr, left_out);
	if (regions->nr) {
		fz_format_bytes(largest, sizeof(largest),
				pieces->nr_regions << FZ_REGION_SHIFT);
		fz_note_add(&note, "%s in ",
			    left_out ? "; those first ones lie" : ",");
		fz_note_add_count(&note, pieces->nr, "piece");
		fz_note_add(&note,
			    "; the largest is %s at 0x%" PRIx64 " of %" PRIu32,
			    largest, pieces->addr, pieces->pid);
	}
	fz_note_print_label(out, "  regions", &note, margins);
}

/* In sixteenths of 2M. */
static void print_touches(FILE *out, const struct fz_trace_regions *regions)
{
	if (!regions->nr)
		return;
	fprintf(out,
		"  first touches  %.1f %% at page 0; of each 32 of 512 pages, "
		"in %%:\n   ",
		percent(regions->at_page_0, regions->nr));
	for (unsigned int i = 0; i < FZ_TOUCH_BINS; i++)
		fprintf(out, " %.1f", percent(regions->bins[i], regions->nr));
	fputc('\n', out);
}

static void print_service(FILE *out, const struct fz_histogram *time_ns)
{
	static const struct {
		const char *name;
		double at;
	} points[] = { { "p50", 0.5 }, { ", p99", 0.99 }, { ", max", 1 } };
	struct fz_note note = { .used = 0 };
	char text[FZ_FORMAT_BYTES];

	for (size_t i = 0; time_ns->count && i < 3; i++) {
		fz_format_ns(
			text, sizeof(text),
			(double)fz_histogram_quantile(time_ns, points[i].at));
		fz_note_add(&note, "%s %s", points[i].name, text);
	}
	if (time_ns->count) {
		fz_note_add(&note, ", of ");
		fz_note_add_count(&note, time_ns->count, "fault");
	} else {
		fz_note_add(&note, "not recorded: it needs page-faults and "
				   "minor-faults");
	}
	fz_note_print_label(out, "  service time", &note, margins);
}

static void print_granularity(FILE *out, const struct fz_trace_info *info)
{
	const struct fz_granularity *const found = &info->granularity;
	struct fz_note note = { .used = 0 };
	char bytes[FZ_FORMAT_BYTES];

	if (!found->nr)
		return;
	fz_format_bytes(bytes, sizeof(bytes), found->bytes);
	if (found->nr_alone)
		fz_note_add(&note,
			    "%s: %" PRIu64 " of %" PRIu64 " places stand alone "
			    "in their %s, side by side",
			    bytes, found->nr_alone, found->nr, bytes);
	else
		fz_note_add(&note, "%s: nothing tells of larger folios", bytes);
	if (info->places_left_out)
		fz_note_add(&note,
			    "; of the first %zu faults; %" PRIu64 " more came",
			    info->nr_places, info->places_left_out);
	fz_note_print_label(out, "  granularity", &note, margins);
}

/* A file may have any name; one that was opened is no longer than this. */
static void print_heading(FILE *out, const struct fz_trace_info *info)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s", info->path);
	fz_make_harmless(path);
	fprintf(out, "%s: %s\n", path, info->format->name);
}

void fz_trace_info_text(FILE *out, const struct fz_trace_info *info)
{
	print_heading(out, info);
	print_records(out, info);
	print_faults(out, info);
	print_times(out, info);
	if (info->way < FZ_NR_WAYS) {
		print_classes(out, info);
		print_tasks(out, info);
		print_regions(out, info);
		print_touches(out, &info->regions);
		print_service(out, &info->service.time_ns);
		print_granularity(out, info);
	}
	print_count(out, "  lost", info->problems.nr_lost);
	print_count(out, "  bad lines", info->problems.nr_bad);
}
