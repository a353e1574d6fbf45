/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters as a kernel would give them, or refuse them. */
#ifndef FAKE_PERF_H
#define FAKE_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/counters.h>
#include <fz/hooks.h>

#define FAKE_MAX_COUNTERS 128

/**
 * struct fake_counter - one that was opened
 * @open: and not closed yet
 * @leader: of its group; itself if it leads
 * @enabled: it counts
 * @config: what it counts
 */
struct fake_counter {
	bool open;
	int leader;
	bool enabled;
	struct fz_perf_config config;
};

/**
 * struct fake_perf - the kernel
 * @hooks: hand these out
 * @no_pmu: what opening a counter of the PMU gives; 0 = it works
 * @deny_kernel: what counting the kernel's part gives; 0 = it works
 * @deny_all: what opening any counter gives; 0 = it works
 * @fail_from: from this open on, counted from 1, opening gives @fail_code
 * @fail_code: see there
 * @join_code: what joining a full group gives
 * @room: counters of the PMU that may be in a group
 * @runs: of these that can run: a larger group never does
 * @enable_code: what enabling gives
 * @running_pct: of the time, of the PMU's groups
 * @short_reads: so many reads from now on give less than was asked for
 * @now_ns: time; each read lets 100 ns pass
 * @counters: [nr]
 * @nr: opened so far
 * @nr_opens: tries
 * @nr_reads: reads
 * @nr_misuses: calls that a kernel would not take from careful code
 */
struct fake_perf {
	struct fz_hooks hooks;
	int no_pmu;
	int deny_kernel;
	int deny_all;
	unsigned int fail_from;
	int fail_code;
	int join_code;
	size_t room;
	size_t runs;
	int enable_code;
	uint64_t running_pct;
	unsigned int short_reads;
	uint64_t now_ns;
	struct fake_counter counters[FAKE_MAX_COUNTERS];
	int nr;
	unsigned int nr_opens;
	unsigned int nr_reads;
	unsigned int nr_misuses;
};

/* Everything works. In the caller's memory; must stay where it is. */
void fake_perf_init(struct fake_perf *perf);

/* A counter counts so much in 100 ns. */
uint64_t fake_perf_rate(const struct fz_perf_config *config);

/* Counters that are open; groups among them of a source. */
size_t fake_perf_open(const struct fake_perf *perf);
size_t fake_perf_groups(const struct fake_perf *perf,
			enum fz_perf_source source);

#endif
