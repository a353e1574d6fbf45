/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A modelled cache: which lines are where after a sequence of accesses. */
#ifndef FZ_CACHE_H
#define FZ_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>

/**
 * DOC: the modelled cache
 *
 * One core's data caches, from the core outward: set-associative levels with
 * true LRU, of one line size. There is no time in it: a sequence of accesses
 * leads to counts and to contents, and nothing else.
 *
 * **Lines** are numbered: address / line size. Line l belongs to set
 * l mod (number of sets). A set is an order from the most to the least recently
 * used line; an insertion puts a line first, and evicts the last one if all
 * ways are taken.
 *
 * **A load, store or zeroing store** of a line looks for it from level 1
 * outward.
 *
 * 1. In the level where it is found it becomes most recently used; a victim
 *    level gives it away instead, with its dirty bit.
 * 2. It is inserted into each level further in, outermost first, victim levels
 *    left out. If no level had it, that is into all, and memory is read. Each
 *    insertion is complete, with all that follows from its eviction, before the
 *    next. The dirty bit that a victim level gave away goes to the first level
 *    (outermost) that it is inserted into.
 * 3. A store and a zeroing store make the copy in level 1 dirty.
 *
 * **An eviction** from level i:
 *
 * 1. If i is inclusive, the line is also removed from all levels further in;
 *    it is dirty if any of these copies was.
 * 2. If level i + 1 is a victim level, the line goes there, clean or dirty:
 *    inserted as most recently used, or, if it is there already, made most
 *    recently used, and dirty if either was.
 * 3. Else a clean line is gone. A dirty one makes the copy in level i + 1 dirty
 *    without changing the order, or, if there is none, goes on to the level
 *    behind in the same way (a victim level takes it in as above); behind the
 *    last level it is a write to memory.
 *
 * **A streaming store** removes the line from every level, whatever its dirty
 * bit, and writes memory.
 *
 * **The prefetcher** follows streams within 4 KiB: see struct
 * fz_cache_prefetcher. It sees each load, store and zeroing store that level 1
 * missed, after the access itself. The stream of the line's 4 KiB page:
 *
 * 1. There is none: the least recently used entry of the table becomes it, with
 *    this line as last, no direction and a run of 1.
 * 2. The line is last + 1 or last - 1, and the stream has no direction or this
 *    one: it gets the direction, and its run grows by 1.
 * 3. Else it loses its direction and its run is 1 again.
 *
 * In cases 2 and 3 the line becomes last; in all, the entry becomes most
 * recently used. With a run of 2 or more, lines last + direction * (distance +
 * k), k = 0 .. degree - 1, are requested in that order, as long as they are in
 * the page. A request looks in level 2: found there it changes nothing (counted
 * as pf_hit_l2); else it looks further out, as a load does, and is inserted
 * into level 2 and the levels that missed, as a load would be (pf_hit_outer or
 * pf_miss; the latter reads memory). It counts in hits and misses of no level,
 * but in fills and evictions.
 */

#define FZ_CACHE_MAX_LEVELS 4
#define FZ_CACHE_MAX_WAYS   64

/* Lines are numbered below this: 64 GiB with lines of 64 bytes. */
#define FZ_CACHE_NR_LINES ((uint64_t)1 << 30)

/**
 * enum fz_cache_relation - what a level has to do with those further in
 * @FZ_CACHE_PLAIN: neither inclusive nor exclusive
 * @FZ_CACHE_INCLUSIVE: holds all that is further in
 * @FZ_CACHE_VICTIM: holds what the level before it evicted; only the last one
 */
enum fz_cache_relation {
	FZ_CACHE_PLAIN,
	FZ_CACHE_INCLUSIVE,
	FZ_CACHE_VICTIM,
};

/**
 * struct fz_cache_level - one level
 * @bytes: its size
 * @ways: lines in a set, 1 to FZ_CACHE_MAX_WAYS
 * @relation: to the levels further in; plain for the first
 * @latency_cycles: of a load that finds its line here; 0 = not known
 * @read_cycles: of each such line when many that were just written are read in
 *	ascending order, and no load waits for the one before; 0 = not known
 */
struct fz_cache_level {
	uint64_t bytes;
	unsigned int ways;
	enum fz_cache_relation relation;
	double latency_cycles;
	double read_cycles;
};

/**
 * struct fz_cache_prefetcher - requests ahead of a stream, into level 2
 * @streams: entries of its table, 0 = no prefetcher
 * @degree: lines requested at a time
 * @distance: how far ahead the first of them is, in lines, at least 1
 */
struct fz_cache_prefetcher {
	unsigned int streams;
	unsigned int degree;
	unsigned int distance;
};

#define FZ_CACHE_MAX_STREAMS 64
#define FZ_CACHE_MAX_DEGREE  16

/**
 * struct fz_cache_geometry - a cache to model
 * @line_bytes: size of a line, a power of two, 16 to 4096
 * @nr_levels: 1 to FZ_CACHE_MAX_LEVELS
 * @level: from the core outward
 * @memory_cycles: latency of a load from memory; 0 = not known
 * @memory_read_cycles: of a line from memory, as read_cycles; 0 = not known
 * @prefetcher: streams 0 with a single level
 */
