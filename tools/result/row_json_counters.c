// SPDX-License-Identifier: GPL-2.0-or-later
/* The member of a row about what was counted. */
#include "row_json_parts.h"

#include <math.h>

#include "json_value.h"

/* Of one round: whole where it was the same in each. */
static json_t *mean_json(double sum, size_t rounds)
{
	const double mean = sum / (double)rounds;

	if (mean >= 0.0 && mean < 0x1p53 && mean == floor(mean))
		return fz_json_count((uint64_t)mean);
	return fz_json_real(mean);
}

/* It was had, but not in this row. */
static const char *why_no_count(const struct fz_count *count)
{
	return count->lost
		       ? "it could not be read"
		       : "it never ran: others held the counters of the CPU";
}

static json_t *reason_json(const struct fz_counter *counter,
			   const struct fz_count *count, bool has,
			   size_t rounds)
{
	if (!has && !counter->code && rounds)
		return json_string(why_no_count(count));
	return fz_json_known(counter->reason);
}

static json_t *counter_json(const struct fz_counter *counter,
			    const struct fz_count *count, size_t rounds)
{
	const enum fz_counter_status status = fz_counter_status(counter, count);
	const bool has = rounds && status <= FZ_COUNTER_SCALED;
	const size_t nr = rounds ? rounds : 1;

	return json_pack("{s:o, s:o, s:o, s:s, s:s, s:o, s:o}", "value",
			 fz_json_if(has, mean_json(fz_count_scaled(count), nr)),
			 "enabled_ns",
			 fz_json_if(has, fz_json_count(count->enabled_ns / nr)),
			 "running_ns",
			 fz_json_if(has, fz_json_count(count->running_ns / nr)),
			 "status", fz_counter_status_name(status), "source",
			 fz_perf_source_name(counter->event.source), "mode",
			 counter->code ? json_null()
				       : json_string(fz_counter_mode(counter)),
			 "reason", reason_json(counter, count, has, rounds));
}

/* Every row has the same names, so that every line of CSV has its columns. */
json_t *fz_row_counters_json(const struct fz_row_subject *s)
{
	const struct fz_counter_list *list = s->result->counters;
	json_t *counters = json_object();

	for (size_t i = 0; list && i < list->nr; i++)
		json_object_set_new(counters, list->counter[i].event.name,
				    counter_json(&list->counter[i],
						 &s->data->counts.of[i],
						 s->data->rounds));
	return counters;
}
