// SPDX-License-Identifier: GPL-2.0-or-later
/* What the probes found, as JSON. */
#include "probe_json.h"

#include <math.h>

#include <fz/cache_spec.h>
#include <fz/probe.h>

#include "json_value.h"
#include "row_json_parts.h"

static const char *class_name(const struct fz_levels *levels, size_t class)
{
	return levels->classes[class].name;
}

static json_t *levels_json(const struct fz_levels *levels)
{
	json_t *array = json_array();

	for (size_t i = 0; levels->nr_classes && i < levels->nr; i++) {
		const struct fz_level *level = &levels->level[i];

		json_array_append_new(
			array,
			json_pack("{s:s, s:o, s:o, s:o, s:s}", "name",
				  level->name, "cache_bytes",
				  fz_json_known_count(level->cache_bytes),
				  "working_set_bytes",
				  fz_json_count(level->set_bytes),
				  "median_cycles",
				  fz_json_real(level->median_ticks), "level",
				  class_name(levels, level->class)));
	}
	return array;
}

/* The last border is infinite: null. */
static json_t *borders_json(const struct fz_levels *levels)
{
	json_t *array = json_array();

	for (size_t i = 0; i < levels->nr_classes; i++)
		json_array_append_new(
			array,
			json_pack(
				"{s:s, s:o}", "level", class_name(levels, i),
				"below_cycles",
				fz_json_real(levels->classes[i].below_ticks)));
	return array;
}

static json_t *missing_json(json_t *id, enum fz_probe_kind kind,
			    const struct fz_err *reason)
{
	return json_pack("{s:o, s:s, s:o}", "id", id, "probe",
			 fz_probe_name(kind), "reason",
			 fz_json_text(reason->msg));
}

/* Sets that no row has are no row's. */
static void add_no_victims(json_t *array, const struct fz_probe *probe)
{
	for (size_t i = 0; i < FZ_MAX_CACHES; i++)
		if (probe->no_victim[i].msg[0])
			json_array_append_new(
				array,
				missing_json(json_null(), FZ_PROBE_VICTIM,
					     &probe->no_victim[i]));
}

static json_t *not_probed_json(const struct fz_result *result)
{
	json_t *array = json_array();

	add_no_victims(array, result->probe);
	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row *row = &result->rows[i];
		const struct fz_row_probe *found = fz_row_data(row)->probe;

		for (size_t kind = 0; found && kind < FZ_NR_PROBES; kind++)
			if (found->reason[kind].msg[0])
				json_array_append_new(
					array,
					missing_json(
						fz_row_id_json(result, row),
						(enum fz_probe_kind)kind,
						&found->reason[kind]));
	}
	return array;
}

static void add_not_modelled(json_t *array, json_t *id,
			     const struct fz_err *reason)
{
	json_array_append_new(array, json_pack("{s:o, s:o}", "id", id, "reason",
					       fz_json_text(reason->msg)));
}

static json_t *not_modelled_json(const struct fz_result *result)
{
	const struct fz_probe_model *model = &result->probe->model;
	json_t *array = json_array();

	if (model->reason.msg[0])
		add_not_modelled(array, json_null(), &model->reason);
	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row *row = &result->rows[i];
		const struct fz_row_probe *found = fz_row_data(row)->probe;

		if (found && found->not_modelled.msg[0])
			add_not_modelled(array, fz_row_id_json(result, row),
					 &found->not_modelled);
	}
	return array;
}

/* What is modelled beside the probes. */
static json_t *model_json(const struct fz_result *result)
{
	const struct fz_probe_model *model = &result->probe->model;
	char text[FZ_CACHE_SPEC_BYTES];

	if (model->known)
		fz_cache_spec_format(text, sizeof(text), &model->spec);
	return json_pack("{s:s, s:o, s:s, s:o}", "source", "model", "geometry",
			 fz_json_text(model->known ? text : NULL),
			 "random_fault_page", "middle", "not_modelled",
			 not_modelled_json(result));
}

json_t *fz_probe_json(const struct fz_result *result)
{
	const struct fz_probe *probe = result->probe;
	const struct fz_levels *levels = &probe->levels;

	return json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o}",
		"source", "probe", "clock", result->machine->clock,
		"ns_per_cycle", fz_json_real(probe->ns_per_tick),
		"clock_cycles", fz_json_real(probe->clock_ticks), "page_bytes",
		fz_json_known_count(probe->page.bytes), "exceeds_llc",
		levels->exceeds_llc, "repeats", fz_json_count(probe->repeats),
		"levels", levels_json(levels), "borders", borders_json(levels),
		"not_probed", not_probed_json(result), "model",
		model_json(result));
}

static json_t *page_model_json(const struct fz_probe *probe,
			       const struct fz_residency *r)
{
	char level[16] = "memory";

	if (!r->model_level)
		return json_null();
	if (r->model_level <= probe->model.spec.geometry.nr_levels)
		snprintf(level, sizeof(level), "L%u", r->model_level);
	return json_pack(
		"{s:s, s:o, s:s}", "level", level, "cycles",
		fz_json_real(r->model_ticks > 0 ? r->model_ticks : NAN),
		"source", "model");
}

json_t *fz_row_residency_json(const struct fz_row_subject *s)
{
	const struct fz_row_probe *found = s->data->probe;
	const struct fz_probe *probe = s->result->probe;
	json_t *array = json_array();

	for (size_t i = 0; probe && found && i < found->nr_residency; i++) {
		const struct fz_residency *r = &found->residency[i];

		json_array_append_new(
			array,
			json_pack(
				"{s:I, s:s, s:o, s:o, s:o, s:s, s:o}",
				"distance_pages", (json_int_t)r->distance_pages,
				"level", class_name(&probe->levels, r->class),
				"median_cycles", fz_json_real(r->median_ticks),
				"ci95_cycles",
				fz_interval_json(r->samples > 1,
						 &r->ci95_ticks),
				"samples", fz_json_count(r->samples), "source",
				"probe", "model", page_model_json(probe, r)));
	}
	return array;
}

static json_t *victim_model_json(const struct fz_victim *v)
{
	if (v->model_slowdown <= 0)
		return json_null();
	return json_pack("{s:o, s:s}", "slowdown",
			 fz_json_real(v->model_slowdown), "source", "model");
}

json_t *fz_row_victim_json(const struct fz_row_subject *s)
{
	const struct fz_row_probe *found = s->data->probe;
	const struct fz_probe *probe = s->result->probe;
	json_t *array = json_array();

	for (size_t i = 0; probe && found && i < found->nr_victims; i++) {
		const struct fz_victim *v = &found->victims[i];
		const struct fz_level *level = &probe->levels.level[v->level];

		json_array_append_new(
			array,
			json_pack(
				"{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}",
				"set_bytes", fz_json_count(level->set_bytes),
				"cache", level->name, "loads",
				fz_json_count(v->loads), "undisturbed_ns",
				fz_json_real(v->undisturbed_ns), "disturbed_ns",
				fz_json_real(v->disturbed_ns), "slowdown",
				fz_json_real(v->slowdown.median), "ci95",
				fz_interval_json(v->slowdown.rounds > 1,
						 &v->slowdown.ci95),
				"samples", fz_json_count(v->slowdown.rounds),
				"source", "probe", "model",
				victim_model_json(v)));
	}
	return array;
}
