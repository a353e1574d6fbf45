// SPDX-License-Identifier: GPL-2.0-or-later
/* A row as a JSON object; the CSV view flattens the same object. */
#include "row_json.h"

#include <math.h>

#include "json_value.h"
#include "replay_json.h"
#include "row_facts.h"
#include "row_json_parts.h"

/* A row that never ran is not pending any more once it is printed. */
static const char *status_name(const struct fz_row *row)
{
	switch (row->status) {
	case FZ_ROW_MEASURED:
		return "measured";
	case FZ_ROW_PARTIAL:
		return "partial";
	case FZ_ROW_MODELLED:
		return "modelled";
	case FZ_ROW_PENDING:
	case FZ_ROW_UNSUPPORTED:
		break;
	}
	return "unsupported";
}

static json_t *backing_json(const struct fz_row *row)
{
	/* All zero where there was no buffer. */
	const struct fz_backing backing = row->memory.backing;

	return json_pack("{s:o, s:o, s:o}", "kind", fz_json_known(backing.kind),
			 "page_bytes", fz_json_known_count(backing.page_bytes),
			 "verified_by", fz_json_known(backing.verified_by));
}

static json_t *fault_page_json(const struct fz_row_config *config)
{
	switch (config->fault) {
	case FZ_FAULT_AT:
		return fz_json_count(config->fault_page);
	case FZ_FAULT_RANDOM:
		return json_string("random");
	case FZ_FAULT_RECORDED:
		return json_string("recorded");
	case FZ_FAULT_NONE:
		break;
	}
	return json_null();
}

static json_t *seconds_json(const struct fz_row *data)
{
	json_t *array = json_array();

	for (size_t i = 0; i < data->rounds; i++)
		json_array_append_new(array, fz_json_real(data->seconds[i]));
	return array;
}

static json_t *bandwidth_json(const struct fz_figures *figures)
{
	const struct fz_bandwidth *b = &figures->bandwidth;
	const bool has = figures->has_bandwidth;

	return json_pack("{s:o, s:o, s:o, s:o}", "median_bps",
			 fz_json_if(has, fz_json_real(b->median_bps)),
			 "mean_bps", fz_json_if(has, fz_json_real(b->mean_bps)),
			 "stdev_pct",
			 fz_json_if(has, fz_json_real(b->stdev_pct)),
			 "ci95_bps", fz_interval_json(has, &b->ci95_bps));
}

static json_t *ratio_json(const struct fz_row_subject *s)
{
	const struct fz_ratio *ratio = &s->figures->ratio;
	const struct fz_row *baseline = s->figures->baseline;
	const bool has = baseline != NULL;

	return json_pack("{s:o, s:o, s:o, s:o}", "baseline_id",
			 has ? fz_row_id_json(s->result, baseline)
			     : json_null(),
			 "median", fz_json_if(has, fz_json_real(ratio->median)),
			 "ci95", fz_interval_json(has, &ratio->ci95), "rounds",
			 fz_json_if(has, fz_json_count(ratio->rounds)));
}

/* Of rows that were worked out, beside those that were measured. */
static json_t *prediction_json(const struct fz_row_subject *s)
{
	const struct fz_ratio *ratio = &s->figures->prediction;
	const struct fz_row *measured = s->figures->measured;
	const bool has = measured != NULL;

	return json_pack(
		"{s:{s:o, s:o, s:o, s:o}}", "prediction", "measured_id",
		has ? fz_row_id_json(s->result, measured) : json_null(),
		"median", fz_json_if(has, fz_json_real(ratio->median)), "ci95",
		fz_interval_json(has, &ratio->ci95), "rounds",
		fz_json_if(has, fz_json_count(ratio->rounds)));
}

static json_t *use_json(const struct fz_figures *figures)
{
	const bool has = figures->has_bandwidth;

	return json_pack(
		"{s:o, s:o, s:o}", "line",
		fz_json_if(has, fz_json_real(figures->line_ns)), "near",
		fz_json_if(has, fz_json_real(figures->near_ns)), "folio",
		fz_json_if(has, fz_json_real(figures->folio_ns)));
}

static json_t *noise_json(const struct fz_row *data)
{
	const bool has = data->rounds > 0 && data->config.engine->zero;
	const struct fz_noise *noise = &data->noise;

	return json_pack(
		"{s:o, s:o, s:o}", "steal_ms",
		fz_json_if(has, fz_json_count(noise->steal_ms)),
		"involuntary_switches",
		fz_json_if(has, fz_json_count(noise->involuntary_switches)),
		"migrations",
		fz_json_if(has, fz_json_count(noise->migrations)));
}

