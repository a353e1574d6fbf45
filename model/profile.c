// SPDX-License-Identifier: GPL-2.0-or-later
/* What a machine profile says a clear call takes. */
#include <fz/profile.h>

#include <math.h>
#include <string.h>

#define NS_PER_S 1e9

const struct fz_profile_clear *
fz_profile_clear_find(const struct fz_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->nr_clears; i++)
		if (strcmp(profile->clears[i].name, name) == 0)
			return &profile->clears[i];
	return NULL;
}

/* Nothing takes no time, also at a bandwidth that is not known. */
static double moved_ns(uint64_t bytes, double bps)
{
	return bytes ? (double)bytes / bps * NS_PER_S : 0;
}

static double elided_ns(const struct fz_profile_clear *clear, uint64_t bytes)
{
	const uint64_t ramp =
		bytes < clear->ramp_bytes ? bytes : clear->ramp_bytes;

	return moved_ns(ramp, clear->bps) +
	       moved_ns(bytes - ramp, clear->elided_bps);
}

/* What never happens does not matter, known or not. */
static double weighted(double share, double ns)
{
	return share == 0 ? 0 : share * ns;
}

double fz_profile_call_ns(const struct fz_profile_clear *clear, uint64_t bytes,
			  enum fz_relation relation)
{
	const double call_ns = clear->call_ns[relation];
	const double plain_ns = moved_ns(bytes, clear->bps);
	const double share = clear->elided_share;

	if (!clear->threshold_bytes || bytes < clear->threshold_bytes)
		return call_ns + plain_ns;
	return call_ns + weighted(share, elided_ns(clear, bytes)) +
	       weighted(1 - share, plain_ns);
}
