/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a bench run or a replay, and the views of a bench run. */
#ifndef FZ_RESULT_H
#define FZ_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fz/counters.h>
#include <fz/figures.h>
#include <fz/machine.h>
#include <fz/profile.h>
#include <fz/row.h>
#include <fz/verdict.h>

struct fz_policy_list;
struct fz_probe;
struct fz_replay_report;

/**
 * struct fz_result - everything that a view may print
 * @partial: a signal ended the run early
 * @command: the command line, shell-quoted
 * @seed: random seed
 * @machine: facts about the machine
 * @rows: [nr_rows]; row i has the id "r<i+1>"
 * @figures: [nr_rows]
 * @nr_rows: their number
 * @point_cost_ns: one acting resched point; NAN if not measured
 * @verdicts: [nr_verdicts]
 * @nr_verdicts: their number
 * @counters: what was counted; NULL = nothing
 * @histograms: the text view draws the stretches of each row
 * @probe: what was found by timing loads; NULL = nobody looked
 * @replay: what was replayed; NULL for a bench run
 * @profile: the machine that rows of engine model are priced for; NULL = there
 *	are none
 * @policies: what was asked for, to name the files of those that have one; NULL
 *	= all are built in
 */
struct fz_result {
	bool partial;
	const char *command;
	uint64_t seed;
	const struct fz_machine *machine;
	const struct fz_row *rows;
	const struct fz_figures *figures;
	size_t nr_rows;
	double point_cost_ns;
	const struct fz_verdict *verdicts;
	size_t nr_verdicts;
	const struct fz_counter_list *counters;
	bool histograms;
	const struct fz_probe *probe;
	const struct fz_replay_report *replay;
	const struct fz_profile *profile;
	const struct fz_policy_list *policies;
};

/* A view writes the result; 0 or -errno when writing failed. */
int fz_result_text(FILE *out, const struct fz_result *result);
int fz_result_json(FILE *out, const struct fz_result *result);
int fz_result_csv(FILE *out, const struct fz_result *result);
int fz_result_commit(FILE *out, const struct fz_result *result);

#endif
