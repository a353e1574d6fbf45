/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long runs of lines that no level holds, set by set. Text for every FZ_ISA, as
 * cache_lanes.h.
 */
#ifndef FZ_CACHE_BULK_H
#define FZ_CACHE_BULK_H

#include "cache_range.h"
#include "cache_rules.h"

/*
 * Access x of such a run inserts line x into every level but a victim level. In
 * a level of S sets the accesses to a set are S apart, and the k-th of them
 * pushes out what was at place (ways - 1 - k) before the run, then the run's
 * own lines: line x at access x + (lines of the level). All that happens is
 * known beforehand, if nothing is removed in between, and if it is known which
 * level takes a dirty line in. Hence the conditions, which fz_cache_open() sees
 * to:
 *
 * - Levels grow outward. A line of the run leaves level i while level i + 1 has
 *   it, and an inclusive level evicts it when no level further in has it.
 * - Levels further in than an inclusive one, or than the one before a victim
 *   level, hold nothing but lines of the run: bulk_lead lines went before. So
 *   an inclusive level removes nothing there, and a victim level gets its
 *   lines from one level only, in the order of accesses.
 *
 * Levels are worked out from the core outward, so that in the levels behind
 * everything still is where it was before the run.
 */

#define NR_TRIED 4096u

static inline uint32_t next_set(const struct fz_cache_sets *level, uint32_t set,
				const struct fz_line_run *run)
{
	if (run->step == 1)
		return set + 1 == level->nr_sets ? 0 : set + 1;
	return (set ? set : level->nr_sets) - 1;
}

/* The access that pushes out what is at this place of the set. */
static inline uint64_t time_of_eviction(const struct fz_cache_sets *level,
					const struct fz_line_run *run,
					uint32_t set, unsigned int place)
{
	const uint32_t first = fz_level_set_of(level, run->first);
	const uint32_t from = run->step == 1 ? first : set;
	const uint32_t to = run->step == 1 ? set : first;
	const uint32_t begin =
		to >= from ? to - from : to + level->nr_sets - from;

	return begin + (uint64_t)(level->nr_ways - 1 - place) * level->nr_sets;
}

/* As write_back(), at access x: what is evicted until then is gone by then. */
static FZ_ISA void write_back_at(struct fz_cache *cache,
				 const struct fz_line_run *run,
				 unsigned int from, uint32_t way, uint64_t x)
{
	for (unsigned int i = from; i < cache->nr_inserted; i++) {
		const struct fz_cache_sets *const level = &cache->level[i];
		const uint32_t set = fz_level_set_of(level, fz_way_line(way));
		uint32_t *const ways = fz_level_set(level, set);
		const uint64_t places = set_find(level, ways, way);

		set_fetch_later(level, ways);
		if (!places)
			continue;
		if (time_of_eviction(level, run, set, set_place(places)) > x) {
			ways[set_place(places)] |= FZ_WAY_DIRTY;
			return;
		}
	}
	cache->counts.memory_writes++;
}

static inline FZ_ISA uint32_t way_at(const struct fz_line_run *run, uint32_t x,
				     uint32_t nr_dirty)
{
	return fz_way(fz_line_at(run, x)) | (x < nr_dirty);
}

/* Into a level with others behind it: one after the other, as long as what was
 * there before is pushed out. */
static FZ_ISA void push_out(struct fz_cache *cache, unsigned int i,
			    const struct fz_line_run *run, uint32_t nr_dirty)
{
	const struct fz_cache_sets *const level = &cache->level[i];
	const uint32_t end =
		run->nr < level->nr_lines ? run->nr : level->nr_lines;
	uint32_t set = fz_level_set_of(level, run->first);

	for (uint32_t x = 0; x < end; x++) {
		const uint32_t evicted =
			set_insert(level, fz_level_set(level, set),
				   way_at(run, x, nr_dirty));

		cache->counts.evictions[i] += evicted != 0;
		if (evicted && level->feeds_victim)
			take_victim(cache, i + 1, evicted);
		else if (evicted & FZ_WAY_DIRTY)
			write_back_at(cache, run, i + 1, evicted, x);
		set = next_set(level, set, run);
	}
}

/* What the last `nr` places of a set hold leaves the last level. */
static inline FZ_ISA void leave_last(struct fz_cache *cache, unsigned int i,
				     const uint32_t *set, uint32_t nr)
{
	const unsigned int end = cache->level[i].nr_ways;

	for (unsigned int place = end - nr; place < end; place++) {
		cache->counts.evictions[i] += set[place] != 0;
		cache->counts.memory_writes += set[place] & FZ_WAY_DIRTY;
	}
}

/* The last `nr` accesses to a set, `x` being the very last, are what it then
 * holds, and behind them what it held. */
static inline FZ_ISA void fill_set(const struct fz_cache_sets *level,
				   uint32_t *set, const struct fz_line_run *run,
				   uint32_t x, uint32_t nr, uint32_t nr_dirty)
{
	for (unsigned int place = level->nr_ways; place-- > nr;)
		set[place] = set[place - nr];
	for (unsigned int place = 0; place < nr; place++) {
		set[place] = way_at(run, x, nr_dirty);
		x -= level->nr_sets;
	}
}

