// SPDX-License-Identifier: GPL-2.0-or-later
/* The naive cache: a struct a way, a time of last use in each, linear search.
 */
#include "naive_cache.h"

#include <stdlib.h>

#define PAGE_BYTES 4096

struct way {
	bool taken;
	bool dirty;
	uint64_t line;
	uint64_t used; /* when; the largest is the most recent */
};

struct level {
	unsigned int nr_ways;
	uint64_t nr_sets;
	enum fz_cache_relation relation;
	struct way *ways; /* [nr_sets][nr_ways], row-major */
};

struct stream {
	bool taken;
	uint64_t page;
	uint64_t last;
	int direction; /* 0 = none */
	unsigned int run;
	uint64_t used;
};

struct naive_cache {
	unsigned int nr_levels;
	struct level level[FZ_CACHE_MAX_LEVELS + 1]; /* from 1 */
	struct fz_cache_prefetcher prefetcher;
	struct stream stream[FZ_CACHE_MAX_STREAMS];
	uint64_t lines_per_page;
	uint64_t now;
	struct fz_cache_counts counts;
};

struct naive_cache *naive_cache_open(const struct fz_cache_geometry *geometry)
{
	struct naive_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	cache->nr_levels = geometry->nr_levels;
	cache->prefetcher = geometry->prefetcher;
	cache->lines_per_page = PAGE_BYTES / geometry->line_bytes;
	for (unsigned int i = 1; i <= cache->nr_levels; i++) {
		const struct fz_cache_level *from = &geometry->level[i - 1];
		struct level *level = &cache->level[i];

		level->nr_ways = from->ways;
		level->nr_sets =
			from->bytes / geometry->line_bytes / from->ways;
		level->relation = from->relation;
		level->ways = calloc(level->nr_sets * level->nr_ways,
				     sizeof(*level->ways));
		if (!level->ways) {
			naive_cache_close(cache);
			return NULL;
		}
	}
	return cache;
}

void naive_cache_close(struct naive_cache *cache)
{
	if (!cache)
		return;
	for (unsigned int i = 1; i <= cache->nr_levels; i++)
		free(cache->level[i].ways);
	free(cache);
}

static struct way *set_of(const struct level *level, uint64_t line)
{
	return level->ways + line % level->nr_sets * level->nr_ways;
}

static struct way *find(const struct naive_cache *cache, unsigned int i,
			uint64_t line)
{
	const struct level *level = &cache->level[i];
	struct way *set = set_of(level, line);

	for (unsigned int w = 0; w < level->nr_ways; w++)
		if (set[w].taken && set[w].line == line)
			return &set[w];
	return NULL;
}

/* A free way of the line's set, or else the least recently used one. */
static struct way *way_for(const struct naive_cache *cache, unsigned int i,
			   uint64_t line)
{
	const struct level *level = &cache->level[i];
	struct way *set = set_of(level, line), *oldest = set;

	for (unsigned int w = 0; w < level->nr_ways; w++) {
		if (!set[w].taken)
			return &set[w];
		if (set[w].used < oldest->used)
			oldest = &set[w];
	}
	return oldest;
}

static void use(struct naive_cache *cache, struct way *way)
{
	way->used = ++cache->now;
}

static void evicted(struct naive_cache *cache, unsigned int i, uint64_t line,
		    bool dirty);

static void insert(struct naive_cache *cache, unsigned int i, uint64_t line,
		   bool dirty)
{
	struct way *way = way_for(cache, i, line);
	const struct way old = *way;

	*way = (struct way){ .taken = true, .line = line, .dirty = dirty };
	use(cache, way);
	cache->counts.fills[i - 1]++;
	if (old.taken) {
		cache->counts.evictions[i - 1]++;
		evicted(cache, i, old.line, old.dirty);
	}
}

static void victim_takes(struct naive_cache *cache, unsigned int i,
			 uint64_t line, bool dirty)
{
	struct way *way = find(cache, i, line);

	if (!way) {
		insert(cache, i, line, dirty);
		return;
	}
	way->dirty = way->dirty || dirty;
	use(cache, way);
}

/* A dirty line that left a level looks for a copy from level i outward. */
static void write_back(struct naive_cache *cache, unsigned int i, uint64_t line)
{
	for (; i <= cache->nr_levels; i++) {
		struct way *way;

		if (cache->level[i].relation == FZ_CACHE_VICTIM) {
			victim_takes(cache, i, line, true);
			return;
		}
		way = find(cache, i, line);
		if (way) {
			way->dirty = true;
			return;
		}
	}
	cache->counts.memory_writes++;
}

static void evicted(struct naive_cache *cache, unsigned int i, uint64_t line,
		    bool dirty)
{
	if (cache->level[i].relation == FZ_CACHE_INCLUSIVE) {
		for (unsigned int in = 1; in < i; in++) {
			struct way *way = find(cache, in, line);

			if (!way)
				continue;
			dirty = dirty || way->dirty;
			way->taken = false;
		}
	}
	if (i < cache->nr_levels &&
	    cache->level[i + 1].relation == FZ_CACHE_VICTIM)
		victim_takes(cache, i + 1, line, dirty);
	else if (dirty)
		write_back(cache, i + 1, line);
}

/* Where the line is from level `from` outward; 0 = memory. */
static unsigned int look(const struct naive_cache *cache, unsigned int from,
			 uint64_t line)
{
	for (unsigned int i = from; i <= cache->nr_levels; i++)
		if (find(cache, i, line))
			return i;
	return 0;
}

