// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole ns a page, so that times can be worked out by hand. */
#include "made_machine.h"

#include <fz/policies.h>

struct fz_profile made_machine(void)
{
	return (struct fz_profile){
		.name = "made",
		.hz = 250,
		.nr_cores = 1,
		.smt = 1,
		.nr_nodes = 1,
		.memory = { .bps = 1e15,
			    .read_bps = 8.192e9,
			    .read_cost = 1,
			    .allocate_cost = 2,
			    .stream_cost = 1 },
		.nr_clears = 2,
		.clears = { { .name = "stosb",
			      .bps = 16e9,
			      .threshold_bytes = 1 << 20,
			      .ramp_bytes = 1 << 18,
			      .elided_bps = 64e9,
			      .elided_share = 1 },
			    { .name = "movnti",
			      .streaming = true,
			      .bps = 32e9 } },
	};
}

struct fz_sim_params made_params(const struct fz_profile *machine)
{
	return (struct fz_sim_params){
		.profile = machine,
		.nr_cpus = 1,
		.policy = fz_policy_find("discontiguous-page"),
		.clear = &machine->clears[0],
		.stream = &machine->clears[1],
		.preempt = FZ_PREEMPT_NONE,
		.context = fz_context_find("user-fault"),
		.radius_pages = 2,
		.slice_ns = 3000000,
		.wins = 1,
		.until_ns = UINT64_MAX,
		.seed = 1,
	};
}
