/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the profile of the machine that this runs on. */
#ifndef FZ_CALIBRATE_H
#define FZ_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/clear.h>
#include <fz/err.h>
#include <fz/least_squares.h>
#include <fz/machine.h>
#include <fz/profile.h>
#include <fz/round.h>

/**
 * DOC: calibrating
 *
 * A profile's price of a plan is a sum: so many calls in each relation, so many
 * bytes, and the folio itself. So plans of different make-up are timed on cold
 * memory, and least squares tell the prices apart. Plans that the prices were
 * not fitted to are timed in the same rounds, and priced afterwards: that is
 * the check.
 *
 * A round times each plan with each primitive, in a new random order. All of
 * it lies on memory that was dirtied in one sweep and not touched since.
 *
 * What a number was got from, and why one is not known, stands in a note.
 */

/* Plans in a round, of which some are for the fit and some for the check. */
#define FZ_CALIBRATE_MAX_SHAPES 32

#define FZ_CALIBRATE_MAX_NOTES 64

/* The terms of a fit: enum fz_relation, then ns for a byte, and for a folio. */
#define FZ_TERM_BYTES    FZ_NR_RELATIONS
#define FZ_TERM_FOLIO    (FZ_NR_RELATIONS + 1)
#define FZ_NR_CALL_TERMS (FZ_NR_RELATIONS + 2)

/**
 * struct fz_calibrate_params - what to measure, and on what
 * @clears: [@nr_clears], each runs here; the first one that does not stream
 *	will price cached steps
 * @nr_clears: 1 to FZ_PROFILE_MAX_CLEARS
 * @buffer: memory to zero; what it holds is lost, and should a fault find no
 *	page it is lost itself
 * @max_extent_bytes: longest call, at most the buffer, a multiple of 2M
 * @machine: facts that are not measured
 * @cpus: [@nr_cpus], for what all cores do together; the first one is the
 *	calling thread's
 * @nr_cpus: at least 1
 * @budget_ns: how long it may take, about; the least number of rounds is done
 *	in any case
 * @progress: told now and then how much of the time is gone; NULL = nobody
 * @progress_state: handed to @progress
 */
struct fz_calibrate_params {
	const struct fz_clear *const *clears;
	size_t nr_clears;
	struct fz_buffer *buffer;
	uint64_t max_extent_bytes;
	const struct fz_machine *machine;
	const unsigned int *cpus;
	unsigned int nr_cpus;
	uint64_t budget_ns;
	void (*progress)(void *state, uint64_t done_ns, uint64_t total_ns,
			 const char *what);
	void *progress_state;
};

/**
 * enum fz_elision - what long calls do
 * @FZ_ELISION_NONE: cost what short ones promise
 * @FZ_ELISION_ALWAYS: all are faster, from the threshold on
 * @FZ_ELISION_SOMETIMES: some are faster and some are not: two humps
 */
enum fz_elision {
	FZ_ELISION_NONE,
	FZ_ELISION_ALWAYS,
	FZ_ELISION_SOMETIMES,
};

#define FZ_CALIBRATE_INTERRUPTS 3

/**
 * struct fz_interrupted_share - fast calls while a timer interrupts
 * @interval_ns: mean time between interrupts
 * @share: of calls that reach the threshold; NAN = not measured
 */
struct fz_interrupted_share {
	uint64_t interval_ns;
	double share;
};

/**
 * struct fz_calibrated_clear - how sure the numbers of a primitive are
 * @fit: terms as above, of calls below the threshold
 * @nr_fitted: plans that it was fitted to
 * @rounds: times that each was measured
 * @longest_bytes: longest call that was timed, on a CPU without other tasks
 * @elision: what long calls do
 * @slow_bytes: longest call that was not fast, if others are; the threshold is
 *	between it and threshold_bytes
 * @nr_long: calls that reach the threshold and were timed
 * @share_ci95: of elided_share
 * @line: of fast calls: a call (with its ramp), ns for a byte behind the ramp
 * @interrupted: shares under interrupts
 * @interrupted_ci95: of interrupted_ns; [NAN, NAN] = not measured
 */
struct fz_calibrated_clear {
	struct fz_least_squares fit;
	size_t nr_fitted;
	size_t rounds;
	uint64_t longest_bytes;
	enum fz_elision elision;
	uint64_t slow_bytes;
	size_t nr_long;
	struct fz_interval share_ci95;
	struct fz_least_squares line;
	struct fz_interrupted_share interrupted[FZ_CALIBRATE_INTERRUPTS];
	struct fz_interval interrupted_ci95;
};

/**
 * struct fz_calibration_check - a plan that nothing was fitted to
 * @clear: index of the primitive
 * @what: the plan, for people
 * @predicted_ns: its price
 * @measured_ns: median
 */
struct fz_calibration_check {
	size_t clear;
	char what[48];
	double predicted_ns;
	double measured_ns;
};

/**
 * struct fz_calibration_note - where a number is from, or why there is none
 * @member: of the profile
 * @unknown: there is none
 * @text: one sentence
 */
struct fz_calibration_note {
	char member[32];
	bool unknown;
	char text[256];
};

/**
 * struct fz_calibration - a profile, and how sure it is
 * @profile: name and CPU are not filled in
 * @clears: [profile.nr_clears]
 * @checks: [@nr_checks]
 * @nr_checks: how many
 * @notes: [@nr_notes]
 * @nr_notes: how many
 * @elapsed_ns: what it took
 */
struct fz_calibration {
	struct fz_profile profile;
	struct fz_calibrated_clear clears[FZ_PROFILE_MAX_CLEARS];
	struct fz_calibration_check
		checks[FZ_PROFILE_MAX_CLEARS * FZ_CALIBRATE_MAX_SHAPES];
	size_t nr_checks;
	struct fz_calibration_note notes[FZ_CALIBRATE_MAX_NOTES];
	size_t nr_notes;
	uint64_t elapsed_ns;
};

/**
 * fz_calibrate_extent() - the longest call that time and memory allow
 * @budget_ns: as in the parameters
 * @nr_clears: as there
 * @max_bytes: no longer than this
 *
 * Return: a power of two, 2M to 1G; 2M also if @max_bytes is less.
 */
uint64_t fz_calibrate_extent(uint64_t budget_ns, size_t nr_clears,
			     uint64_t max_bytes);

/**
 * fz_calibrate() - measure it all
 * @out: written
 * @bench: hooks, clock, seed and stop flag; opened for folios of the buffer's
 *	page size, at least 2M
 * @params: see there
 * @err: message on failure
 *
 * What cannot be measured is unknown, with a note, and no failure.
 *
 * Return: 0; -EINTR if a signal stopped it; -ENOMEM.
 */
int fz_calibrate(struct fz_calibration *out, struct fz_bench *bench,
		 const struct fz_calibrate_params *params, struct fz_err *err);

/**
 * fz_calibration_error() - how far a price is from what was measured
 * @check: the check
 *
 * Return: relative error; more than 0 if the plan took less than predicted;
 * NAN without a price.
 */
double fz_calibration_error(const struct fz_calibration_check *check);

#endif
