// SPDX-License-Identifier: GPL-2.0-or-later
/* A simulation as JSON and CSV: docs/foliosim.simulation-1.schema.json. */
#include "simulation.h"

#include <errno.h>
#include <math.h>

#include <fz/folio.h>

#include "csv.h"
#include "json_value.h"
#include "policy_objects.h"
#include "row_json_parts.h"
#include "simulation_bandwidth.h"
#include "view.h"

static json_t *until_json(uint64_t until_ns)
{
	return fz_json_count(until_ns); /* UINT64_MAX is null */
}

static json_t *assumed_json(const struct fz_simulation *s)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->options.nr_sets; i++)
		json_array_append_new(
			array,
			json_pack(
				"{s:s, s:o}", "key", s->assumed[i], "value",
				fz_json_real(fz_profile_number(
					&s->profile.profile, s->assumed[i]))));
	return array;
}

static json_t *profile_json(const struct fz_simulation *s)
{
	return json_pack("{s:s, s:s, s:o}", "name", s->profile.profile.name,
			 "cpu", s->profile.profile.cpu, "assumed",
			 assumed_json(s));
}

static json_t *traces_json(const struct fz_simulation *s)
{
	json_t *files = json_array();

	if (s->options.source != FZ_SIMULATE_TRACES) {
		json_decref(files);
		return json_null();
	}
	for (size_t i = 0; i < s->traces.nr; i++)
		json_array_append_new(files,
				      fz_json_text(s->traces.trace[i].path));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "files", files, "records",
			 fz_json_count(s->tally.records), "replayed",
			 fz_json_count(s->tally.replayed), "faults",
			 fz_json_count(s->tally.sizes[0].faults), "span_ns",
			 fz_json_count(s->tally.last_ns - s->tally.first_ns));
}

static json_t *workload_json(const struct fz_simulation *s)
{
	static const char *const sources[] = {
		[FZ_SIMULATE_FILE] = "file",
		[FZ_SIMULATE_GENERATED] = "generated",
		[FZ_SIMULATE_TRACES] = "traces",
	};
	const struct fz_simulate_options *o = &s->options;
	const bool generated = o->source == FZ_SIMULATE_GENERATED;

	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o}", "source", sources[o->source],
		"name", fz_json_text(o->workload), "tasks",
		fz_json_count(s->workload.nr_tasks), "size_bytes",
		fz_json_if(generated, fz_json_count(o->bytes)), "folio_bytes",
		fz_json_if(o->source != FZ_SIMULATE_FILE,
			   fz_json_count(o->folio_bytes)),
		"traces", traces_json(s));
}

static json_t *wake_json(const struct fz_simulate_options *o)
{
	if (!o->has_waker)
		return json_null();
	return json_pack("{s:s, s:o}", "class",
			 o->waker == FZ_SIM_RT ? "rt" : "fair", "interval_ns",
			 fz_json_count(o->interval_ns));
}

static json_t *clear_json(const struct fz_profile_clear *clear)
{
	return fz_json_text(clear ? clear->name : NULL);
}

static json_t *parameters_json(const struct fz_simulation *s)
{
	const struct fz_simulate_options *o = &s->options;

	return json_pack(
		"{s:i, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:o, s:f, s:o, s:i, "
		"s:o, s:o, s:o}",
		"cpus", (int)s->workload.nr_cpus, "workload", workload_json(s),
		"wake", wake_json(o), "clear", clear_json(s->prices.cached),
		"stream_clear", clear_json(s->prices.streaming), "page_kind",
		o->hugetlb ? "hugetlb" : "thp", "init_on_alloc",
		fz_init_on_alloc_name(o->init), "context", o->context->name,
		"radius_pages", fz_json_count(o->radius_pages), "wins", o->wins,
		"slice_ns", fz_json_count(o->slice_ns), "hz",
		(int)s->profile.profile.hz, "warn_ns",
		fz_json_count(o->warn_ns), "until_ns", until_json(o->until_ns),
		"max_events", fz_json_known_count(o->max_events));
}

static json_t *times_json(const struct fz_histogram *h)
{
	const bool any = h->count;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o}", "count", fz_json_count(h->count),
		"mean", fz_json_real(any ? fz_histogram_mean(h) : NAN), "p50",
		fz_json_if(any, fz_json_count(fz_histogram_quantile(h, 0.5))),
		"p99",
		fz_json_if(any, fz_json_count(fz_histogram_quantile(h, 0.99))),
		"max", fz_json_if(any, fz_json_count(any ? h->max : 0)));
}

static json_t *bandwidth_json(const struct fz_sim_result *result)
{
	struct fz_shown_bandwidth shown;
	json_t *bytes = json_array();

	fz_simulated_bandwidth(result, &shown);
	for (size_t i = 0; i < shown.nr; i++)
		json_array_append_new(bytes,
				      fz_json_real(round(shown.bytes[i])));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean_bps",
			 fz_json_real(shown.mean_bps), "peak_bps",
			 fz_json_real(shown.peak_bps), "peak_bin_ns",
			 fz_json_count(shown.peak_bin_ns), "bin_ns",
			 fz_json_count(shown.bin_ns), "bytes", bytes);
}

