// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences about a replay. */
#include "replay_words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "printable.h"
#include "text_parts.h"

void fz_about_bytes(char *buf, size_t cap, uint64_t bytes)
{
	static const char units[] = "BKMGT";
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 1000.0 && unit + 2 < sizeof(units)) {
		value /= 1024.0;
		unit++;
	}
	snprintf(buf, cap, "%.*f%c",
		 unit == 0 || value >= 99.95 ? 0
		 : value >= 9.995            ? 1
					     : 2,
		 value, units[unit]);
}

static void add_share(struct fz_note *note, uint64_t part, uint64_t whole)
{
	fz_note_add(note, " (%.1f %%)",
		    whole ? 100.0 * (double)part / (double)whole : 0.0);
}

static void add_events(struct fz_note *note, const struct fz_survey *survey)
{
	const char *separator = ": ";
	uint64_t dropped = 0;

	for (unsigned int e = 0; e < FZ_NR_EVENTS; e++) {
		dropped += fz_survey_dropped(survey, (enum fz_event)e);
		if (!(fz_survey_events(survey) & 1u << e))
			continue;
		fz_note_add(note, "%s%s", separator,
			    fz_event_name((enum fz_event)e));
		separator = ", ";
	}
	if (!dropped)
		return;
	fz_note_add(note, "; left out: ");
	fz_note_add_count(note, dropped, "record");
	fz_note_add(note, " of other events about the same faults");
}

static void print_files(FILE *out, const struct fz_replay_report *report,
			struct fz_margins margins)
{
	for (size_t i = 0; i < report->traces->nr; i++) {
		const struct fz_replay_trace *trace = &report->traces->trace[i];
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "trace '%s' (%s)", trace->path,
			    fz_trace_file_format(trace->file)->name);
		fz_make_harmless(note.text);
		add_events(&note, trace->survey);
		fz_note_print(out, &note, margins);
	}
}

static void print_records(FILE *out, const struct fz_replay_report *report,
			  struct fz_margins margins)
{
	const struct fz_replay_tally *tally = report->tally;
	const uint64_t lost = fz_replay_lost(report);
	struct fz_note note = { .used = 0 };
	char span[FZ_FORMAT_BYTES];

	fz_note_add_count(&note, tally->records, "record");
	fz_note_add(&note, ", ");
	fz_note_add_count(&note, tally->faults, "fault");
	if (tally->first_ns != UINT64_MAX) {
		fz_text_ns(span, sizeof(span),
			   (double)(tally->last_ns - tally->first_ns));
		fz_note_add(&note, " in %s", span);
	}
	fz_note_add(&note, ":");
	for (unsigned int c = 0; c < FZ_NR_CLASSES; c++) {
		if (!tally->classes[c])
			continue;
		fz_note_add(&note, " %s %" PRIu64,
			    fz_fault_class_name((enum fz_fault_class)c),
			    tally->classes[c]);
		add_share(&note, tally->classes[c], tally->faults);
	}
	fz_note_add(&note, "; %" PRIu64 " replayed", tally->replayed);
	add_share(&note, tally->replayed, tally->faults);
	if (tally->no_address)
		fz_note_add(&note, "; %" PRIu64 " without an address",
			    tally->no_address);
	fz_note_add(&note, "; %s%" PRIu64 " lost",
		    lost == UINT64_MAX ? "at least " : "", lost);
	fz_note_print(out, &note, margins);
}

static void print_not_kept(FILE *out, const struct fz_replay_report *report,
			   struct fz_margins margins)
{
	const uint64_t nr = report->tally->mappings_not_kept;
	struct fz_note note = { .used = 0 };
	char size[FZ_FORMAT_BYTES];

	if (!nr)
		return;
	fz_format_bytes(size, sizeof(size), FZ_MAPPING_BYTES);
	fz_note_add(&note,
		    "%" PRIu64 " mappings were not kept (more than %zu of a "
		    "process, or than fit into %s): their backing is unknown",
		    nr, FZ_PROCESS_MAPPINGS, size);
	fz_note_print(out, &note, margins);
}

