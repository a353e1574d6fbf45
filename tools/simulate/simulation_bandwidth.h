/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth over the time of a simulation. */
#ifndef FZ_SIMULATION_BANDWIDTH_H
#define FZ_SIMULATION_BANDWIDTH_H

#include "simulation.h"

/* What a view shows at most. */
#define FZ_SHOWN_BINS 256u

/**
 * struct fz_shown_bandwidth - for views; NAN = nothing was simulated
 * @mean_bps: bytes on the bus a second, over all nodes
 * @peak_bps: of the bin with the most
 * @peak_bin_ns: width of the bins that the peak is of
 * @bin_ns: width of those of @bytes, but for the last
 * @bytes: [nr], joined until they are few enough
 * @nr: at most FZ_SHOWN_BINS
 */
struct fz_shown_bandwidth {
	double mean_bps;
	double peak_bps;
	uint64_t peak_bin_ns;
	uint64_t bin_ns;
	double bytes[FZ_SHOWN_BINS];
	size_t nr;
};

/* Of a result with bins. */
void fz_simulated_bandwidth(const struct fz_sim_result *result,
			    struct fz_shown_bandwidth *shown);

#endif
