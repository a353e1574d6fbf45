// SPDX-License-Identifier: GPL-2.0-or-later
/* The result document: foliosim.result/1. */
#include "result.h"

#include <jansson.h>

#include "json_value.h"
#include "machine_json.h"
#include "policy_objects.h"
#include "probe_json.h"
#include "replay_json.h"
#include "row_json.h"

static json_t *rows_json(const struct fz_result *result)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < result->nr_rows; i++)
		if (json_array_append_new(rows, fz_row_json(result, i))) {
			json_decref(rows);
			return NULL;
		}
	return rows;
}

static json_t *bench_prices_json(const struct fz_profile *profile)
{
	return json_pack("{s:s, s:s, s:o}", "profile", profile->name, "cpu",
			 profile->cpu, "point_ns",
			 fz_json_real(profile->point_ns));
}

/* A member that not every result has. */
static json_t *add(json_t *document, const char *name, json_t *member)
{
	if (!document || json_object_set_new(document, name, member)) {
		json_decref(document);
		return NULL;
	}
	return document;
}

int fz_result_json(FILE *out, const struct fz_result *result)
{
	json_t *document = json_pack(
		"{s:s, s:b, s:o, s:o, s:o}", "schema", "foliosim.result/1",
		"partial", result->partial, "tool",
		fz_json_tool(result->command, result->seed), "machine",
		fz_machine_json(result->machine), "rows", rows_json(result));
	int code;

	if (fz_policy_objects_any(result->policies))
		document = add(document, "policy_objects",
			       fz_policy_objects_json(result->policies));
	if (result->probe)
		document = add(document, "probe", fz_probe_json(result));
	if (result->replay)
		document = add(document, "trace",
			       fz_replay_trace_json(result->replay));
	else if (result->profile)
		document = add(document, "prices",
			       bench_prices_json(result->profile));
	code = fz_json_print(out, document);
	json_decref(document);
	return code;
}