static json_t *same_as_json(const struct fz_row_subject *s)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->result->nr_rows; i++)
		if (fz_rows_are_twins(s->row, &s->result->rows[i]))
			json_array_append_new(
				array,
				fz_row_id_json(s->result, &s->result->rows[i]));
	return array;
}

static json_t *warnings_json(const struct fz_figures *figures)
{
	json_t *array = json_array();

	for (size_t i = 0; i < figures->nr_warnings; i++)
		json_array_append_new(array,
				      fz_json_text(figures->warnings[i]));
	return array;
}

static json_t *identity_json(const struct fz_row_subject *s)
{
	const struct fz_row_config *config = &s->row->config;
	const struct fz_machine *machine = s->result->machine;

	return json_pack(
		"{s:o, s:s, s:o, s:s, s:o, s:o, s:o}", "id",
		fz_row_id_json(s->result, s->row), "status",
		status_name(s->row), "reason", fz_json_known(s->row->reason),
		"engine", config->engine->name, "policy",
		fz_json_text(fz_row_policy_name(machine, s->row)), "clear",
		fz_json_text(config->clear ? config->clear->name : NULL),
		"stream_clear",
		fz_json_text(config->stream ? config->stream->name : NULL));
}

static json_t *setting_json(const struct fz_row_subject *s)
{
	const struct fz_row_config *config = &s->row->config;
	const struct fz_machine *machine = s->result->machine;
	uint64_t batch_bytes = 0, radius_pages = 0;
	const bool has_batch = fz_row_batch_bytes(s->row, &batch_bytes);
	const bool has_radius = fz_row_radius_pages(s->row, &radius_pages);

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:s, s:b, s:b,"
		" s:i, s:s}",
		"page_size_bytes", fz_json_known_count(config->page.bytes),
		"backing", backing_json(s->row), "folio_bytes",
		fz_json_known_count(config->folio_bytes), "fault_page",
		fault_page_json(config), "preempt",
		fz_json_text(fz_row_preempt_name(machine, s->row)),
		"hypothetical", fz_row_is_hypothetical(s->row), "conditional",
		fz_row_is_conditional(s->row), "batch_bytes",
		fz_json_if(has_batch, fz_json_count(batch_bytes)),
		"radius_pages",
		fz_json_if(has_radius, fz_json_count(radius_pages)), "use",
		fz_use_name(config->use), "highmem", config->highmem,
		"per_page_clear", config->per_page_clear, "threads",
		(int)fz_row_nr_buffers(config), "timing",
		config->threads ? "span" : "sections");
}

static json_t *measured_json(const struct fz_row_subject *s)
{
	const struct fz_row *data = s->data;
	const struct fz_figures *figures = s->figures;
	const bool has = data->rounds > 0;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o,"
		" s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"rounds", fz_json_count(data->rounds), "faults",
		fz_json_if(has, fz_json_count(figures->faults)), "bytes",
		fz_json_if(has,
			   fz_json_count(fz_row_round_bytes(&data->config))),
		"seconds", seconds_json(data), "bandwidth",
		bandwidth_json(figures), "ratio", ratio_json(s), "scaling",
		fz_row_scaling_json(s), "phases", fz_row_phases_json(figures),
		"placement", fz_row_placement_json(data), "resched",
		fz_row_resched_json(s), "waker", fz_row_waker_json(s),
		"fault_ns",
		fz_percentiles_json(figures->has_bandwidth, &figures->fault_ns),
		"use_ns", use_json(figures), "counters",
		fz_row_counters_json(s), "residency", fz_row_residency_json(s),
		"victim", fz_row_victim_json(s), "noise", noise_json(data),
		"same_as", same_as_json(s), "warnings", warnings_json(figures));
}

/* Move the members of `part` behind those of `row`. */
static json_t *join(json_t *row, json_t *part)
{
	if (!row || !part || json_object_update(row, part)) {
		json_decref(row);
		row = NULL;
	}
	json_decref(part);
	return row;
}

json_t *fz_row_json(const struct fz_result *result, size_t index)
{
	const struct fz_row_subject s = {
		.result = result,
		.row = &result->rows[index],
		.data = fz_row_data(&result->rows[index]),
		.figures = &result->figures[index],
	};
	json_t *row = identity_json(&s);

	row = join(row, setting_json(&s));
	row = join(row, measured_json(&s));
	if (result->replay)
		row = join(row, fz_replay_row_json(result->replay, s.row));
	else if (result->profile)
		row = join(row, prediction_json(&s));
	return row;
}