/* Get the line from where it was found into the levels `to` and further out. */
static void bring(struct naive_cache *cache, unsigned int found,
		  unsigned int to, uint64_t line)
{
	unsigned int i = cache->nr_levels;
	bool dirty = false;

	if (found == 0) {
		cache->counts.memory_reads++;
	} else {
		struct way *way = find(cache, found, line);

		if (cache->level[found].relation == FZ_CACHE_VICTIM) {
			dirty = way->dirty;
			way->taken = false;
		} else {
			use(cache, way);
		}
		i = found - 1;
	}
	for (; i >= to; i--) {
		if (cache->level[i].relation == FZ_CACHE_VICTIM)
			continue;
		insert(cache, i, line, dirty);
		dirty = false;
	}
}

static void request(struct naive_cache *cache, uint64_t line)
{
	unsigned int found = look(cache, 2, line);

	if (found == 2) {
		cache->counts.pf_hit_l2++;
		return;
	}
	if (found)
		cache->counts.pf_hit_outer++;
	else
		cache->counts.pf_miss++;
	bring(cache, found, 2, line);
}

static void request_ahead(struct naive_cache *cache,
			  const struct stream *stream)
{
	for (unsigned int k = 0; k < cache->prefetcher.degree; k++) {
		int64_t line =
			(int64_t)stream->last +
			stream->direction *
				(int64_t)(cache->prefetcher.distance + k);

		if (line < 0 ||
		    (uint64_t)line / cache->lines_per_page != stream->page)
			return;
		request(cache, (uint64_t)line);
	}
}

/* The page's stream; a new one in the place of the least recently used. */
static struct stream *stream_of(struct naive_cache *cache, uint64_t line)
{
	const uint64_t page = line / cache->lines_per_page;
	struct stream *oldest = &cache->stream[0];

	for (unsigned int s = 0; s < cache->prefetcher.streams; s++) {
		struct stream *stream = &cache->stream[s];

		if (stream->taken && stream->page == page)
			return stream;
		if (stream->used < oldest->used)
			oldest = stream;
	}
	*oldest = (struct stream){ .page = page, .last = line };
	return oldest;
}

static void prefetch_after(struct naive_cache *cache, uint64_t line)
{
	struct stream *stream = stream_of(cache, line);
	int direction = 0;

	if (line == stream->last + 1)
		direction = 1;
	else if (line + 1 == stream->last)
		direction = -1;
	if (!stream->taken) {
		stream->taken = true;
		stream->run = 1;
	} else if (direction &&
		   (stream->direction == 0 || stream->direction == direction)) {
		stream->direction = direction;
		stream->run++;
	} else {
		stream->direction = 0;
		stream->run = 1;
	}
	stream->last = line;
	stream->used = ++cache->now;
	if (stream->run >= 2)
		request_ahead(cache, stream);
}

static void count_kind(struct fz_cache_counts *counts,
		       enum fz_cache_access access, bool missed)
{
	switch (access) {
	case FZ_CACHE_LOAD:
		counts->loads++;
		counts->load_misses += missed;
		break;
	case FZ_CACHE_STORE:
		counts->stores++;
		counts->store_misses += missed;
		break;
	case FZ_CACHE_ZERO:
		counts->zeroed++;
		counts->zero_misses += missed;
		break;
	case FZ_CACHE_STREAM:
		counts->streamed++;
		break;
	}
}

static void count_levels(struct naive_cache *cache, unsigned int found)
{
	const unsigned int nr_missed = found ? found - 1 : cache->nr_levels;

	for (unsigned int i = 1; i <= nr_missed; i++)
		cache->counts.misses[i - 1]++;
	if (found)
		cache->counts.hits[found - 1]++;
}

static void stream_one(struct naive_cache *cache, uint64_t line)
{
	for (unsigned int i = 1; i <= cache->nr_levels; i++) {
		struct way *way = find(cache, i, line);

		if (way)
			way->taken = false;
	}
	cache->counts.memory_writes++;
}

static void access_one(struct naive_cache *cache, enum fz_cache_access access,
		       uint64_t line)
{
	const unsigned int found = look(cache, 1, line);

	count_kind(&cache->counts, access, found != 1);
	if (access == FZ_CACHE_STREAM) {
		stream_one(cache, line);
		return;
	}
	count_levels(cache, found);
	bring(cache, found, 1, line);
	if (access != FZ_CACHE_LOAD)
		find(cache, 1, line)->dirty = true;
	if (found != 1 && cache->prefetcher.streams)
		prefetch_after(cache, line);
}

void naive_cache_run(struct naive_cache *cache, enum fz_cache_access access,
		     uint64_t first, uint64_t nr, bool descending)
{
	for (uint64_t i = 0; i < nr; i++)
		access_one(cache, access,
			   descending ? first + nr - 1 - i : first + i);
}

unsigned int naive_cache_level_of(const struct naive_cache *cache,
				  uint64_t line)
{
	return look(cache, 1, line);
}

const struct fz_cache_counts *
naive_cache_counts(const struct naive_cache *cache)
{
	return &cache->counts;
}

void naive_cache_reset_counts(struct naive_cache *cache)
{
	cache->counts = (struct fz_cache_counts){ 0 };
}

size_t naive_cache_set(const struct naive_cache *cache, unsigned int level,
		       uint64_t set, struct fz_cached_line *lines)
{
	const struct level *from = &cache->level[level];
	const struct way *ways = from->ways + set * from->nr_ways;
	uint64_t used[64];
	size_t nr = 0;

	for (unsigned int w = 0; w < from->nr_ways; w++) {
		size_t at = nr;

		if (!ways[w].taken)
			continue;
		for (; at > 0 && used[at - 1] < ways[w].used; at--) {
			used[at] = used[at - 1];
			lines[at] = lines[at - 1];
		}
		used[at] = ways[w].used;
		lines[at] =
			(struct fz_cached_line){ ways[w].line, ways[w].dirty };
		nr++;
	}
	return nr;
}
