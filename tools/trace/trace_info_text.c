// SPDX-License-Identifier: GPL-2.0-or-later
/* What is in a trace, for people. */
#include "trace_info.h"

#include <inttypes.h>
#include <string.h>

#include <fz/units.h>

#define TOP_TASKS 5u

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Counts with names, of which those that are 0 are not told. */
struct list {
	FILE *out;
	bool begun;
};

static void list_add(struct list *list, const char *name, uint64_t nr)
{
	if (!nr)
		return;
	fprintf(list->out, "%s%" PRIu64 " %s", list->begun ? ", " : "", nr,
		name);
	list->begun = true;
}

static void print_records(FILE *out, const struct fz_trace_info *info)
{
	struct list list = { .out = out };

	fprintf(out, "  records        %" PRIu64 ": ", info->nr_records);
	for (unsigned int event = 0; event < FZ_NR_EVENTS; event++)
		list_add(&list, fz_event_name((enum fz_event)event),
			 info->events[event]);
	fputc('\n', out);
}

static void print_faults(FILE *out, const struct fz_trace_info *info)
{
	struct list list = { .out = out };

	fprintf(out, "  faults         %" PRIu64, info->nr_faults);
	if (info->way == FZ_NR_WAYS) {
		fputc('\n', out);
		return;
	}
	fputs(", counted by ", out);
	for (unsigned int event = 0; event < FZ_NR_EVENTS; event++) {
		if (fz_fault_way_of((enum fz_event)event) != info->way ||
		    !info->events[event])
			continue;
		fprintf(out, "%s%s", list.begun ? " and " : "",
			fz_event_name((enum fz_event)event));
		list.begun = true;
	}
	if (info->without_address[info->way])
		fprintf(out, "; %" PRIu64 " without an address",
			info->without_address[info->way]);
	fputc('\n', out);
}

static void print_classes(FILE *out, const struct fz_trace_info *info)
{
	const uint64_t *const nr = info->classes[info->way];
	const uint64_t all = info->nr_faults - info->without_address[info->way];
	bool begun = false;

	fputs("  classes        ", out);
	for (unsigned int i = 0; i < FZ_NR_CLASSES; i++) {
		if (!nr[i])
			continue;
		fprintf(out, "%s%s %.1f %%", begun ? ", " : "",
			fz_fault_class_name((enum fz_fault_class)i),
			percent(nr[i], all));
		begun = true;
	}
	fputs(begun ? "\n" : "-\n", out);
}

static void print_times(FILE *out, const struct fz_trace_info *info)
{
	char span[FZ_FORMAT_BYTES];

	if (!info->has_time) {
		fputs("  span           no times\n", out);
		return;
	}
	fz_format_ns(span, sizeof(span), (double)info->span_ns);
	fprintf(out, "  span           %s", span);
	if (info->nr_sessions > 1)
		fprintf(out, " in %" PRIu64 " sessions", info->nr_sessions);
	if (info->span_ns)
		fprintf(out, "; %.4g faults a second",
			1e9 * (double)info->nr_faults / (double)info->span_ns);
	fputc('\n', out);
}

static void print_tasks(FILE *out, const struct fz_trace_info *info)
{
	struct fz_trace_task_count top[TOP_TASKS];
	const size_t nr =
		fz_trace_tasks_top(&info->tasks, info->way, top, TOP_TASKS);

	fprintf(out, "  processes      %zu", info->tasks.nr);
	if (info->tasks.left_out)
		fprintf(out,
			"; others, not told apart, have %" PRIu64 " faults",
			info->tasks.left_out);
	fputs(nr ? "; with the most faults:\n" : "\n", out);
	for (size_t i = 0; i < nr; i++) {
		char comm[FZ_COMM_TEXT_BYTES];

		fz_comm_text(comm, top[i].comm, top[i].comm_bytes);
		fprintf(out, "    %10" PRIu32 " %10" PRIu64 " %5.1f %%  %s\n",
			top[i].pid, top[i].nr,
			percent(top[i].nr, info->nr_faults),
			top[i].comm_bytes ? comm : "-");
	}
}

static void print_regions(FILE *out, const struct fz_trace_info *info)
{
	const struct fz_trace_regions *const regions = &info->regions;
	const struct fz_trace_pieces *const pieces = &info->pieces;
	char largest[FZ_FORMAT_BYTES];

	fprintf(out, "  regions        %zu of 2M were touched", regions->nr);
	if (regions->nr) {
		fz_format_bytes(largest, sizeof(largest),
				pieces->nr_regions << FZ_REGION_SHIFT);
		fprintf(out,
			", in %" PRIu64
			" piece%s; the largest is %s at 0x%" PRIx64
			" of %" PRIu32,
			pieces->nr, pieces->nr == 1 ? "" : "s", largest,
			pieces->addr, pieces->pid);
	}
	fputc('\n', out);
	if (regions->left_out)
		fprintf(out,
			"                 %" PRIu64 " faults in more "
			"regions than are told apart\n",
			regions->left_out);
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
		fprintf(out, " %.3g", percent(regions->bins[i], regions->nr));
	fputc('\n', out);
}

static void print_service(FILE *out, const struct fz_histogram *time_ns)
{
	static const double at[] = { 0.5, 0.99, 1 };
	char text[3][FZ_FORMAT_BYTES];

	if (!time_ns->count) {
		fputs("  service time   not recorded: it needs page-faults and "
		      "minor-faults\n",
		      out);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		fz_format_ns(text[i], sizeof(text[i]),
			     (double)fz_histogram_quantile(time_ns, at[i]));
	fprintf(out,
		"  service time   p50 %s, p99 %s, max %s, of %" PRIu64
		" faults\n",
		text[0], text[1], text[2], time_ns->count);
}

static void print_granularity(FILE *out, const struct fz_trace_info *info)
{
	const struct fz_granularity *const found = &info->granularity;
	char bytes[FZ_FORMAT_BYTES];

	if (!found->nr)
		return;
	fz_format_bytes(bytes, sizeof(bytes), found->bytes);
	fprintf(out, "  granularity    %s: ", bytes);
	if (found->nr_alone)
		fprintf(out,
			"%" PRIu64 " of %" PRIu64 " places stand alone in "
			"their %s, side by side\n",
			found->nr_alone, found->nr, bytes);
	else
		fputs("nothing tells of larger folios\n", out);
	if (info->places_left_out)
		fprintf(out,
			"                 of the first %zu faults; %" PRIu64
			" more came\n",
			info->nr_places, info->places_left_out);
}

void fz_trace_info_text(FILE *out, const struct fz_trace_info *info)
{
	fprintf(out, "%s: %s\n", info->path, info->format->name);
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
	fprintf(out, "  lost           %" PRIu64 "\n", info->problems.nr_lost);
	fprintf(out, "  bad lines      %" PRIu64 "\n", info->problems.nr_bad);
}
