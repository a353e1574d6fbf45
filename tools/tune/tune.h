/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves of bandwidth and stretches against the batch size. */
#ifndef FZ_TUNE_H
#define FZ_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fz/err.h>
#include <fz/figures.h>
#include <fz/machine.h>
#include <fz/profile.h>
#include <fz/tuning.h>

#include "tune_options.h"

/* Powers of two up to the largest folio, or those given; and sharper ones. */
#define FZ_TUNE_MAX_SAMPLES (FZ_LIST_MAX + 16)

/**
 * struct fz_tune_sample - what a batch size came to
 * @batch_bytes: the size
 * @bps: bytes a second; measured: median of the rounds
 * @bps_ci95: its interval; NAN where it is predicted, or of one round
 * @share: of the whole folio in one batch, paired by round
 * @share_ci95: its interval
 * @stretch_ns: 99 % of the stretches are no longer; predicted: the longest
 * @longest_ns: the longest stretch
 * @rounds: measured; 0 = predicted
 */
struct fz_tune_sample {
	uint64_t batch_bytes;
	double bps;
	struct fz_interval bps_ci95;
	double share;
	struct fz_interval share_ci95;
	double stretch_ns;
	double longest_ns;
	size_t rounds;
};

/**
 * struct fz_tune_curve - of one clear primitive
 * @clear: its name
 * @primitive: what measures it; NULL where it is predicted
 * @reason: why there is no curve; "" = there is one
 * @samples: [nr] by batch size
 * @nr: how many
 * @edge_from_bytes: smallest batch at the edge, see fz_tune_at_edge(); 0 = none
 * @edge_to_bytes: largest
 * @answer: by @stretch_ns
 * @answer_longest: by @longest_ns
 * @warnings: [nr_warnings] what spoils it, one of a kind
 * @nr_warnings: how many
 */
struct fz_tune_curve {
	const char *clear;
	const struct fz_clear *primitive;
	char reason[FZ_ERR_MSG_BYTES];
	struct fz_tune_sample samples[FZ_TUNE_MAX_SAMPLES];
	size_t nr;
	uint64_t edge_from_bytes;
	uint64_t edge_to_bytes;
	struct fz_tuning_answer answer;
	struct fz_tuning_answer answer_longest;
	char warnings[FZ_MAX_WARNINGS][FZ_WARNING_BYTES];
	size_t nr_warnings;
};

/**
 * struct fz_tune - everything that a view may print
 * @partial: a signal ended the run early
 * @command: the command line, shell-quoted
 * @options: what was asked
 * @machine: where it was measured
 * @profile: what it was predicted by; NULL = it was measured
 * @page: pages of the buffer, where it was measured
 * @size_bytes: of the buffer, where it was measured
 * @folio_bytes: the folio
 * @curves: [nr_curves]
 * @nr_curves: their number
 */
struct fz_tune {
	bool partial;
	const char *command;
	const struct fz_tune_options *options;
	const struct fz_machine *machine;
	const struct fz_profile *profile;
	struct fz_page_size page;
	uint64_t size_bytes;
	uint64_t folio_bytes;
	struct fz_tune_curve curves[FZ_LIST_MAX];
	size_t nr_curves;
};

/**
 * struct fz_tune_ask - a batch size to sample
 * @curve: of which curve
 * @batch_bytes: the size
 */
struct fz_tune_ask {
	struct fz_tune_curve *curve;
	uint64_t batch_bytes;
};

#define FZ_TUNE_MAX_ASKS (FZ_LIST_MAX * FZ_LIST_MAX)

/**
 * struct fz_tune_source - what samples come from
 * @state: handed to @sample
 * @sample: add the samples asked for; -EINTR, with some of them, after a
 *	signal. A curve that cannot be has its reason afterwards
 */
struct fz_tune_source {
	void *state;
	int (*sample)(void *state, struct fz_tune *tune,
		      const struct fz_tune_ask *asks, size_t nr_asks,
		      struct fz_err *err);
};

/* Add a sample where it belongs; one of a size that is there is left out. */
void fz_tune_add(struct fz_tune_curve *curve,
		 const struct fz_tune_sample *sample);

/* Is the wanted share inside the interval, so that nobody knows whether the
 * batch reaches it? Never where nothing was measured, or once. */
bool fz_tune_at_edge(const struct fz_tune_sample *sample,
		     struct fz_tuning_wish wish);

/* Sample the curves, then around their answers. Return: 0 or -errno. */
int fz_tune_run(struct fz_tune *tune, struct fz_tune_source source,
		struct fz_err *err);

/* Are both wishes fulfilled, in one sentence, which also says what is at the
 * edge; into [cap]. */
void fz_tune_sentence(char *buf, size_t cap, const struct fz_tune *tune,
		      const struct fz_tune_curve *curve);

/* A view writes it; 0 or -errno when writing failed. */
int fz_tune_text(FILE *out, const struct fz_tune *tune);
int fz_tune_json(FILE *out, const struct fz_tune *tune);

#endif
