// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer of a curve in one sentence. */
#include "tune.h"

#include <fz/units.h>

#include "text_parts.h"

void fz_tune_sentence(char *buf, size_t cap, const struct fz_tune *tune,
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
