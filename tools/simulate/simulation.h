/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of `foliosim simulate`: what was asked, and the rows that came of it.
 */
#ifndef FZ_SIMULATION_H
#define FZ_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fz/profile_price.h>
#include <fz/replay.h>

#include "profile_set.h"
#include "replay_traces.h"
#include "shipped_profiles.h"
#include "simulate_options.h"
#include "workload.h"

/* How a row came out. */
enum fz_simulated_status {
	FZ_SIMULATED_NOT,         /* not begun; no view shows it */
	FZ_SIMULATED,             /* modelled */
	FZ_SIMULATED_PARTIAL,     /* stopped by a signal */
	FZ_SIMULATED_UNSUPPORTED, /* cannot be simulated */
};

/**
 * struct fz_simulated_row - one policy, model and batch
 * @policy: as it was asked for
 * @carried: what the kernel makes of it: see fz_policy_init_on_alloc()
 * @preempt: enum fz_preempt
 * @batch_pages: 0 = the policy's
 * @streams: it uses the streaming primitive
 * @status: enum fz_simulated_status
 * @reason: why it is not whole; "" if it is
 * @result: if it is modelled or partial; owned
 */
struct fz_simulated_row {
	const struct fz_policy *policy;
	struct fz_init_policy carried;
	enum fz_preempt preempt;
	uint64_t batch_pages;
	bool streams;
	enum fz_simulated_status status;
	char reason[FZ_ERR_MSG_BYTES];
	struct fz_sim_result result;
};

/* Width of the bins of bandwidth, where they do not become too many. */
#define FZ_SIMULATION_BIN_NS 1000000ull

/**
 * struct fz_simulation - everything of a run; zero it at the start
 * @options: what was asked
 * @command: the command line
 * @profile: the machine, with what was assumed
 * @assumed: [options.nr_sets], keys of what was assumed
 * @prices: primitives that are used
 * @workload: what is simulated
 * @traces: that it is from
 * @tally: of these
 * @rows: [nr_rows]; owned
 * @nr_rows: their number
 * @partial: a signal ended it
 */
struct fz_simulation {
	struct fz_simulate_options options;
	const char *command;
	struct fz_profile_document profile;
	char assumed[FZ_LIST_MAX][FZ_PROFILE_KEY_BYTES];
	struct fz_prices prices;
	struct fz_workload workload;
	struct fz_replay_traces traces;
	struct fz_replay_tally tally;
	struct fz_simulated_row *rows;
	size_t nr_rows;
	bool partial;
};

void fz_simulation_fini(struct fz_simulation *simulation);

/* Each returns FZ_EXIT_DONE, or an exit status after a complaint. */

/* Profile, assumed numbers, primitives. */
int fz_simulation_find_profile(struct fz_simulation *simulation);

/* Tasks: from a file, built in, or from traces; and those that wake. */
int fz_simulation_find_workload(struct fz_simulation *simulation,
				const atomic_int *stop);

/* A row for each policy, model and batch. */
int fz_simulation_make_rows(struct fz_simulation *simulation);

/* Does the profile say all that these rows need? The complaint names each key
 * that it does not. */
int fz_simulation_check_profile(const struct fz_simulation *simulation);

/* Simulate all rows, so many at the same time. */
int fz_simulation_run(struct fz_simulation *simulation, const atomic_int *stop);

/* Does the row have figures? */
bool fz_simulated_has_figures(const struct fz_simulated_row *row);

/* The batch that it has; 0 = its policy has none. */
uint64_t fz_simulated_batch_bytes(const struct fz_simulated_row *row);

/* Views; 0 or -errno. */
int fz_simulation_text(FILE *out, const struct fz_simulation *simulation);
int fz_simulation_json(FILE *out, const struct fz_simulation *simulation);
int fz_simulation_csv(FILE *out, const struct fz_simulation *simulation);

#endif
