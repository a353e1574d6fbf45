/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded faults replayed: which folios would have been zeroed. */
#ifndef FZ_REPLAY_H
#define FZ_REPLAY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/fault_source.h>
#include <fz/population.h>

/**
 * DOC: replay
 *
 * Each record of a fault has a class. Only zero-fill faults are replayed, and
 * with assume_anon those of class unknown: for each folio size they either make
 * a folio, which is handed to the sinks, or are saved by one that is there.
 * Writes to pages that are there copy, and are left out, as are reads, which
 * the zero page serves. A mapping that the recording tells of settles what it
 * maps. exec and exit leave a process without pages.
 */

/**
 * struct fz_replay_params - how to read the recording
 * @choices: [nr_choices]
 * @nr_choices: folio sizes, 1 to FZ_MAX_FOLIO_CHOICES
 * @unit_bytes: see fz_population_open()
 * @assume_anon: faults of class unknown zeroed
 * @stop: set by a signal handler; NULL = never
 */
struct fz_replay_params {
	const struct fz_folio_choice *choices;
	size_t nr_choices;
	uint64_t unit_bytes;
	bool assume_anon;
	const atomic_int *stop;
};

/**
 * struct fz_replay_size - what faults came to with one choice of folio size
 * @faults: folios made: faults taken
 * @saved: faults in a folio that was there
 * @repeats: repetitions that nothing explains; neither taken nor saved
 * @freed: of @faults: their page had been freed
 * @unmapped: of @faults: single pages for want of a known mapping
 * @bytes: of the folios made
 */
struct fz_replay_size {
	uint64_t faults;
	uint64_t saved;
	uint64_t repeats;
	uint64_t freed;
	uint64_t unmapped;
	uint64_t bytes;
};

/**
 * struct fz_replay_tally - what was in the recording
 * @records: all of them
 * @faults: records of faults with an address; the sum of @classes
 * @classes: by class
 * @no_address: records of faults without one
 * @replayed: faults that were replayed
 * @execs: processes that began anew
 * @exits: processes that ended
 * @mappings: mappings told
 * @mappings_not_kept: mappings that there was no room for, those of forked
 *	processes included: faults in them are of no backing that is known
 * @lost: events lost while recording; UINT64_MAX = at least so many
 * @first_ns: time of the first fault, UINT64_MAX = none had one
 * @last_ns: the latest time of a fault
 * @regions: 2 MiB regions touched at the same time, at most
 * @bytes: memory of the populations, at most
 * @sizes: [nr_choices]
 */
struct fz_replay_tally {
	uint64_t records;
	uint64_t faults;
	uint64_t classes[FZ_NR_CLASSES];
	uint64_t no_address;
	uint64_t replayed;
	uint64_t execs;
	uint64_t exits;
	uint64_t mappings;
	uint64_t mappings_not_kept;
	uint64_t lost;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t regions;
	uint64_t bytes;
	struct fz_replay_size sizes[FZ_MAX_FOLIO_CHOICES];
};

/**
 * struct fz_folio_fault - a folio to zero
 * @choice: index of the choice that made it
 * @order: its pages, log2
 * @page: the faulting page in it
 * @pid: of the process, or of the thread where only that is known
 * @time_ns: of the record; 0 where it has none
 */
struct fz_folio_fault {
	size_t choice;
	unsigned int order;
	uint64_t page;
	uint32_t pid;
	uint64_t time_ns;
};

/**
 * struct fz_folio_sink - who zeroes folios, or counts them
 * @state: handed to @fault
 * @fault: a folio; 0, or a negative errno with a message, which ends the replay
 */
struct fz_folio_sink {
	void *state;
	int (*fault)(void *state, const struct fz_folio_fault *fault,
		     struct fz_err *err);
};

/**
 * fz_replay_run() - replay a recording to its end
 * @source: the recording, in order of time
 * @params: how
 * @sinks: [@nr_sinks] each gets every folio
 * @nr_sinks: their number
 * @tally: written, also on failure
 * @err: message on failure
 *
 * Return: 0; -EINTR if stop was set; -ENOMEM; what source or sink gave.
 */
int fz_replay_run(struct fz_fault_source source,
		  const struct fz_replay_params *params,
		  const struct fz_folio_sink *sinks, size_t nr_sinks,
		  struct fz_replay_tally *tally, struct fz_err *err);

/**
 * fz_replay_not_faulted() - zeroed, but not faulted in the recording
 * @size: what faults came to
 * @unit_bytes: what each recorded fault made
 * @bytes: written if it can be known
 *
 * Return: false if faults made more than a page: what of it was used is not in
 * the recording.
 */
bool fz_replay_not_faulted(const struct fz_replay_size *size,
			   uint64_t unit_bytes, uint64_t *bytes);

#endif
