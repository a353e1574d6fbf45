/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that row_json.c puts together. */
#ifndef FZ_ROW_JSON_PARTS_H
#define FZ_ROW_JSON_PARTS_H

#include <stdbool.h>

#include <jansson.h>

#include "result.h"

/* What the functions here are about. */
struct fz_row_subject {
	const struct fz_result *result;
	const struct fz_row *row;
	const struct fz_row *data; /* the row that holds the measurements */
	const struct fz_figures *figures;
};

/* "r1"; the id of a row. */
json_t *fz_row_id_json(const struct fz_result *result,
		       const struct fz_row *row);

/* The value, or null in its place. */
json_t *fz_json_if(bool has, json_t *value);

/* [lower end, upper end], or null. */
json_t *fz_interval_json(bool has, const struct fz_interval *interval);

json_t *fz_percentiles_json(bool has, const struct fz_percentiles *p);

/* Members of a row. */
json_t *fz_row_scaling_json(const struct fz_row_subject *s);
json_t *fz_row_phases_json(const struct fz_figures *figures);
json_t *fz_row_placement_json(const struct fz_row *data);
json_t *fz_row_resched_json(const struct fz_row_subject *s);
json_t *fz_row_waker_json(const struct fz_row_subject *s);
json_t *fz_row_counters_json(const struct fz_row_subject *s);
json_t *fz_row_residency_json(const struct fz_row_subject *s);
json_t *fz_row_victim_json(const struct fz_row_subject *s);

#endif
