// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer of a curve in one sentence. */
#include "tune.h"

#include <string.h>

#include <fz/units.h>

#include "text_parts.h"

static void put_answer(char *buf, size_t cap, const struct fz_tune *tune,
		       const struct fz_tune_curve *curve)
{
	const struct fz_tuning_answer *answer = &curve->answer;
	const struct fz_tuning_wish wish = tune->options->wish;
	char from[FZ_FORMAT_BYTES], to[FZ_FORMAT_BYTES];
	char enough[FZ_FORMAT_BYTES], fits[FZ_FORMAT_BYTES];
	char latency[FZ_FORMAT_BYTES];

	fz_text_ns(latency, sizeof(latency), wish.max_ns);
	fz_format_bytes(from, sizeof(from), answer->from_bytes);
	fz_format_bytes(to, sizeof(to), answer->to_bytes);
	fz_format_bytes(enough, sizeof(enough), answer->enough_bytes);
	fz_format_bytes(fits, sizeof(fits), answer->fits_bytes);
	if (answer->from_bytes && answer->from_bytes == answer->to_bytes)
		snprintf(buf, cap, "both can be had: with batches of %s", from);
	else if (answer->from_bytes)
		snprintf(buf, cap, "both can be had: anything from %s to %s",
			 from, to);
	else if (!answer->fits_bytes)
		snprintf(buf, cap,
			 "not both: stretches are longer than %s with every "
			 "batch",
			 latency);
	else if (!answer->enough_bytes)
		snprintf(buf, cap, "not both: no batch reaches %.4g %%",
			 100.0 * wish.share);
	else
		snprintf(buf, cap,
			 "not both: %.4g %% takes batches of %s, %s allows %s",
			 100.0 * wish.share, enough, latency, fits);
}

/* "; at the edge of 95 %: 128K to 512K" */
static void put_edge(char *buf, size_t cap, const struct fz_tune *tune,
		     const struct fz_tune_curve *curve)
{
	const double percent = 100.0 * tune->options->wish.share;
	char from[FZ_FORMAT_BYTES], to[FZ_FORMAT_BYTES];

	fz_format_bytes(from, sizeof(from), curve->edge_from_bytes);
	fz_format_bytes(to, sizeof(to), curve->edge_to_bytes);
	if (curve->edge_from_bytes == curve->edge_to_bytes)
		snprintf(buf, cap, "; at the edge of %.4g %%: %s", percent,
			 from);
	else
		snprintf(buf, cap, "; at the edge of %.4g %%: %s to %s",
			 percent, from, to);
}

void fz_tune_sentence(char *buf, size_t cap, const struct fz_tune *tune,
		      const struct fz_tune_curve *curve)
{
	size_t used;

	put_answer(buf, cap, tune, curve);
	used = strlen(buf);
	if (curve->edge_from_bytes)
		put_edge(buf + used, cap - used, tune, curve);
}
