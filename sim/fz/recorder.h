/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a measuring thread puts its clock readings. */
#ifndef FZ_RECORDER_H
#define FZ_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/arena.h>
#include <fz/clock.h>
#include <fz/histogram.h>

/**
 * DOC: recording
 *
 * Recording a resched point is one raw 8-byte store of a clock reading into a
 * pre-faulted array; histograms are built from it after the timed part. For
 * each folio the array holds the ends of its stretches: marks[0] is the plan's
 * start, marks[i] the end of stretch i. A stretch in which no byte was cleared
 * is not kept: its mark is overwritten by the next.
 */

/**
 * struct fz_use_ticks - time to use a folio after it was zeroed
 * @line: one load at the faulting address
 * @near: one load a line over the pages around it
 * @folio: one load a line over the whole folio
 *
 * Each includes those before it; 0 = not measured.
 */
struct fz_use_ticks {
	uint64_t line;
	uint64_t near;
	uint64_t folio;
};

/**
 * struct fz_folio_record - what is kept of one folio
 * @begin: clock before zeroing
 * @end: clock after zeroing
 * @use: use after the fault
 * @nr_marks: marks of this folio, the start included; 0 = none recorded
 */
struct fz_folio_record {
	uint64_t begin;
	uint64_t end;
	struct fz_use_ticks use;
	size_t nr_marks;
};

/**
 * struct fz_recorder - records of the folios since the last drain
 * @marks: [max_marks], of all folios one after the other
 * @nr_marks: marks used
 * @max_marks: size of @marks
 * @folios: [max_folios]
 * @nr_folios: folios recorded
 * @max_folios: size of @folios
 */
struct fz_recorder {
	uint64_t *marks;
	size_t nr_marks;
	size_t max_marks;
	struct fz_folio_record *folios;
	size_t nr_folios;
	size_t max_folios;
};

/**
 * struct fz_samples - what drained records add up to
 * @fault_ns: one value a folio
 * @stretch_ns: one value a stretch between acting resched points
 * @line_ns: use of one line after the fault
 * @near_ns: use of the near pages
 * @folio_ns: use of the whole folio
 * @wakeup_ns: how late those came who were woken while folios were zeroed
 * @wakes_dropped: wake-ups that were missed, see struct fz_wakes
 */
struct fz_samples {
	struct fz_histogram fault_ns;
	struct fz_histogram stretch_ns;
	struct fz_histogram line_ns;
	struct fz_histogram near_ns;
	struct fz_histogram folio_ns;
	struct fz_histogram wakeup_ns;
	uint64_t wakes_dropped;
};

/**
 * fz_recorder_init() - take the arrays from an arena
 * @recorder: written on success
 * @arena: must outlive the recorder
 * @max_marks: marks between two drains
 * @max_folios: folios between two drains
 *
 * Return: 0 or -ENOMEM.
 */
int fz_recorder_init(struct fz_recorder *recorder, struct fz_arena *arena,
		     size_t max_marks, size_t max_folios);

/**
 * fz_recorder_has_room() - can one more folio be recorded?
 * @recorder: the recorder
 * @nr_marks: marks the folio may need
 *
 * Return: false if it must be drained first.
 */
bool fz_recorder_has_room(const struct fz_recorder *recorder, size_t nr_marks);

/**
 * fz_recorder_drain() - turn the records into samples and forget them
 * @recorder: the recorder
 * @clock: rate of the ticks
 * @samples: added to; NULL throws the records away (a warm-up round)
 *
 * Return: sum of end - begin over the drained folios, in ticks.
 */
uint64_t fz_recorder_drain(struct fz_recorder *recorder,
			   const struct fz_clock *clock,
			   struct fz_samples *samples);

/**
 * fz_samples_init() - no samples yet
 * @samples: the samples
 */
void fz_samples_init(struct fz_samples *samples);

/**
 * fz_samples_merge() - add samples to others
 * @dst: added to
 * @src: the others
 */
void fz_samples_merge(struct fz_samples *dst, const struct fz_samples *src);

#endif
