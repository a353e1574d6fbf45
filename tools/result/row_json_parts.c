// SPDX-License-Identifier: GPL-2.0-or-later
/* What several parts of a row in JSON need. */
#include "row_json_parts.h"

#include <math.h>

#include "json_value.h"
#include "row_facts.h"

json_t *fz_row_id_json(const struct fz_result *result, const struct fz_row *row)
{
	return json_sprintf("r%zu", fz_row_index(result, row) + 1);
}

json_t *fz_json_if(bool has, json_t *value)
{
	if (has)
		return value;
	json_decref(value);
	return json_null();
}

json_t *fz_interval_json(bool has, const struct fz_interval *interval)
{
	if (!has || !isfinite(interval->lo) || !isfinite(interval->hi))
		return json_null();
	return json_pack("[o, o]", fz_json_real(interval->lo),
			 fz_json_real(interval->hi));
}

json_t *fz_percentiles_json(bool has, const struct fz_percentiles *p)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "min",
			 fz_json_if(has, fz_json_count(p->min)), "mean",
			 fz_json_if(has, fz_json_real(p->mean)), "p50",
			 fz_json_if(has, fz_json_count(p->p50)), "p90",
			 fz_json_if(has, fz_json_count(p->p90)), "p99",
			 fz_json_if(has, fz_json_count(p->p99)), "p999",
			 fz_json_if(has, fz_json_count(p->p999)), "max",
			 fz_json_if(has, fz_json_count(p->max)));
}
