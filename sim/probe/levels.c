// SPDX-License-Identifier: GPL-2.0-or-later
/* Working sets of the caches, and classes of the times they take. */
#include <fz/probe_levels.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fz/folio.h>

/* Filling more in takes long; and a machine may name a cache of which it has
 * only a share, as guests do. */
#define MAX_CACHE_SET_BYTES ((uint64_t)64 << 20)
/* Far more than the cache, so that next to nothing comes from it. */
#define MEMORY_CACHES 4u
/* Where no cache is known: more than the L2 of any CPU. */
#define MEMORY_BYTES ((uint64_t)64 << 20)

static uint64_t set_bytes(uint64_t wanted, uint64_t max)
{
	const uint64_t bytes = wanted < max ? wanted : max;

	return bytes < FZ_PAGE_BYTES ? FZ_PAGE_BYTES
				     : bytes / FZ_PAGE_BYTES * FZ_PAGE_BYTES;
}

/* "L1d" is the L1 that loads can come from. */
static void add_cache(struct fz_levels *levels,
		      const struct fz_cpu_cache *cache, uint64_t max_bytes)
{
	struct fz_level *level = &levels->level[levels->nr++];

	level->cache_bytes = cache->bytes;
	level->set_bytes =
		set_bytes(cache->bytes / 2, max_bytes < MAX_CACHE_SET_BYTES
						    ? max_bytes
						    : MAX_CACHE_SET_BYTES);
	snprintf(level->name, sizeof(level->name), "%.*s",
		 (int)strcspn(cache->name, "d"), cache->name);
}

void fz_levels_plan(struct fz_levels *levels,
		    const struct fz_topology *topology, uint64_t max_bytes)
{
	struct fz_level *memory;

	*levels = (struct fz_levels){ .llc_bytes = topology->llc_bytes };
	for (size_t i = 0; i < topology->nr_caches; i++)
		if (topology->caches[i].bytes)
			add_cache(levels, &topology->caches[i], max_bytes);
	memory = &levels->level[levels->nr++];
	strcpy(memory->name, "memory");
	memory->set_bytes =
		set_bytes(levels->llc_bytes ? MEMORY_CACHES * levels->llc_bytes
					    : MEMORY_BYTES,
			  max_bytes);
	levels->exceeds_llc = memory->set_bytes / 2 >= levels->llc_bytes;
}

static void append_name(struct fz_level_class *class, const char *name)
{
	const size_t used = strlen(class->name);

	snprintf(class->name + used, sizeof(class->name) - used, "%s%s",
		 used ? "/" : "", name);
}

/* The farthest level so far is what the next one must differ from. */
void fz_levels_classify(struct fz_levels *levels)
{
	double farthest = 0.0;

	assert(levels->nr > 0);
	levels->nr_classes = 0;
	for (size_t i = 0; i < levels->nr; i++) {
		struct fz_level *level = &levels->level[i];
		const double ticks = level->median_ticks;

		if (i == 0 || ticks > farthest * FZ_LEVELS_APART) {
			if (i > 0)
				levels->classes[levels->nr_classes - 1]
					.below_ticks = sqrt(farthest * ticks);
			levels->classes[levels->nr_classes++] =
				(struct fz_level_class){
					.below_ticks = INFINITY,
				};
		}
		farthest = fmax(farthest, ticks);
		level->class = levels->nr_classes - 1;
		append_name(&levels->classes[level->class], level->name);
	}
}

size_t fz_levels_class_of(const struct fz_levels *levels, double ticks)
{
	size_t class = 0;

	while (class + 1 < levels->nr_classes &&
	       ticks >= levels->classes[class].below_ticks)
		class ++;
	return class;
}