static const char *status_name(enum fz_simulated_status status)
{
	switch (status) {
	case FZ_SIMULATED:
		return "modelled";
	case FZ_SIMULATED_PARTIAL:
		return "partial";
	default:
		break;
	}
	return "unsupported";
}

/* The same members, and nothing known of any. */
static void wipe(json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		if (json_is_object(value))
			wipe(value);
		else if (json_is_array(value))
			json_array_clear(value);
		else
			json_object_set_new(object, key, json_null());
	}
}

static json_t *result_json(const struct fz_sim_result *r)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:o, "
		"s:o, s:o, s:o, s:o, s:o}",
		"wall_ns", fz_json_count(r->wall_ns), "stime_ns",
		fz_json_count(r->stime_ns), "utime_ns",
		fz_json_count(r->utime_ns), "switch_ns",
		fz_json_count(r->switch_ns), "idle_ns",
		fz_json_count(r->idle_ns), "faults", fz_json_count(r->faults),
		"bytes", fz_json_count(r->bytes_zeroed), "fault_ns",
		times_json(&r->fault_ns), "wake_ns", "rt",
		times_json(&r->wake_ns[FZ_SIM_RT]), "fair",
		times_json(&r->wake_ns[FZ_SIM_FAIR]), "longest_stretch_ns",
		fz_json_count(r->longest_stretch_ns), "warnings",
		fz_json_count(r->warnings), "illegal_sleeps",
		fz_json_count(r->illegal_sleeps), "bandwidth",
		bandwidth_json(r), "unfinished", fz_json_count(r->unfinished),
		"events", fz_json_count(r->events));
}

static json_t *row_json(const struct fz_simulation *s, size_t index)
{
	const struct fz_simulated_row *row = &s->rows[index];
	const uint64_t batch_bytes = fz_simulated_batch_bytes(row);
	static const struct fz_sim_result nothing;
	const bool has = fz_simulated_has_figures(row);
	const bool fits = row->policy->models & FZ_PREEMPT_BIT(row->preempt);
	const bool conditional = has && row->result.conditional;
	char id[24];
	json_t *object, *result = result_json(has ? &row->result : &nothing);

	if (!has)
		wipe(result);
	snprintf(id, sizeof(id), "r%zu", index + 1);
	object = json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:b, s:b, s:o, s:o}",
			   "id", id, "status", status_name(row->status),
			   "reason", fz_json_known(row->reason), "profile",
			   s->profile.profile.name, "policy", row->policy->name,
			   "preempt", fz_preempt_name(row->preempt),
			   "hypothetical", !fits, "conditional", conditional,
			   "batch_bytes", fz_json_known_count(batch_bytes),
			   "radius_pages",
			   fz_json_if(row->carried.policy.uses & FZ_USES_RADIUS,
				      fz_json_count(s->options.radius_pages)));
	if (!object || !result || json_object_update(object, result)) {
		json_decref(object);
		object = NULL;
	}
	json_decref(result);
	return object;
}

int fz_simulation_json(FILE *out, const struct fz_simulation *s)
{
	const struct fz_policy_list *policies =
		&s->options.replay.bench.policies;
	json_t *rows = json_array(), *document;
	int failed = 0, code;

	for (size_t i = 0; i < s->nr_rows; i++)
		if (s->rows[i].status != FZ_SIMULATED_NOT)
			failed |= json_array_append_new(rows, row_json(s, i));
	document = json_pack(
		"{s:s, s:b, s:o, s:o, s:o, s:o}", "schema",
		"foliosim.simulation/1", "partial", (int)s->partial, "tool",
		fz_json_tool(s->command, s->options.replay.bench.seed),
		"profile", profile_json(s), "parameters", parameters_json(s),
		"rows", rows);
	if (fz_policy_objects_any(policies) && document)
		failed |= json_object_set_new(document, "policy_objects",
					      fz_policy_objects_json(policies));
	code = failed ? -ENOMEM : fz_json_print(out, document);
	json_decref(document);
	return code;
}

static int write_rows(FILE *out, const struct fz_simulation *s)
{
	bool header = true;
	int code = 0;

	for (size_t i = 0; i < s->nr_rows && !code; i++) {
		json_t *row;

		if (s->rows[i].status == FZ_SIMULATED_NOT)
			continue;
		row = row_json(s, i);
		if (!row)
			return -ENOMEM;
		if (header)
			code = fz_csv_line(out, true, row);
		if (!code)
			code = fz_csv_line(out, false, row);
		header = false;
		json_decref(row);
	}
	return code;
}

int fz_simulation_csv(FILE *out, const struct fz_simulation *s)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	code = write_rows(view.stream, s);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
