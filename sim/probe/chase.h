/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A working set whose lines are read one after the other, in random order. */
#ifndef FZ_PROBE_CHASE_H
#define FZ_PROBE_CHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/hooks.h>
#include <fz/random.h>

#define CHASE_LINE_BYTES 64u
/* A set of more lines is read in samples of CHASE_SAMPLE_LINES. */
#define CHASE_MAX_LINES    65536u
#define CHASE_SAMPLE_LINES 4096u

/* Loads that are timed together: fewer would drown in the reading of the
 * clock, and more do not fit into a page beside those that are fetched along.
 */
#define CHASE_READING 16u

/*
 * Each line holds the offset of the next one, so that no load can begin
 * before the one before it is done, and no prefetcher can guess. Loads that are
 * timed together are of one page, as those of a folio's page are: one miss of
 * the TLB at most, also where a host backs large pages with small ones.
 *
 * A large set has several chains of different pages spread over all of it, so
 * that each can be read once after the set was filled in; a small one has one
 * through all its lines.
 */
enum chase_chain {
	CHASE_SETTLE, /* read after filling, to get translations and the like */
	CHASE_BEFORE,
	CHASE_AFTER,
	CHASE_NR_CHAINS,
};

struct chase {
	const char *base;
	uint64_t bytes;                  /* whole pages */
	size_t nr;                       /* lines of a chain */
	uint64_t first[CHASE_NR_CHAINS]; /* offsets */
};

static inline bool chase_is_sampled(const struct chase *chase)
{
	return chase->first[CHASE_SETTLE] != chase->first[CHASE_BEFORE];
}

/*
 * Lines of a page to read, in order: from different pairs, since some CPUs
 * fetch the other line along; none from the middle, where the kernel's engine
 * writes.
 */
void chase_choose_lines(unsigned int line[CHASE_READING],
			struct fz_random *random);

/* Write the chains; `lines` is scratch, [CHASE_MAX_LINES]. */
void chase_build(struct chase *chase, char *base, uint64_t bytes,
		 unsigned int *lines, struct fz_random *random);

/* Bring the set into the caches, as much of it as they hold. */
void chase_fill(const struct chase *chase);

/*
 * Ticks that `nr` loads take from *line on, the clock's own included; *line is
 * where the next one begins. A page of zeroes is read by the same instructions,
 * see residency.c, so that times compare.
 */
uint64_t chase_read(const struct chase *chase, uint64_t *line, size_t nr,
		    const struct fz_hooks *hooks);

/* The same for a whole chain. */
uint64_t chase_walk(const struct chase *chase, enum chase_chain which,
		    const struct fz_hooks *hooks);

/* Ticks that reading the clock twice takes by itself. */
double chase_clock_ticks(const struct fz_hooks *hooks);

/* What is left of a time without the clock, at least `least`. */
double chase_without_clock(uint64_t ticks, double clock_ticks, double least);

#endif
