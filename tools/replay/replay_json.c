// SPDX-License-Identifier: GPL-2.0-or-later
/* A replay as JSON: its recordings, and what each folio size comes to. */
#include "replay_json.h"

#include "json_value.h"
#include "row_json_parts.h"

static const char *kind_name(enum fz_trace_problem_kind kind)
{
	switch (kind) {
	case FZ_TRACE_BAD:
		return "bad";
	case FZ_TRACE_SKIPPED:
		return "skipped";
	case FZ_TRACE_NOTE:
		break;
	}
	return "note";
}

static json_t *problems_json(const struct fz_trace_problems *problems)
{
	json_t *array = json_array();

	for (size_t i = 0; i < problems->nr_reasons; i++) {
		const struct fz_trace_reason *reason = &problems->reasons[i];

		json_array_append_new(
			array, json_pack("{s:s, s:o, s:o}", "kind",
					 kind_name(reason->kind), "reason",
					 fz_json_text(reason->reason), "count",
					 fz_json_count(reason->nr)));
	}
	return array;
}

static json_t *events_json(const struct fz_survey *survey)
{
	json_t *array = json_array();

	for (unsigned int e = 0; e < FZ_NR_EVENTS; e++)
		if (fz_survey_events(survey) & 1u << e)
			json_array_append_new(
				array,
				json_string(fz_event_name((enum fz_event)e)));
	return array;
}

static uint64_t all_dropped(const struct fz_survey *survey)
{
	uint64_t nr = 0;

	for (unsigned int e = 0; e < FZ_NR_EVENTS; e++)
		nr += fz_survey_dropped(survey, (enum fz_event)e);
	return nr;
}

static json_t *granularity_json(const struct fz_survey *survey)
{
	const struct fz_granularity found = fz_survey_granularity(survey);

	return json_pack("{s:o, s:o, s:o}", "bytes", fz_json_count(found.bytes),
			 "faults_alone", fz_json_count(found.nr_alone),
			 "faults", fz_json_count(found.nr));
}

static json_t *file_json(const struct fz_replay_trace *trace)
{
	const struct fz_trace_problems *problems =
		fz_trace_file_problems(trace->file);

	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "name",
			 fz_json_text(trace->path), "format",
			 fz_trace_file_format(trace->file)->name, "events",
			 events_json(trace->survey), "dropped",
			 fz_json_count(all_dropped(trace->survey)),
			 "granularity", granularity_json(trace->survey), "bad",
			 fz_json_count(problems->nr_bad), "problems",
			 problems_json(problems));
}

static json_t *files_json(const struct fz_replay_traces *traces)
{
	json_t *array = json_array();

	for (size_t i = 0; i < traces->nr; i++)
		json_array_append_new(array, file_json(&traces->trace[i]));
	return array;
}

static json_t *classes_json(const struct fz_replay_tally *tally)
{
	json_t *classes = json_object();

	for (unsigned int c = 0; c < FZ_NR_CLASSES; c++)
		json_object_set_new(classes,
				    fz_fault_class_name((enum fz_fault_class)c),
				    fz_json_count(tally->classes[c]));
	return classes;
}

static json_t *assumed_json(const struct fz_replay_report *report)
{
	const struct fz_replay_options *options = report->options;

	return json_pack(
		"{s:s, s:o, s:s, s:s}", "unknown",
		options->assume_anon ? "anon" : "none", "recorded_folio_bytes",
		fz_json_count(report->traces->recorded_bytes), "recorded_basis",
		report->traces->coarsest ? "detected" : "option", "pace",
		options->recorded_pace ? "recorded" : "flat");
}

static json_t *clear_name_json(const struct fz_profile_clear *clear)
{
	return fz_json_text(clear ? clear->name : NULL);
}

static json_t *prices_json(const struct fz_replay_report *report)
{
	const struct fz_prices *prices = report->prices;

	if (!prices)
		return json_null();
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "profile",
			 prices->profile->name, "cpu", prices->profile->cpu,
			 "clear", clear_name_json(prices->cached),
			 "stream_clear", clear_name_json(prices->streaming),
			 "fault_ns", fz_json_real(prices->profile->fault_ns),
			 "point_ns", fz_json_real(prices->profile->point_ns));
}

json_t *fz_replay_trace_json(const struct fz_replay_report *report)
{
	const struct fz_replay_tally *tally = report->tally;
	const bool has_times = tally->first_ns != UINT64_MAX;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o}",
		"files", files_json(report->traces), "records",
		fz_json_count(tally->records), "faults",
		fz_json_count(tally->faults), "no_address",
		fz_json_count(tally->no_address), "classes",
		classes_json(tally), "replayed", fz_json_count(tally->replayed),
		"span_ns",
		fz_json_if(has_times,
			   fz_json_count(has_times ? tally->last_ns -
							     tally->first_ns
						   : 0)),
		"execs", fz_json_count(tally->execs), "exits",
		fz_json_count(tally->exits), "mappings",
		fz_json_count(tally->mappings), "mappings_not_kept",
		fz_json_count(tally->mappings_not_kept), "lost",
		fz_json_count(fz_replay_lost(report)), "assumed",
		assumed_json(report), "prices", prices_json(report));
}

json_t *fz_replay_row_json(const struct fz_replay_report *report,
			   const struct fz_row *row)
{
	const struct fz_replay_size *size = &report->tally->sizes[row->choice];
	char folio[FZ_CHOICE_BYTES];
	uint64_t bytes = 0;
	const bool knows = fz_replay_row_not_faulted(report, row, &bytes);

	fz_folio_choice_text(folio, sizeof(folio),
			     &report->options->choices[row->choice]);
	return json_pack(
		"{s:{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}}", "replay",
		"folio", folio, "recorded_faults",
		fz_json_count(report->tally->replayed), "faults_taken",
		fz_json_count(size->faults), "faults_saved",
		fz_json_count(size->saved), "repeats",
		fz_json_count(size->repeats), "freed",
		fz_json_count(size->freed), "unmapped",
		fz_json_if(report->options->choices[row->choice].auto_orders,
			   fz_json_count(size->unmapped)),
		"not_faulted_bytes", fz_json_if(knows, fz_json_count(bytes)));
}
