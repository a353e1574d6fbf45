// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters as a kernel would give them, or refuse them. */
#include "fake_perf.h"

#include <errno.h>
#include <linux/perf_event.h>

static bool is_pmu(const struct fz_perf_config *config)
{
	return config->type != PERF_TYPE_SOFTWARE;
}

static size_t members(const struct fake_perf *perf, int leader)
{
	size_t nr = 0;

	for (int i = 0; i < perf->nr; i++)
		nr += perf->counters[i].open &&
		      perf->counters[i].leader == leader;
	return nr;
}

static int refusal(const struct fake_perf *perf,
		   const struct fz_perf_config *config, int leader)
{
	if (perf->deny_all)
		return perf->deny_all;
	if (perf->deny_kernel && !config->exclude_kernel)
		return perf->deny_kernel;
	if (perf->no_pmu && is_pmu(config))
		return perf->no_pmu;
	if (leader >= 0 && is_pmu(config) &&
	    members(perf, leader) >= perf->room)
		return perf->join_code;
	if (perf->fail_from && perf->nr_opens >= perf->fail_from)
		return perf->fail_code;
	return 0;
}

static int fake_open(void *state, const struct fz_perf_config *config,
		     int leader)
{
	struct fake_perf *perf = state;
	int code;

	perf->nr_opens++;
	code = refusal(perf, config, leader);
	if (code)
		return code;
	/* A late member begins when the thread is scheduled anew. */
	if (leader >= 0 && perf->counters[leader].enabled)
		perf->nr_misuses++;
	perf->counters[perf->nr] = (struct fake_counter){
		.open = true,
		.leader = leader < 0 ? perf->nr : leader,
		.config = *config,
	};
	return perf->nr++;
}

static bool leads(const struct fake_perf *perf, int counter)
{
	return counter >= 0 && counter < perf->nr &&
	       perf->counters[counter].open &&
	       perf->counters[counter].leader == counter;
}

static int fake_enable(void *state, int leader)
{
	struct fake_perf *perf = state;

	perf->nr_misuses += !leads(perf, leader);
	if (!perf->enable_code)
		perf->counters[leader].enabled = true;
	return perf->enable_code;
}

uint64_t fake_perf_rate(const struct fz_perf_config *config)
{
	return 1000 * (config->type + 1) + config->config;
}

/* Time that a group had on the CPU. */
static uint64_t running_ns(const struct fake_perf *perf, int leader)
{
	if (!perf->counters[leader].enabled)
		return 0;
	if (!is_pmu(&perf->counters[leader].config))
		return perf->now_ns;
	if (members(perf, leader) > perf->runs)
		return 0;
	return perf->now_ns * perf->running_pct / 100;
}

static ssize_t fake_read(void *state, int leader, uint64_t *words, size_t nr)
{
	struct fake_perf *perf = state;
	size_t used = 3;

	perf->nr_reads++;
	perf->now_ns += 100;
	perf->nr_misuses += !leads(perf, leader);
	if (nr < 3 + members(perf, leader))
		return -ENOSPC;
	words[0] = members(perf, leader);
	words[1] = perf->now_ns;
	words[2] = running_ns(perf, leader);
	for (int i = 0; i < perf->nr; i++)
		if (perf->counters[i].open &&
		    perf->counters[i].leader == leader)
			words[used++] =
				words[2] / 100 *
				fake_perf_rate(&perf->counters[i].config);
	if (perf->short_reads) {
		perf->short_reads--;
		return 8;
	}
	return (ssize_t)(used * sizeof(*words));
}

static void fake_close(void *state, int counter)
{
	struct fake_perf *perf = state;

	if (counter < 0 || counter >= perf->nr ||
	    !perf->counters[counter].open ||
	    (leads(perf, counter) && members(perf, counter) > 1))
		perf->nr_misuses++;
	else
		perf->counters[counter].open = false;
}

void fake_perf_init(struct fake_perf *perf)
{
	*perf = (struct fake_perf){
		.hooks = fz_hooks_default,
		.join_code = -EINVAL,
		.room = FZ_MAX_COUNTERS,
		.runs = FZ_MAX_COUNTERS,
		.running_pct = 100,
	};
	perf->hooks.state = perf;
	perf->hooks.perf_open = fake_open;
	perf->hooks.perf_enable = fake_enable;
	perf->hooks.perf_read = fake_read;
	perf->hooks.perf_close = fake_close;
}

size_t fake_perf_open(const struct fake_perf *perf)
{
	size_t nr = 0;

	for (int i = 0; i < perf->nr; i++)
		nr += perf->counters[i].open;
	return nr;
}

size_t fake_perf_groups(const struct fake_perf *perf,
			enum fz_perf_source source)
{
	size_t nr = 0;

	for (int i = 0; i < perf->nr; i++)
		nr += leads(perf, i) && is_pmu(&perf->counters[i].config) ==
						(source == FZ_PERF_PMU);
	return nr;
}
