// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the recordings of a replay. */
#include "replay_traces.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "command.h"

static int open_trace(struct fz_replay_trace *trace, const char *path,
		      const struct fz_replay_options *options,
		      struct fz_err *err)
{
	int code;

	trace->path = path;
	code = fz_trace_file_open(&trace->file, path, &options->trace, err);
	if (code)
		return code;
	return fz_survey_open(&trace->survey, fz_trace_file_source(trace->file),
			      FZ_SURVEY_RECORDS / options->nr_traces, err);
}

static int open_merge(struct fz_replay_traces *traces)
{
	struct fz_fault_source sources[FZ_REPLAY_MAX_TRACES];

	for (size_t i = 0; i < traces->nr; i++)
		sources[i] = fz_survey_source(traces->trace[i].survey);
	if (traces->nr == 1 ||
	    !fz_fault_merge_open(&traces->merge, sources, traces->nr))
		return FZ_EXIT_DONE;
	fz_complain("out of memory");
	return FZ_EXIT_FAILED;
}

static void find_granularity(struct fz_replay_traces *traces,
			     const struct fz_replay_options *options)
{
	traces->recorded_bytes = options->recorded_bytes;
	if (traces->recorded_bytes)
		return;
	for (size_t i = 0; i < traces->nr; i++) {
		const uint64_t bytes =
			fz_survey_granularity(traces->trace[i].survey).bytes;

		if (bytes <= traces->recorded_bytes)
			continue;
		traces->recorded_bytes = bytes;
		traces->coarsest = &traces->trace[i];
	}
}

void fz_note_add_granularity(struct fz_note *note,
			     const struct fz_replay_trace *trace)
{
	const struct fz_granularity found =
		fz_survey_granularity(trace->survey);
	char size[FZ_FORMAT_BYTES];

	fz_format_bytes(size, sizeof(size), found.bytes);
	if (found.bytes == FZ_PAGE_BYTES)
		fz_note_add(
			note, "%" PRIu64 " fault%s no folios of more than %s",
			found.nr, found.nr == 1 ? " shows" : "s show", size);
	else
		fz_note_add(note,
			    "%" PRIu64 " of %" PRIu64 " faults (%.1f %%) are "
			    "each alone in their %s, in rows of %u or more "
			    "such %s side by side",
			    found.nr_alone, found.nr,
			    100.0 * (double)found.nr_alone / (double)found.nr,
			    size, FZ_GRANULARITY_ROW, size);
}

static uint64_t smallest_bytes(const struct fz_folio_choice *choice)
{
	return choice->auto_orders ? FZ_PAGE_BYTES
				   : FZ_PAGE_BYTES << choice->order;
}

static int refuse(const struct fz_replay_traces *traces,
		  const struct fz_folio_choice *choice)
{
	struct fz_note note = { .used = 0 };
	char asked[FZ_FORMAT_BYTES * 4], recorded[FZ_FORMAT_BYTES];

	fz_folio_choice_text(asked, sizeof(asked), choice);
	fz_format_bytes(recorded, sizeof(recorded), traces->recorded_bytes);
	if (!traces->coarsest) {
		fz_complain("--folio-size %s is below --recorded-folio %s: "
			    "what it would do is not in the recording",
			    asked, recorded);
		return FZ_EXIT_USAGE;
	}
	fz_note_add_granularity(&note, traces->coarsest);
	fz_complain("--folio-size %s is below what '%s' was recorded with: %s; "
		    "give %s or more, or --recorded-folio 4K if each fault "
		    "made a single page",
		    asked, traces->coarsest->path, note.text, recorded);
	return FZ_EXIT_USAGE;
}

/* 4K, 64K and 2M as far as they are recorded, else the recorded size. */
static void default_sizes(struct fz_replay_options *options,
			  uint64_t recorded_bytes)
{
	static const unsigned int orders[] = { 0, 4, 9 };

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (FZ_PAGE_BYTES << orders[i] >= recorded_bytes)
			options->choices[options->nr_choices++] =
				(struct fz_folio_choice){ .order = orders[i] };
	if (options->nr_choices)
		return;
	options->nr_choices = 1;
	while (FZ_PAGE_BYTES << options->choices[0].order < recorded_bytes)
		options->choices[0].order++;
}

static int settle_sizes(struct fz_replay_traces *traces,
			struct fz_replay_options *options)
{
	find_granularity(traces, options);
	if (!options->nr_choices)
		default_sizes(options, traces->recorded_bytes);
	for (size_t i = 0; i < options->nr_choices; i++)
		if (smallest_bytes(&options->choices[i]) <
		    traces->recorded_bytes)
			return refuse(traces, &options->choices[i]);
	return FZ_EXIT_DONE;
}

int fz_replay_traces_open(struct fz_replay_traces *traces,
			  struct fz_replay_options *options)
{
	struct fz_err err = { "" };

	for (size_t i = 0; i < options->nr_traces; i++) {
		struct fz_replay_trace *trace = &traces->trace[traces->nr++];

		if (!open_trace(trace, options->traces[i], options, &err))
			continue;
		fz_complain("%s", err.msg);
		fz_replay_traces_complain(traces);
		return FZ_EXIT_FAILED;
	}
	if (open_merge(traces))
		return FZ_EXIT_FAILED;
	return settle_sizes(traces, options);
}

void fz_replay_traces_close(struct fz_replay_traces *traces)
{
	fz_fault_merge_close(traces->merge);
	for (size_t i = 0; i < traces->nr; i++) {
		fz_survey_close(traces->trace[i].survey);
		fz_trace_file_close(traces->trace[i].file);
	}
}

struct fz_fault_source fz_replay_traces_source(struct fz_replay_traces *traces)
{
	return traces->merge ? fz_fault_merge_source(traces->merge)
			     : fz_survey_source(traces->trace[0].survey);
}

/* Nobody knows of all where nobody knows of one. */
struct fz_byte_share
fz_replay_traces_share(const struct fz_replay_traces *traces)
{
	struct fz_byte_share share = { .all = 0 };

	for (size_t i = 0; i < traces->nr; i++) {
		const struct fz_byte_share one =
			fz_trace_file_share(traces->trace[i].file);

		if (!one.all)
			return (struct fz_byte_share){ .all = 0 };
		share.done += one.done;
		share.all += one.all;
	}
	return share;
}

void fz_replay_traces_complain(const struct fz_replay_traces *traces)
{
	for (size_t i = 0; i < traces->nr; i++)
		if (traces->trace[i].file)
			fz_trace_file_complain(traces->trace[i].file);
}
