/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that a counter can count, by the names that perf users know. */
#ifndef FZ_PERF_EVENT_H
#define FZ_PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/err.h>
#include <fz/hooks.h>

#define FZ_PERF_EVENT_BYTES 80

/**
 * enum fz_perf_source - who counts
 * @FZ_PERF_PMU: the CPU's performance monitoring unit
 * @FZ_PERF_SOFTWARE: the kernel
 */
enum fz_perf_source {
	FZ_PERF_PMU,
	FZ_PERF_SOFTWARE,
};

/**
 * struct fz_perf_event - something to count
 * @name: as it was asked for
 * @source: who counts it
 * @foreign: another CPU has it, and nobody is asked to count it here
 * @perf: what the kernel is asked
 */
struct fz_perf_event {
	char name[FZ_PERF_EVENT_BYTES];
	enum fz_perf_source source;
	bool foreign;
	struct fz_perf_config perf;
};

/**
 * fz_perf_source_name() - "pmu", "software"
 * @source: a source
 *
 * Return: its name.
 */
const char *fz_perf_source_name(enum fz_perf_source source);

/**
 * fz_perf_event_is_clock() - is it a time in ns?
 * @event: an event
 *
 * Return: true if so.
 */
bool fz_perf_event_is_clock(const struct fz_perf_event *event);

/**
 * fz_perf_event_find() - what a name means on this CPU
 * @name: generic ("cycles", "L1-dcache-loads", "page-faults"), of the vendor
 *	("EVENT:MASK" or "EVENT.MASK"), or raw ("r01c2"), each with ":u" or ":k"
 *	for user mode or the kernel alone
 * @event: written on success
 * @err: message on failure
 *
 * Names are libpfm's, and perf's for AMD's "l2_pf_hit_l2" and the like. Names
 * of other CPUs are found too, whatever their masks, so that one command does
 * for many machines. Like the functions below it is for one thread at a time.
 *
 * Return: 0, -ENOENT (no such name), -EINVAL (an event whose mask is missing,
 * or that has not that mask) or -ENOTSUP (libpfm does not run here).
 */
int fz_perf_event_find(const char *name, struct fz_perf_event *event,
		       struct fz_err *err);

/**
 * struct fz_perf_event_entry - a name that fz_perf_event_find() takes
 * @name: of a vendor's event with its mask
 * @summary: what it counts
 * @pmu: libpfm's name of the table it is from
 * @pmu_summary: the same in words
 * @generic: any CPU may have it: not from a vendor's table
 */
struct fz_perf_event_entry {
	const char *name;
	const char *summary;
	const char *pmu;
	const char *pmu_summary;
	bool generic;
};

/**
 * fz_perf_events_each() - every name once, without aliases
 * @take: called for each; false ends it
 * @arg: handed to it
 *
 * Generic ones first, then those of the vendor's tables for this CPU.
 */
void fz_perf_events_each(bool (*take)(void *arg,
				      const struct fz_perf_event_entry *entry),
			 void *arg);

#define FZ_PERF_MAX_NEAR 6

/**
 * struct fz_perf_near - names that may have been meant
 * @name: [nr], the nearest first
 * @nr: their number
 */
struct fz_perf_near {
	char name[FZ_PERF_MAX_NEAR][FZ_PERF_EVENT_BYTES];
	size_t nr;
};

/**
 * fz_perf_events_near() - names like a word that is none
 * @word: what was typed
 * @near: written
 *
 * Where the word begins with the name of an event, these are its masks.
 */
void fz_perf_events_near(const char *word, struct fz_perf_near *near);

#endif
