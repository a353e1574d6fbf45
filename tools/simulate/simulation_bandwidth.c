// SPDX-License-Identifier: GPL-2.0-or-later
/* Bandwidth over the time of a simulation. */
#include "simulation_bandwidth.h"

#include <math.h>

#define NS_PER_S 1e9

/* The last bin ends where the simulation does. */
static double bin_bps(const struct fz_sim_result *result, size_t i)
{
	const uint64_t begin_ns = i * result->bandwidth_bin_ns;
	const uint64_t left_ns =
		result->wall_ns > begin_ns ? result->wall_ns - begin_ns : 0;
	const uint64_t ns = left_ns < result->bandwidth_bin_ns
				    ? left_ns
				    : result->bandwidth_bin_ns;

	return ns ? NS_PER_S * result->bandwidth[i] / (double)ns : 0;
}

void fz_simulated_bandwidth(const struct fz_sim_result *result,
			    struct fz_shown_bandwidth *shown)
{
	size_t join = 1;

	while (result->nr_bandwidth / join >= FZ_SHOWN_BINS)
		join *= 2;
	*shown = (struct fz_shown_bandwidth){
		.mean_bps = result->wall_ns ? NS_PER_S * result->bus_bytes /
						      (double)result->wall_ns
					    : NAN,
		.peak_bin_ns = result->bandwidth_bin_ns,
		.bin_ns = result->bandwidth_bin_ns * join,
		.nr = (result->nr_bandwidth + join - 1) / join,
	};
	for (size_t i = 0; i < result->nr_bandwidth; i++) {
		shown->bytes[i / join] += result->bandwidth[i];
		shown->peak_bps = fmax(shown->peak_bps, bin_bps(result, i));
	}
}
