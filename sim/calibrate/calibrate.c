// SPDX-License-Identifier: GPL-2.0-or-later
/* All parts of a calibration, one after the other. */
#include <fz/calibrate.h>

#include <assert.h>
#include <errno.h>
#include <math.h>

#include <fz/topology_cache.h>

#include "calibration.h"

#define MAX_EXTENT_BYTES ((uint64_t)1 << 30)

/* What dirtying and clearing reach at least, on any machine that has huge
 * pages; a round clears twice the longest extent, after dirtying as much. */
#define SLOW_BPS    4e9
#define ROUND_BYTES 4.0

uint64_t fz_calibrate_extent(uint64_t budget_ns, size_t nr_clears,
			     uint64_t max_bytes)
{
	uint64_t bytes = MAX_EXTENT_BYTES;
	const double most =
		CALIBRATION_ROUNDS_PART * (double)budget_ns * 1e-9 * SLOW_BPS /
		(ROUND_BYTES * CALIBRATION_MIN_ROUNDS * (double)nr_clears);

	while (bytes > SHAPE_FOLIO_BYTES &&
	       (bytes > max_bytes || (double)bytes > most))
		bytes /= 2;
	return bytes;
}

static void set_cores(struct calibration *c)
{
	const struct fz_topology *topology = &c->params->machine->topology;
	struct fz_profile *profile = &c->out->profile;

	profile->nr_cores = topology->nr_cores;
	if (topology->nr_cores)
		profile->smt = topology->nr_cpus / topology->nr_cores;
	if (topology->nr_nodes && topology->nr_cores % topology->nr_nodes == 0)
		profile->nr_nodes = topology->nr_nodes;
	if (!profile->nr_cores || !profile->smt)
		calibration_unknown(c, "nr_cores", "hwloc does not tell it");
	if (!profile->nr_nodes)
		calibration_unknown(c, "nr_nodes",
				    "%u cores cannot share %u nodes evenly",
				    topology->nr_cores, topology->nr_nodes);
}

static void set_cache(struct calibration *c)
{
	const struct fz_topology *topology = &c->params->machine->topology;
	struct fz_cache_spec spec;
	struct fz_err err;

	if (fz_topology_cache_spec(topology, &spec, &err) ||
	    fz_cache_geometry_check(&spec.geometry, &err)) {
		calibration_unknown(c, "cache", "%.200s", err.msg);
		return;
	}
	c->out->profile.cache = spec.geometry;
	calibration_note(c, "cache",
			 "sizes are what the CPU says, in a guest maybe the "
			 "host's; how levels relate is not measured: plain");
	calibration_unknown(c, "prefetcher", "it cannot be seen from here");
}

void calibrate_topology(struct calibration *c)
{
	set_cores(c);
	set_cache(c);
}

typedef int (*part_fn)(struct calibration *c);

/* The last but one may lose the buffer. */
static const part_fn parts[] = { calibrate_elision,    calibrate_interrupts,
				 calibrate_scheduling, calibrate_latency,
				 calibrate_fault,      calibrate_memory };

static int run_parts(struct calibration *c, struct fz_err *err)
{
	int code = calibrate_clears(c, err);

	if (code)
		return code;
	calibrate_topology(c);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		code = parts[i](c);
		if (code)
			return fz_err_set(err, code,
					  code == -EINTR ? FZ_STOPPED
							 : "out of memory");
	}
	calibrate_checks(c);
	return 0;
}

int fz_calibrate(struct fz_calibration *out, struct fz_bench *bench,
		 const struct fz_calibrate_params *params, struct fz_err *err)
{
	const struct fz_hooks *hooks = bench->hooks;
	struct calibration c;
	int code;

	assert(params->nr_clears > 0 &&
	       params->nr_clears <= FZ_PROFILE_MAX_CLEARS);
	*out = (struct fz_calibration){
		.profile = { .cycle_ns = NAN, .clock_ns = NAN },
	};
	code = calibration_open(&c, out, bench, params);
	if (code)
		fz_err_set(err, code, "no memory for the times");
	else
		code = run_parts(&c, err);
	out->elapsed_ns = hooks->now_ns(hooks->state) - c.begin_ns;
	calibration_close(&c);
	return code;
}
