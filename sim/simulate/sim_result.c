// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums up a simulation. */
#include "sim_result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim_segment.h"

#define FIRST_ROOM 64u

void fz_sim_result_init(struct fz_sim_result *result)
{
	memset(result, 0, sizeof(*result));
	for (int class = 0; class < FZ_NR_SIM_CLASSES; class ++)
		fz_histogram_init(&result->wake_ns[class]);
	fz_histogram_init(&result->fault_ns);
}

void fz_sim_result_fini(struct fz_sim_result *result)
{
	free(result->bandwidth);
	result->bandwidth = NULL;
	result->nr_bandwidth = 0;
}

/* Two become one. Their number is even, so that the next one begins where a
 * wider one does. */
static void join_bins(struct fz_sim_result *result)
{
	const double *bins = result->bandwidth;

	result->nr_bandwidth /= 2;
	for (size_t i = 0; i < result->nr_bandwidth; i++)
		result->bandwidth[i] = bins[2 * i] + bins[2 * i + 1];
	result->bandwidth_bin_ns *= 2;
}

static int make_room(struct fz_sim *sim)
{
	const size_t max = sim->max_bins ? 2 * sim->max_bins : FIRST_ROOM;
	double *bins;

	if (sim->result->nr_bandwidth < sim->max_bins)
		return 0;
	bins = reallocarray(sim->result->bandwidth, max, sizeof(*bins));
	if (!bins)
		return -ENOMEM;
	sim->result->bandwidth = bins;
	sim->max_bins = max;
	return 0;
}

void fz_sim_result_bin(struct fz_sim *sim)
{
	const double bytes = fz_bus_bytes(&sim->bus, sim->now_ns);

	sim->rc = make_room(sim);
	if (sim->rc)
		return;
	sim->result->bandwidth[sim->result->nr_bandwidth++] =
		bytes - sim->bin_bytes;
	sim->bin_bytes = bytes;
	if (sim->result->nr_bandwidth == FZ_SIM_MAX_BINS)
		join_bins(sim->result);
}

static void add_up_times(struct fz_sim *sim)
{
	const uint64_t *ns = sim->doing_ns;
	struct fz_sim_result *result = sim->result;

	for (uint32_t i = 0; i < sim->params->nr_cpus; i++)
		fz_sim_settle(sim, &sim->cpus[i]);
	result->wall_ns = sim->now_ns;
	result->stime_ns = ns[FZ_SIM_SPAN_ENTRY] + ns[FZ_SIM_SPAN_ZERO];
	result->utime_ns = ns[FZ_SIM_SPAN_ACCESS] + ns[FZ_SIM_SPAN_COMPUTE];
	result->switch_ns = ns[FZ_SIM_SPAN_SWITCH];
	result->idle_ns = ns[FZ_SIM_IDLE];
}

void fz_sim_result_end(struct fz_sim *sim)
{
	const uint64_t bin_ns = sim->result->bandwidth_bin_ns;

	add_up_times(sim);
	/* The event of a full bin may be later in the queue than the end. */
	if (bin_ns && sim->result->nr_bandwidth * bin_ns < sim->now_ns)
		fz_sim_result_bin(sim);
	sim->result->bus_bytes = fz_bus_bytes(&sim->bus, sim->now_ns);
	sim->result->events = sim->events;
	sim->result->unfinished = sim->awaited;
}
