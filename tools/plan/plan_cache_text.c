// SPDX-License-Identifier: GPL-2.0-or-later
/* What a plan does to modelled caches, for people. */
#include "plan_cache.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fz/folio.h>

#define LABEL_WIDTH 20
#define CELL_WIDTH  10
#define LINE_WIDTH  80

struct cell {
	char text[32];
};

/* Bytes in four digits: 2M, 10.5M, 1023K. */
static struct cell size_of(const struct fz_plan_cache *cache, uint64_t nr_lines)
{
	static const char units[] = "BKMGT";
	double bytes =
		(double)nr_lines * (double)cache->spec.geometry.line_bytes;
	struct cell cell;
	size_t unit = 0;

	while (bytes >= 1024 && units[unit + 1]) {
		bytes /= 1024;
		unit++;
	}
	snprintf(cell.text, sizeof(cell.text), "%.4g%c", bytes, units[unit]);
	return cell;
}

static struct cell share_of(uint64_t part, uint64_t whole)
{
	struct cell cell = { "-" };

	if (whole)
		snprintf(cell.text, sizeof(cell.text), "%.3g %%",
			 100.0 * (double)part / (double)whole);
	return cell;
}

static struct cell place_name(unsigned int place)
{
	struct cell cell = { "memory" };

	if (place != FZ_IN_MEMORY)
		snprintf(cell.text, sizeof(cell.text), "L%u", place);
	return cell;
}

static struct cell level_cell(const struct fz_plan_cache *cache,
			      const uint64_t *nr_lines, unsigned int level)
{
	return size_of(cache, nr_lines[level - 1]);
}

/* The caches in as many lines as their text needs. */
static void print_caches(FILE *out, const struct fz_plan_cache *cache)
{
	char text[FZ_CACHE_SPEC_BYTES], *word, *rest;
	int column = 0;

	fz_cache_spec_format(text, sizeof(text), &cache->spec);
	column = fprintf(out, "\ncache     ");
	for (word = strtok_r(text, ",", &rest); word;) {
		char *next = strtok_r(NULL, ",", &rest);
		const int length = (int)strlen(word) + (next ? 1 : 0);

		if (column + length > LINE_WIDTH)
			column = fprintf(out, "\n          ");
		column += fprintf(out, "%s%s", word, next ? "," : "");
		word = next;
	}
	fputs("\n          a model of one core's caches, without time (source: "
	      "model)\n",
	      out);
}

static void print_heads(FILE *out, const struct fz_plan_cache *cache)
{
	fprintf(out, "\n%-*s", LABEL_WIDTH, "");
	for (unsigned int i = 1; i <= cache->spec.geometry.nr_levels; i++)
		fprintf(out, "%*s", CELL_WIDTH, place_name(i).text);
	fprintf(out, "%*s\n", CELL_WIDTH, "memory");
}

static void print_levels(FILE *out, const struct fz_plan_cache *cache,
			 const char *label, const uint64_t *nr_lines)
{
	fprintf(out, "%-*s", LABEL_WIDTH, label);
	for (unsigned int i = 1; i <= cache->spec.geometry.nr_levels; i++)
		fprintf(out, "%*s", CELL_WIDTH,
			level_cell(cache, nr_lines, i).text);
	fprintf(out, "%*s\n", CELL_WIDTH, "-");
}

static void print_memory(FILE *out, const struct fz_plan_cache *cache,
			 const char *label, uint64_t nr_lines)
{
	fprintf(out, "%-*s", LABEL_WIDTH, label);
	for (unsigned int i = 1; i <= cache->spec.geometry.nr_levels; i++)
		fprintf(out, "%*s", CELL_WIDTH, "-");
	fprintf(out, "%*s\n", CELL_WIDTH, size_of(cache, nr_lines).text);
}

static void print_folio(FILE *out, const struct fz_plan_cache *cache)
{
	const uint64_t *nr_lines = cache->study.folio_lines;

	fprintf(out, "%-*s", LABEL_WIDTH, "the folio is in");
	for (unsigned int i = 1; i <= cache->spec.geometry.nr_levels; i++)
		fprintf(out, "%*s", CELL_WIDTH,
			size_of(cache, nr_lines[i]).text);
	fprintf(out, "%*s\n", CELL_WIDTH,
		size_of(cache, nr_lines[FZ_IN_MEMORY]).text);
}

/* Cycles a line; "?" where a latency is not known. */
static struct cell cycles_of(double cycles, uint64_t nr_lines)
{
	struct cell cell = { "?" };

	if (isfinite(cycles))
		snprintf(cell.text, sizeof(cell.text), "%.3g",
			 cycles / (double)nr_lines);
	return cell;
}

static struct cell lost_cell(const struct fz_cache_victim *is)
{
	return share_of(is->held - is->kept, is->held);
}

static struct cell before_cell(const struct fz_cache_victim *is)
{
	return cycles_of(is->cycles_before, is->nr_lines);
}

static struct cell after_cell(const struct fz_cache_victim *is)
{
	return cycles_of(is->cycles_after, is->nr_lines);
}

static void
print_victims(FILE *out, const struct fz_plan_cache *cache, const char *label,
	      struct cell (*cell_of)(const struct fz_cache_victim *is))
{
	fprintf(out, "%-*s", LABEL_WIDTH, label);
	for (unsigned int i = 1; i <= cache->spec.geometry.nr_levels; i++)
		fprintf(out, "%*s", CELL_WIDTH,
			cell_of(&cache->study.victim[i - 1]).text);
	fprintf(out, "%*s\n", CELL_WIDTH, "-");
}