static void print_assumed(FILE *out, const struct fz_replay_report *report,
			  struct fz_margins margins)
{
	const struct fz_replay_tally *tally = report->tally;
	char size[FZ_FORMAT_BYTES];
	struct fz_note note = { .used = 0 };

	fz_format_bytes(size, sizeof(size), report->traces->recorded_bytes);
	fz_note_add(&note, "assumed: each fault made at most %s", size);
	if (report->traces->coarsest) {
		fz_note_add(&note, ": ");
		fz_note_add_granularity(&note, report->traces->coarsest);
	} else {
		fz_note_add(&note, " (--recorded-folio)");
	}
	if (tally->classes[FZ_CLASS_UNKNOWN])
		fz_note_add(&note, "; faults of class unknown %s",
			    report->options->assume_anon
				    ? "zeroed (--assume anon)"
				    : "zeroed nothing (--assume none)");
	fz_note_print(out, &note, margins);
}

static void add_ns(struct fz_note *note, const char *what, double ns)
{
	char text[FZ_FORMAT_BYTES];

	fz_text_ns(text, sizeof(text), ns);
	fz_note_add(note, ", %s %s", what,
		    isnan(ns) ? "is not known"
		    : ns == 0 ? "0"
			      : text);
}

static void add_primitive(struct fz_note *note, const char *kind,
			  const struct fz_profile_clear *clear)
{
	if (!clear) {
		fz_note_add(note, ", %s nothing", kind);
		return;
	}
	fz_note_add(note, ", %s %s", kind, clear->name);
	if (!isnan(clear->bps))
		fz_note_add(note, " (%.2f GiB/s)", clear->bps / 0x1p30);
}

static void print_prices(FILE *out, const struct fz_replay_report *report,
			 struct fz_margins margins)
{
	const struct fz_prices *prices = report->prices;
	struct fz_note note = { .used = 0 };

	if (!prices)
		return;
	fz_note_add(&note, "model: prices of profile '%s' (%s)",
		    prices->profile->name, prices->profile->cpu);
	add_primitive(&note, "cached", prices->cached);
	add_primitive(&note, "streaming", prices->streaming);
	add_ns(&note, "a fault", prices->profile->fault_ns);
	add_ns(&note, "a resched point", prices->profile->point_ns);
	fz_note_print(out, &note, margins);
}

void fz_replay_print_trace(FILE *out, const struct fz_replay_report *report,
			   struct fz_margins margins)
{
	print_files(out, report, margins);
	print_records(out, report, margins);
	print_not_kept(out, report, margins);
	print_assumed(out, report, margins);
	print_prices(out, report, margins);
}

void fz_note_add_size(struct fz_note *note,
		      const struct fz_replay_report *report,
		      const struct fz_row *row)
{
	const struct fz_folio_choice *choice =
		&report->options->choices[row->choice];
	const struct fz_replay_size *size = &report->tally->sizes[row->choice];
	char text[FZ_CHOICE_BYTES];
	uint64_t bytes;

	fz_folio_choice_text(text, sizeof(text), choice);
	fz_note_add(note, "folios of %s: ", text);
	fz_note_add_count(note, size->faults, "fault");
	fz_note_add(note, " taken, %" PRIu64 " saved", size->saved);
	add_share(note, size->saved, report->tally->replayed);
	if (size->repeats) {
		fz_note_add(note, ", ");
		fz_note_add_count(note, size->repeats, "repetition");
		fz_note_add(note, " left out");
	}
	if (size->freed)
		fz_note_add(note, ", %" PRIu64 " after a page was freed",
			    size->freed);
	if (choice->auto_orders && size->unmapped)
		fz_note_add(note,
			    ", %" PRIu64 " of 4K for want of a known mapping",
			    size->unmapped);
	fz_about_bytes(text, sizeof(text), size->bytes);
	fz_note_add(note, ", %s zeroed, ", text);
	if (fz_replay_row_not_faulted(report, row, &bytes)) {
		fz_about_bytes(text, sizeof(text), bytes);
		fz_note_add(note, "%s of it not faulted", text);
	} else {
		fz_note_add(note, "how much of it faulted is not recorded");
	}
}