struct fz_cache_geometry {
	unsigned int line_bytes;
	unsigned int nr_levels;
	struct fz_cache_level level[FZ_CACHE_MAX_LEVELS];
	double memory_cycles;
	double memory_read_cycles;
	struct fz_cache_prefetcher prefetcher;
};

/**
 * fz_cache_geometry_check() - can there be such a cache?
 * @geometry: the cache
 * @err: the reason
 *
 * Refused: a line that is no power of two, levels whose size is no multiple of
 * ways times line, no ways or more than 64, a first level that is not plain, an
 * inclusive level smaller than one further in, a victim level that is not the
 * last, more lines than can be numbered, a prefetcher without a second level,
 * with one that takes victims, of more streams or lines at a time than the
 * above, or without a distance.
 *
 * Return: 0 or -EINVAL.
 */
int fz_cache_geometry_check(const struct fz_cache_geometry *geometry,
			    struct fz_err *err);

/**
 * enum fz_cache_access - what is done to a line
 * @FZ_CACHE_LOAD: read
 * @FZ_CACHE_STORE: write, allocating
 * @FZ_CACHE_ZERO: write of a zeroing string store, allocating, counted apart
 * @FZ_CACHE_STREAM: write around the cache
 */
enum fz_cache_access {
	FZ_CACHE_LOAD,
	FZ_CACHE_STORE,
	FZ_CACHE_ZERO,
	FZ_CACHE_STREAM,
};

/**
 * struct fz_cache_counts - what happened so far, in lines
 * @loads: loads
 * @load_misses: of them not in level 1
 * @stores: stores
 * @store_misses: of them not in level 1
 * @zeroed: zeroing stores
 * @zero_misses: of them not in level 1
 * @streamed: streaming stores
 * @hits: [level - 1] loads, stores and zeroing stores that ended there
 * @misses: [level - 1] of them that went further out
 * @fills: [level - 1] insertions of lines that were not there
 * @evictions: [level - 1] lines that an insertion pushed out; not those that an
 *	inclusive level or a streaming store removed
 * @pf_hit_l2: requests of the prefetcher for lines in level 2 already
 * @pf_hit_outer: found further out
 * @pf_miss: found nowhere
 * @memory_reads: lines read
 * @memory_writes: lines written back, and streamed
 */
struct fz_cache_counts {
	uint64_t loads;
	uint64_t load_misses;
	uint64_t stores;
	uint64_t store_misses;
	uint64_t zeroed;
	uint64_t zero_misses;
	uint64_t streamed;
	uint64_t hits[FZ_CACHE_MAX_LEVELS];
	uint64_t misses[FZ_CACHE_MAX_LEVELS];
	uint64_t fills[FZ_CACHE_MAX_LEVELS];
	uint64_t evictions[FZ_CACHE_MAX_LEVELS];
	uint64_t pf_hit_l2;
	uint64_t pf_hit_outer;
	uint64_t pf_miss;
	uint64_t memory_reads;
	uint64_t memory_writes;
};

struct fz_cache;

/**
 * fz_cache_open() - an empty cache
 * @out: written on success
 * @geometry: copied
 * @err: message on failure
 *
 * Return: 0, -EINVAL as fz_cache_geometry_check(), or -ENOMEM.
 */
int fz_cache_open(struct fz_cache **out,
		  const struct fz_cache_geometry *geometry, struct fz_err *err);

/**
 * fz_cache_close() - free it
 * @cache: may be NULL
 */
void fz_cache_close(struct fz_cache *cache);

/**
 * fz_cache_run() - access lines one after the other
 * @cache: the cache
 * @access: what is done to each
 * @first: the lowest line; @first + @nr is at most FZ_CACHE_NR_LINES
 * @nr: their number
 * @descending: from the last one to @first
 *
 * Equals @nr accesses to single lines; long runs of lines that no level holds
 * are worked out set by set, if levels grow outward and nothing is prefetched.
 */
void fz_cache_run(struct fz_cache *cache, enum fz_cache_access access,
		  uint64_t first, uint64_t nr, bool descending);

/**
 * fz_cache_level_of() - where is a line?
 * @cache: the cache, which does not change
 * @line: the line
 *
 * Return: the innermost level that holds it, from 1; 0 = only memory does.
 */
unsigned int fz_cache_level_of(const struct fz_cache *cache, uint64_t line);

/**
 * fz_cache_counts() - what happened since it was opened or last counted from 0
 * @cache: the cache
 *
 * Return: the counts, valid as long as the cache.
 */
const struct fz_cache_counts *fz_cache_counts(const struct fz_cache *cache);

/**
 * fz_cache_reset_counts() - count from 0 again; contents stay
 * @cache: the cache
 */
void fz_cache_reset_counts(struct fz_cache *cache);

/**
 * struct fz_cached_line - a line in a set
 * @line: its number
 * @dirty: it would be written back
 */
struct fz_cached_line {
	uint64_t line;
	bool dirty;
};

/**
 * fz_cache_set() - what a set holds
 * @cache: the cache
 * @level: from 1
 * @set: below the level's number of sets
 * @lines: [ways], written, most recently used first
 *
 * Return: how many.
 */
size_t fz_cache_set(const struct fz_cache *cache, unsigned int level,
		    uint64_t set, struct fz_cached_line *lines);

#endif