static bool has_latencies(const struct fz_plan_cache *cache)
{
	return cache->spec.geometry.level[0].latency_cycles > 0;
}

static void print_table(FILE *out, const struct fz_plan_cache *cache)
{
	const struct fz_cache_counts *counts = &cache->study.counts;

	print_heads(out, cache);
	print_levels(out, cache, "missed", counts->misses);
	print_levels(out, cache, "allocated", counts->fills);
	print_levels(out, cache, "evicted", counts->evictions);
	print_memory(out, cache, "read or owned", counts->memory_reads);
	print_memory(out, cache, "written", counts->memory_writes);
	print_folio(out, cache);
	print_victims(out, cache, "half of it loses", lost_cell);
	if (!has_latencies(cache))
		return;
	print_victims(out, cache, "  cycles a line", before_cell);
	print_victims(out, cache, "  and afterwards", after_cell);
}

static bool same_places(const struct fz_cache_page *a,
			const struct fz_cache_page *b)
{
	return memcmp(a->lines, b->lines, sizeof(a->lines)) == 0;
}

/* "L1", or "25 % L1 75 % L2". */
static void print_places(FILE *out, const struct fz_plan_cache *cache,
			 const struct fz_cache_page *page)
{
	const uint64_t all = fz_cache_page_lines(&cache->spec.geometry);
	const unsigned int nr = cache->spec.geometry.nr_levels + 1;

	/* From the core outward, memory last. */
	for (unsigned int i = 1; i <= nr; i++) {
		const unsigned int place = i < nr ? i : FZ_IN_MEMORY;
		const uint64_t lines = page->lines[place];

		if (lines == all)
			fprintf(out, " %s", place_name(place).text);
		else if (lines)
			fprintf(out, " %s %s", share_of(lines, all).text,
				place_name(place).text);
	}
}

/* Pages one after the other that are in the same places. */
static size_t same_from(const struct fz_cache_study *study, size_t i,
			size_t end)
{
	size_t nr = 1;

	while (i + nr < end &&
	       same_places(&study->pages[i], &study->pages[i + nr]))
		nr++;
	return nr;
}

static bool is_near(const struct fz_plan_cache *cache, size_t i)
{
	const uint64_t page = cache->study.pages[i].page;

	return page + FZ_RADIUS_PAGES >= cache->fault_page &&
	       page <= cache->fault_page + FZ_RADIUS_PAGES;
}

static void print_near(FILE *out, const struct fz_plan_cache *cache)
{
	const struct fz_cache_study *study = &cache->study;
	size_t i = 0, end;

	while (!is_near(cache, i))
		i++;
	for (end = i; end < study->nr_pages && is_near(cache, end);)
		end++;
	fputs("\npages near the fault:", out);
	while (i < end) {
		const size_t nr = same_from(study, i, end);

		fprintf(out, " %" PRIu64, study->pages[i].page);
		if (nr > 1)
			fprintf(out, "-%" PRIu64,
				study->pages[i + nr - 1].page);
		print_places(out, cache, &study->pages[i]);
		i += nr;
		fputs(i < end ? "," : "\n", out);
	}
}

static int64_t distance_at(const struct fz_plan_cache *cache, size_t i)
{
	return (int64_t)(cache->study.pages[i].page - cache->fault_page);
}

static void print_distances(FILE *out, const struct fz_plan_cache *cache)
{
	const struct fz_cache_study *study = &cache->study;

	fputs("pages at distances from it:\n", out);
	for (size_t i = 0; i < study->nr_pages;) {
		const size_t nr = same_from(study, i, study->nr_pages);

		fprintf(out, "%12" PRId64, distance_at(cache, i));
		if (nr > 1)
			fprintf(out, " to %-9" PRId64,
				distance_at(cache, i + nr - 1));
		else
			fprintf(out, "%13s", "");
		print_places(out, cache, &study->pages[i]);
		fputc('\n', out);
		i += nr;
	}
}

/* What is read first is the faulting page. */
static void print_costs_from_fault(FILE *out, const struct fz_plan_cache *cache)
{
	const struct fz_cache_study *study = &cache->study;
	const uint64_t page_lines = fz_cache_page_lines(&cache->spec.geometry);
	const uint64_t near_pages =
		fz_neighbourhood_of(cache->nr_pages, cache->fault_page,
				    FZ_RADIUS_PAGES)
			.near.nr;

	fprintf(out,
		"cycles a line when loaded: its first line %s, the near pages %s, "
		"the folio %s\n",
		cycles_of(study->line_cycles, 1).text,
		cycles_of(study->near_cycles - study->line_cycles,
			  near_pages * page_lines)
			.text,
		cycles_of(study->folio_cycles - study->near_cycles,
			  cache->nr_pages * page_lines)
			.text);
}

static void print_costs(FILE *out, const struct fz_plan_cache *cache)
{
	const uint64_t nr_lines =
		cache->nr_pages * fz_cache_page_lines(&cache->spec.geometry);

	if (!has_latencies(cache))
		return;
	if (cache->has_fault_page)
		print_costs_from_fault(out, cache);
	else
		fprintf(out, "cycles a line when loaded: the folio %s\n",
			cycles_of(cache->study.folio_cycles, nr_lines).text);
}

void fz_plan_cache_text(FILE *out, const struct fz_plan_cache *cache)
{
	print_caches(out, cache);
	print_table(out, cache);
	if (cache->has_fault_page) {
		print_near(out, cache);
		print_distances(out, cache);
	} else {
		fputs("\nno faulting page is known: none is near it\n", out);
	}
	print_costs(out, cache);
}