/* Accesses x = begin, begin + sets... to a set, `nr` of them. */
static inline FZ_ISA void go_through_set(struct fz_cache *cache, unsigned int i,
					 uint32_t *set,
					 const struct fz_line_run *run,
					 uint32_t begin, uint32_t nr,
					 uint32_t nr_dirty)
{
	const struct fz_cache_sets *const level = &cache->level[i];
	const uint32_t last = begin + (nr - 1) * level->nr_sets;

	if (nr > level->nr_ways)
		nr = level->nr_ways;
	if (i + 1 == cache->nr_levels)
		leave_last(cache, i, set, nr);
	if (nr == 1)
		set_insert(level, set, way_at(run, last, nr_dirty));
	else
		fill_set(level, set, run, last, nr, nr_dirty);
}

static FZ_ISA void go_through_sets(struct fz_cache *cache, unsigned int i,
				   const struct fz_line_run *run,
				   uint32_t nr_dirty)
{
	const struct fz_cache_sets *const level = &cache->level[i];
	const uint32_t rounds = run->nr / level->nr_sets;
	const uint32_t rest = run->nr % level->nr_sets;
	const uint32_t nr_sets = rounds ? level->nr_sets : rest;
	uint32_t set = fz_level_set_of(level, run->first);

	for (uint32_t x = 0; x < nr_sets; x++) {
		set_fetch_later(level, fz_level_set(level, set));
		go_through_set(cache, i, fz_level_set(level, set), run, x,
			       rounds + (x < rest), nr_dirty);
		set = next_set(level, set, run);
	}
}

/* The first nr_dirty lines of the run are dirty afterwards. Returns how many
 * lines of the run leave the level again. */
static FZ_ISA uint32_t go_through_level(struct fz_cache *cache, unsigned int i,
					const struct fz_line_run *run,
					uint32_t nr_dirty)
{
	const struct fz_cache_sets *const level = &cache->level[i];
	const uint32_t nr_out =
		run->nr > level->nr_lines ? run->nr - level->nr_lines : 0;

	if (i + 1 < cache->nr_levels)
		push_out(cache, i, run, nr_dirty);
	if (i + 1 == cache->nr_levels || nr_out)
		go_through_sets(cache, i, run, nr_dirty);
	cache->counts.fills[i] += run->nr;
	cache->counts.evictions[i] += nr_out;
	return nr_out;
}

/* Accesses lines that no level holds. */
static FZ_ISA void access_unheld(struct fz_cache *cache,
				 const struct fz_line_run *run)
{
	/* A line is dirty in level 1, and behind it when it has left the level
	 * before: those that leave are the first ones. */
	struct fz_line_run leaving = *run;

	for (unsigned int i = 0; i < cache->nr_inserted; i++)
		leaving.nr = go_through_level(cache, i, run,
					      run->dirty ? leaving.nr : 0);
	if (cache->nr_inserted < cache->nr_levels)
		leaving.nr =
			go_through_level(cache, cache->nr_inserted, &leaving,
					 run->dirty ? leaving.nr : 0);
	for (unsigned int i = 0; i < cache->nr_levels; i++)
		cache->counts.misses[i] += run->nr;
	cache->counts.memory_reads += run->nr;
	cache->counts.memory_writes += run->dirty ? leaving.nr : 0;
}

/* Cuts off the first `nr` lines. */
static inline struct fz_line_run cut(struct fz_line_run *run, uint32_t nr)
{
	struct fz_line_run head = *run;

	if (nr > run->nr)
		nr = run->nr;
	head.nr = nr;
	run->first = fz_line_at(run, nr);
	run->nr -= nr;
	return head;
}

static inline FZ_ISA uint32_t lowest_line(const struct fz_line_run *run)
{
	return run->step == 1 ? run->first : run->first - (run->nr - 1);
}

/* How many lines at the beginning are surely held by no level. */
static FZ_ISA uint32_t nr_unheld(const struct fz_cache *cache,
				 const struct fz_line_run *run)
{
	struct fz_line_run part = *run;

	while (part.nr >= cache->bulk_from &&
	       cache_holds_any(cache, lowest_line(&part), part.nr))
		part.nr /= 2;
	return part.nr >= cache->bulk_from ? part.nr : 0;
}

static FZ_ISA void access_each(struct fz_cache *cache,
			       const struct fz_line_run *run)
{
	for (uint32_t x = 0; x < run->nr; x++)
		access_line(cache, fz_line_at(run, x), run->dirty);
}

static FZ_ISA void access_run(struct fz_cache *cache,
			      const struct fz_line_run *run)
{
	struct fz_line_run rest = *run, part, lead;
	/* Line by line if lines are held; each time more, as looking for them
	 * costs time too. */
	uint32_t nr_tried = NR_TRIED;

	while (rest.nr >= cache->bulk_from) {
		const uint32_t nr = nr_unheld(cache, &rest);

		part = cut(&rest, nr ? nr : nr_tried);
		if (nr) {
			lead = cut(&part, cache->bulk_lead);
			access_each(cache, &lead);
			access_unheld(cache, &part);
			nr_tried = NR_TRIED;
		} else {
			access_each(cache, &part);
			nr_tried *= 2;
		}
	}
	access_each(cache, &rest);
}

#endif
