// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of what was counted, and what could not be. */
#include "text_parts.h"

#include <math.h>
#include <string.h>

#include <fz/folio.h>

#include "note.h"
#include "row_facts.h"
#include "row_groups.h"
#include "table.h"

#define COLUMN_ID     0
#define COLUMN_NAME   1
#define FIRST_COUNTER 2

/* What names of events and the gaps before them may take beside the labels. */
#define COUNTERS_WIDTH 62

/* Clocks and what the CPU counts grow with the pages, other events do not. */
static bool is_per_page(const struct fz_perf_event *event)
{
	return event->source == FZ_PERF_PMU || fz_perf_event_is_clock(event);
}

static const char *unit_of(const struct fz_perf_event *event)
{
	if (event->source == FZ_PERF_PMU)
		return "pmu, a page";
	return is_per_page(event) ? "software, a page" : "software, a round";
}

static double divisor_of(const struct fz_perf_event *event,
			 const struct fz_row *row)
{
	const double pages =
		(double)(fz_row_round_bytes(&row->config) >> FZ_PAGE_SHIFT);

	return (double)row->rounds * (is_per_page(event) ? pages : 1.0);
}

static void number_text(char *buf, size_t cap, double value)
{
	if (value == floor(value) || value >= 100.0)
		snprintf(buf, cap, "%.0f", value);
	else if (value < 0.001)
		snprintf(buf, cap, "<0.001");
	else
		snprintf(buf, cap, "%.*f", value >= 10.0 ? 1 : 3, value);
}

static void value_text(char *buf, size_t cap, const struct fz_perf_event *event,
		       double value)
{
	if (fz_perf_event_is_clock(event))
		fz_text_ns(buf, cap, value);
	else
		number_text(buf, cap, value);
}

static void count_text(char *buf, size_t cap, const struct fz_counter *counter,
		       const struct fz_row *data, const struct fz_count *count)
{
	const struct fz_perf_event *event = &counter->event;
	char value[FZ_CELL_BYTES / 2];

	switch (fz_counter_status(counter, count)) {
	case FZ_COUNTER_COUNTED:
	case FZ_COUNTER_SCALED:
		break;
	case FZ_COUNTER_UNSUPPORTED:
	case FZ_COUNTER_DENIED:
		snprintf(buf, cap, count->lost ? "not read" : "never ran");
		return;
	}
	value_text(value, sizeof(value), event,
		   fz_count_scaled(count) / divisor_of(event, data));
	if (count->running_ns < count->enabled_ns)
		snprintf(buf, cap, "%s (%.0f%%)", value,
			 100.0 * (double)count->running_ns /
				 (double)count->enabled_ns);
	else
		snprintf(buf, cap, "%s", value);
}

/* Counters beside each other. */
struct view {
	const struct fz_labels *labels;
	size_t counter[FZ_TABLE_MAX_COLUMNS]; /* [nr] index in the list */
	size_t nr;
};

static const struct fz_counter *counter_at(const struct view *view, size_t i)
{
	return &view->labels->result->counters->counter[view->counter[i]];
}

static size_t width_of(const struct fz_counter *counter)
{
	const size_t name = strlen(counter->event.name);
	const size_t unit = strlen(unit_of(&counter->event));

	return 2 + (name > unit ? name : unit);
}

/* Those from *next on that are counted, as many as fit; at least one. */
static void view_fill(struct view *view, size_t *next)
{
	const struct fz_counter_list *list = view->labels->result->counters;
	size_t width = 0;

	view->nr = 0;
	for (; *next < list->nr; ++*next) {
		const struct fz_counter *counter = &list->counter[*next];

		if (counter->code)
			continue;
		width += width_of(counter);
		if (view->nr && width > COUNTERS_WIDTH)
			return;
		view->counter[view->nr++] = *next;
	}
}

static void fill_row(struct fz_table *table, const struct view *view,
		     size_t index)
{
	const struct fz_row *row = &view->labels->result->rows[index];
	const struct fz_row *data = fz_row_data(row);
	const size_t line = table->nr_rows++;

	snprintf(fz_table_cell(table, line, COLUMN_ID), FZ_CELL_BYTES, "r%zu",
		 index + 1);
	fz_row_label(fz_table_cell(table, line, COLUMN_NAME), FZ_CELL_BYTES,
		     view->labels, row);
	for (size_t i = 0; i < view->nr; i++)
		count_text(fz_table_cell(table, line, FIRST_COUNTER + i),
			   FZ_CELL_BYTES, counter_at(view, i), data,
			   &data->counts.of[view->counter[i]]);
}

static int print_view(FILE *out, const struct view *view)
{
	const struct fz_result *result = view->labels->result;
	struct fz_column columns[FZ_TABLE_MAX_COLUMNS] = {
		[COLUMN_ID] = { .head = { "", "" } },
		[COLUMN_NAME] = { .head = { "", "counted" },
				  .left = true,
				  .tight = true,
				  .expendable = 1 },
	};
	struct fz_table table;
	int code;

	for (size_t i = 0; i < view->nr; i++) {
		const struct fz_perf_event *event = &counter_at(view, i)->event;

		columns[FIRST_COUNTER + i] = (struct fz_column){
			.head = { event->name, unit_of(event) },
		};
	}
	code = fz_table_init(&table, columns, FIRST_COUNTER + view->nr,
			     result->nr_rows);
	if (code)
		return code;
	for (size_t i = 0; i < result->nr_rows; i++)
		if (fz_row_in_group(result, view->labels->lead, i))
			fill_row(&table, view, i);
	fz_table_fit(&table, FZ_TEXT_WIDTH);
	fputc('\n', out);
	fz_table_print(out, &table);
	fz_table_fini(&table);
	return 0;
}

int fz_text_counters(FILE *out, const struct fz_labels *labels)
{
	const struct fz_counter_list *list = labels->result->counters;
	struct view view = { .labels = labels };
	size_t next = 0;
	int code = 0;

	while (list && next < list->nr && !code) {
		view_fill(&view, &next);
		if (view.nr)
			code = print_view(out, &view);
	}
	return code;
}

/* The counters with the trouble of this one, unless an earlier one has it. */
static void print_trouble(FILE *out, const struct fz_counter_list *list,
			  size_t first)
{
	static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };
	const struct fz_counter *trouble = &list->counter[first];
	struct fz_note note = { .used = 0 };

	if (!trouble->reason[0])
		return;
	for (size_t i = 0; i < first; i++)
		if (strcmp(list->counter[i].reason, trouble->reason) == 0)
			return;
	fz_note_add(&note, trouble->code ? "not counted:" : "user mode only:");
	for (size_t i = first; i < list->nr; i++)
		if (strcmp(list->counter[i].reason, trouble->reason) == 0)
			fz_note_add(&note, " %s", list->counter[i].event.name);
	fz_note_add(&note, ": %s", trouble->reason);
	fz_note_print(out, &note, margins);
}

void fz_text_counter_notes(FILE *out, const struct fz_result *result)
{
	const struct fz_counter_list *list = result->counters;
	char read[32];

	if (!list)
		return;
	for (size_t i = 0; i < list->nr; i++)
		print_trouble(out, list, i);
	if (!list->read_ns)
		return;
	fz_text_ns(read, sizeof(read), (double)list->read_ns);
	fprintf(out,
		"counters: pages of 4 KiB; read twice a round, which "
		"takes a thread %s each time\n",
		read);
}
