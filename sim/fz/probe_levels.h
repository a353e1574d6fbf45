/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a load takes from each cache, and what a time says about it. */
#ifndef FZ_PROBE_LEVELS_H
#define FZ_PROBE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/topology.h>

/**
 * DOC: levels and classes
 *
 * A level is a cache or memory; how long a load from it takes is measured on a
 * working set that fits into it and not into the one before. Neighbours whose
 * times are too close to be told apart make one class, which carries both
 * names. The border between two classes is the geometric mean of the times on
 * its two sides.
 */

#define FZ_MAX_LEVELS (FZ_MAX_CACHES + 1)

/* Neighbours whose times differ by less than this factor are one class. */
#define FZ_LEVELS_APART 1.3

/* Holds the names of all levels with slashes between them. */
#define FZ_CLASS_NAME_BYTES (FZ_MAX_LEVELS * 8)

/**
 * struct fz_level - one cache, or memory
 * @name: "L1", "memory"
 * @cache_bytes: size of the cache; 0 = memory
 * @set_bytes: working set that it is measured on
 * @median_ticks: a load from it
 * @class: which of the classes it belongs to
 */
struct fz_level {
	char name[8];
	uint64_t cache_bytes;
	uint64_t set_bytes;
	double median_ticks;
	size_t class;
};

/**
 * struct fz_level_class - levels that cannot be told apart
 * @name: "L2", "L3/memory"
 * @below_ticks: loads below this belong to it or to a nearer one; INFINITY for
 *	the last one
 */
struct fz_level_class {
	char name[FZ_CLASS_NAME_BYTES];
	double below_ticks;
};

/**
 * struct fz_levels - all of them, from the core outward
 * @nr: entries in @level
 * @level: [nr], the last one is memory
 * @nr_classes: entries in @classes
 * @classes: [nr_classes]
 * @llc_bytes: size of the last-level cache; 0 = unknown
 * @exceeds_llc: the working set of memory is at least twice as large; if not,
 *	some of its loads may have come from that cache
 */
struct fz_levels {
	size_t nr;
	struct fz_level level[FZ_MAX_LEVELS];
	size_t nr_classes;
	struct fz_level_class classes[FZ_MAX_LEVELS];
	uint64_t llc_bytes;
	bool exceeds_llc;
};

/**
 * fz_levels_plan() - which levels there are, and on what to measure them
 * @levels: written, without times and classes
 * @topology: caches; those of unknown size are left out
 * @max_bytes: no working set is larger than this, rounded down to a page
 *
 * Half of each cache, at most 64 MiB; four times the last one for memory.
 */
void fz_levels_plan(struct fz_levels *levels,
		    const struct fz_topology *topology, uint64_t max_bytes);

/**
 * fz_levels_classify() - make classes of the times
 * @levels: with times; classes are written
 */
void fz_levels_classify(struct fz_levels *levels);

/**
 * fz_levels_class_of() - where does a load come from that takes so long?
 * @levels: with classes
 * @ticks: a load
 *
 * Return: index of the class.
 */
size_t fz_levels_class_of(const struct fz_levels *levels, double ticks);

#endif
