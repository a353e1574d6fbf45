// SPDX-License-Identifier: GPL-2.0-or-later
/* What a plan does to modelled caches, as JSON. */
#include "plan_cache.h"

#include <math.h>

#include "json_value.h"

/* Every figure in the object is of this source. */
#define SOURCE "model"

/* 0 = not known. */
static json_t *known_cycles(double cycles)
{
	return fz_json_real(cycles > 0 ? cycles : NAN);
}

static json_t *victim_json(const struct fz_plan_cache *cache,
			   const struct fz_cache_victim *is)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o}", "bytes",
		fz_json_count(is->nr_lines * cache->spec.geometry.line_bytes),
		"held_lines", fz_json_count(is->held), "kept_lines",
		fz_json_count(is->kept), "cycles_before",
		fz_json_real(is->cycles_before), "cycles_after",
		fz_json_real(is->cycles_after));
}

static json_t *level_json(const struct fz_plan_cache *cache, unsigned int i)
{
	const struct fz_cache_level *level = &cache->spec.geometry.level[i];
	const struct fz_cache_study *study = &cache->study;
	const struct fz_cache_counts *counts = &study->counts;

	return json_pack(
		"{s:i, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"level", (int)i + 1, "bytes", fz_json_count(level->bytes),
		"ways", fz_json_count(level->ways), "relation",
		fz_cache_relation_name(level->relation), "latency_cycles",
		known_cycles(level->latency_cycles), "hit_lines",
		fz_json_count(counts->hits[i]), "missed_lines",
		fz_json_count(counts->misses[i]), "allocated_lines",
		fz_json_count(counts->fills[i]), "evicted_lines",
		fz_json_count(counts->evictions[i]), "folio_lines",
		fz_json_count(study->folio_lines[i + 1]), "half",
		victim_json(cache, &study->victim[i]));
}

static json_t *memory_json(const struct fz_plan_cache *cache)
{
	const struct fz_cache_study *study = &cache->study;

	return json_pack(
		"{s:o, s:o, s:o, s:o}", "latency_cycles",
		known_cycles(cache->spec.geometry.memory_cycles), "read_lines",
		fz_json_count(study->counts.memory_reads), "written_lines",
		fz_json_count(study->counts.memory_writes), "folio_lines",
		fz_json_count(study->folio_lines[FZ_IN_MEMORY]));
}

static json_t *page_json(const struct fz_plan_cache *cache,
			 const struct fz_cache_page *page)
{
	json_t *lines = json_array();

	for (unsigned int i = 1; i <= cache->spec.geometry.nr_levels; i++) {
		if (json_array_append_new(lines,
					  fz_json_count(page->lines[i]))) {
			json_decref(lines);
			return NULL;
		}
	}
	return json_pack("{s:o, s:I, s:o, s:o}", "page",
			 fz_json_count(page->page), "distance_pages",
			 (json_int_t)(page->page - cache->fault_page),
			 "level_lines", lines, "memory_lines",
			 fz_json_count(page->lines[FZ_IN_MEMORY]));
}

static json_t *counter_json(const struct fz_plan_cache *cache, size_t i)
{
	const struct fz_cache_event *event = &fz_cache_events[i];

	return json_pack(
		"{s:s, s:o, s:s}", "name", event->name, "value",
		fz_json_real(event->value(&cache->study.counts, &cache->spec)),
		"source", SOURCE);
}

static json_t *level_at(const struct fz_plan_cache *cache, size_t i)
{
	return level_json(cache, (unsigned int)i);
}

static json_t *page_at(const struct fz_plan_cache *cache, size_t i)
{
	return page_json(cache, &cache->study.pages[i]);
}

/* An array of `nr` values. */
static json_t *array_of(const struct fz_plan_cache *cache, size_t nr,
			json_t *(*at)(const struct fz_plan_cache *cache,
				      size_t i))
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++) {
		if (json_array_append_new(array, at(cache, i))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static size_t nr_events(void)
{
	size_t nr = 0;

	while (fz_cache_events[nr].name)
		nr++;
	return nr;
}

static json_t *prefetch_json(const struct fz_cache_counts *counts)
{
	return json_pack("{s:o, s:o, s:o}", "hit_l2_lines",
			 fz_json_count(counts->pf_hit_l2), "hit_outer_lines",
			 fz_json_count(counts->pf_hit_outer), "miss_lines",
			 fz_json_count(counts->pf_miss));
}

static json_t *use_json(const struct fz_cache_study *study)
{
	return json_pack("{s:o, s:o, s:o}", "line_cycles",
			 fz_json_real(study->line_cycles), "near_cycles",
			 fz_json_real(study->near_cycles), "folio_cycles",
			 fz_json_real(study->folio_cycles));
}

json_t *fz_plan_cache_json(const struct fz_plan_cache *cache)
{
	char text[FZ_CACHE_SPEC_BYTES];
	const struct fz_cache_study *study = &cache->study;

	fz_cache_spec_format(text, sizeof(text), &cache->spec);
	return json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"source", SOURCE, "geometry", text, "line_bytes",
		fz_json_count(cache->spec.geometry.line_bytes), "zeroed_lines",
		fz_json_count(study->counts.zeroed), "streamed_lines",
		fz_json_count(study->counts.streamed), "levels",
		array_of(cache, cache->spec.geometry.nr_levels, level_at),
		"memory", memory_json(cache), "prefetch",
		prefetch_json(&study->counts), "counters",
		array_of(cache, nr_events(), counter_json), "use",
		use_json(study), "pages",
		array_of(cache, study->nr_pages, page_at));
}
