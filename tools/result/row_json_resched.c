// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of a row about who waits while it zeroes. */
#include "row_json_parts.h"

#include <math.h>

#include <fz/wake_watch.h>

#include "json_value.h"

static json_t *wakeup_json(bool has, const struct fz_wakeup *wakeup)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "mean",
			 fz_json_if(has, fz_json_real(wakeup->mean_ns)), "p50",
			 fz_json_if(has, fz_json_real(wakeup->p50_ns)), "p99",
			 fz_json_if(has, fz_json_real(wakeup->p99_ns)), "max",
			 fz_json_if(has, fz_json_real(wakeup->max_ns)));
}

/* The same number in every fault, except with random faulting pages. */
static json_t *points_json(const struct fz_figures *figures)
{
	const double points = figures->points_per_fault;

	if (!figures->has_points)
		return json_null();
	if (points >= 0.0 && points < 0x1p53 && points == floor(points))
		return fz_json_count((uint64_t)points);
	return fz_json_real(points);
}

/* What is worked out has it on its price list. */
static double point_cost_ns(const struct fz_row_subject *s)
{
	return s->row->config.engine == &fz_engine_model
		       ? s->result->profile->point_ns
		       : s->result->point_cost_ns;
}

json_t *fz_row_resched_json(const struct fz_row_subject *s)
{
	const struct fz_figures *figures = s->figures;
	const bool acts =
		figures->has_points && figures->points_per_fault > 0.0;
	const struct fz_wake_source *woken = s->data->woken;
	const struct fz_wakeup none = { 0 };

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "points",
		points_json(figures), "point_cost_ns",
		fz_json_if(acts, fz_json_real(point_cost_ns(s))), "interval_ns",
		fz_percentiles_json(figures->has_stretches,
				    &figures->interval_ns),
		"wakeup_model_ns",
		wakeup_json(figures->wakeup_model, &figures->wakeup_ns),
		"wakeup_measured_ns",
		wakeup_json(figures->nr_wakeups, &figures->measured_ns),
		"wakeup_busy_ns",
		wakeup_json(woken, woken ? &woken->busy : &none),
		"wakeup_idle_ns",
		wakeup_json(woken && woken->has_idle,
			    woken ? &woken->idle : &none));
}

/* Who was woken while the row was measured. */
json_t *fz_row_waker_json(const struct fz_row_subject *s)
{
	const struct fz_wake_source *woken = s->data->woken;
	const struct fz_row *model = s->figures->wakeup_model;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o}", "by",
		fz_json_text(woken ? fz_waker_kind_name(woken->kind) : NULL),
		"interval_ns",
		fz_json_if(woken,
			   fz_json_count(woken ? woken->interval_ns : 0)),
		"wakeups",
		fz_json_if(woken, fz_json_count(s->figures->nr_wakeups)),
		"dropped",
		fz_json_if(
			woken && s->data->samples,
			fz_json_count(woken && s->data->samples
					      ? s->data->samples->wakes_dropped
					      : 0)),
		"model_id",
		woken && model ? fz_row_id_json(s->result, model)
			       : json_null());
}
