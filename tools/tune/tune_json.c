// SPDX-License-Identifier: GPL-2.0-or-later
/* Curves as a document: foliosim.tune/1. */
#include "tune.h"

#include <fz/preempt.h>

#include "json_value.h"
#include "machine_json.h"
#include "row_json_parts.h"

static json_t *sample_json(const struct fz_tune_sample *sample)
{
	const bool measured = sample->rounds > 1;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "batch_bytes",
		fz_json_count(sample->batch_bytes), "median_bps",
		fz_json_real(sample->bps), "ci95_bps",
		fz_interval_json(measured, &sample->bps_ci95), "share",
		fz_json_real(sample->share), "ci95_share",
		fz_interval_json(measured, &sample->share_ci95), "p99_ns",
		fz_json_if(sample->rounds, fz_json_real(sample->stretch_ns)),
		"longest_ns", fz_json_real(sample->longest_ns), "rounds",
		fz_json_count(sample->rounds));
}

static json_t *answer_json(const struct fz_tuning_answer *answer)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "enough_bytes",
			 fz_json_known_count(answer->enough_bytes),
			 "fits_bytes", fz_json_known_count(answer->fits_bytes),
			 "from_bytes", fz_json_known_count(answer->from_bytes),
			 "to_bytes", fz_json_known_count(answer->to_bytes));
}

static json_t *samples_json(const struct fz_tune_curve *curve)
{
	json_t *array = json_array();

	for (size_t i = 0; i < curve->nr; i++)
		json_array_append_new(array, sample_json(&curve->samples[i]));
	return array;
}

static json_t *warnings_json(const struct fz_tune_curve *curve)
{
	json_t *array = json_array();

	for (size_t i = 0; i < curve->nr_warnings; i++)
		json_array_append_new(array, fz_json_text(curve->warnings[i]));
	return array;
}

static json_t *edge_json(const struct fz_tune_curve *curve)
{
	if (!curve->edge_from_bytes)
		return json_null();
	return json_pack("[o, o]", fz_json_count(curve->edge_from_bytes),
			 fz_json_count(curve->edge_to_bytes));
}

static json_t *curve_json(const struct fz_tune *tune,
			  const struct fz_tune_curve *curve)
{
	const bool measured = !tune->profile;
	char sentence[FZ_ERR_MSG_BYTES];

	fz_tune_sentence(sentence, sizeof(sentence), tune, curve);
	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "clear",
		curve->clear, "reason",
		curve->nr ? json_null() : fz_json_known(curve->reason),
		"points", samples_json(curve), "by_p99",
		fz_json_if(measured && curve->nr, answer_json(&curve->answer)),
		"by_longest",
		fz_json_if(curve->nr, answer_json(&curve->answer_longest)),
		"answer", fz_json_if(curve->nr, fz_json_text(sentence)),
		"edge_bytes", edge_json(curve), "warnings",
		warnings_json(curve));
}

static json_t *curves_json(const struct fz_tune *tune)
{
	json_t *array = json_array();

	for (size_t i = 0; i < tune->nr_curves; i++)
		json_array_append_new(array,
				      curve_json(tune, &tune->curves[i]));
	return array;
}

static json_t *profile_json(const struct fz_profile *profile)
{
	return json_pack("{s:s, s:s}", "name", profile->name, "cpu",
			 profile->cpu);
}

int fz_tune_json(FILE *out, const struct fz_tune *tune)
{
	const struct fz_tuning_wish wish = tune->options->wish;
	const bool measured = !tune->profile;
	json_t *document = json_pack(
		"{s:s, s:b, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, "
		"s:o}",
		"schema", "foliosim.tune/1", "partial", tune->partial, "tool",
		fz_json_tool(tune->command, tune->options->bench.seed), "basis",
		measured ? "measured" : "predicted", "machine",
		measured ? fz_machine_json(tune->machine) : json_null(),
		"profile", measured ? json_null() : profile_json(tune->profile),
		"page_size_bytes",
		fz_json_if(measured, fz_json_count(tune->page.bytes)),
		"size_bytes",
		fz_json_if(measured, fz_json_count(tune->size_bytes)),
		"folio_bytes", fz_json_count(tune->folio_bytes), "preempt",
		fz_preempt_name(tune->options->preempt), "share",
		fz_json_real(wish.share), "max_latency_ns",
		fz_json_real(wish.max_ns), "curves", curves_json(tune));
	const int code = fz_json_print(out, document);

	json_decref(document);
	return code;
}
