// SPDX-License-Identifier: GPL-2.0-or-later
/* What one plan does to a cache, and leaves in it. */
#include <fz/cache_study.h>

#include <assert.h>
#include <errno.h>
#include <math.h>

#include <fz/folio.h>
#include <fz/page_distances.h>
#include <fz/units.h>

/* Folio, caches and a working set must fit in beside each other. */
#define MAX_LINES (FZ_CACHE_NR_LINES / 4)

/* Lines [first, first + nr). */
struct lines {
	uint64_t first;
	uint64_t nr;
};

/* A study under way. */
struct laboratory {
	const struct fz_cache_question *question;
	const struct fz_cache_geometry *geometry;
	struct fz_cache *cache;
	uint64_t page_lines;
	uint64_t folio_lines;
	uint64_t cache_lines;
	uint64_t next_line; /* nothing was accessed from there on for long */
};

static int check_size(const struct laboratory *lab, struct fz_err *err)
{
	const unsigned int line_bytes = lab->geometry->line_bytes;
	char size[FZ_FORMAT_BYTES];

	fz_format_bytes(size, sizeof(size), MAX_LINES * line_bytes);
	if (lab->question->plan->nr_pages > MAX_LINES / lab->page_lines)
		return fz_err_set(err, -ERANGE,
				  "the folio is too large for a modelled cache "
				  "with lines of %u bytes: give at most %s",
				  line_bytes, size);
	if (lab->cache_lines > MAX_LINES)
		return fz_err_set(
			err, -ERANGE,
			"the caches are too large to be studied: give "
			"at most %s together",
			size);
	for (unsigned int i = 0; i < lab->geometry->nr_levels; i++)
		if (lab->question->set_bytes[i] / line_bytes > MAX_LINES)
			return fz_err_set(err, -ERANGE,
					  "a working set is too large to be "
					  "studied: give at most %s",
					  size);
	return 0;
}

static int laboratory_open(struct laboratory *lab,
			   const struct fz_cache_question *question,
			   struct fz_err *err)
{
	const struct fz_cache_geometry *geometry = &question->spec->geometry;
	int code = fz_cache_geometry_check(geometry, err);

	if (code)
		return code;
	*lab = (struct laboratory){
		.question = question,
		.geometry = geometry,
		.page_lines = fz_cache_page_lines(geometry),
	};
	lab->folio_lines = question->plan->nr_pages * lab->page_lines;
	for (unsigned int i = 0; i < geometry->nr_levels; i++)
		lab->cache_lines +=
			geometry->level[i].bytes / geometry->line_bytes;
	code = check_size(lab, err);
	return code ? code : fz_cache_open(&lab->cache, geometry, err);
}

/* Fresh memory, from a page boundary on; after a long while the same again. */
static uint64_t take_lines(struct laboratory *lab, uint64_t nr)
{
	const uint64_t nr_pages = (nr + lab->page_lines - 1) / lab->page_lines;
	uint64_t first = lab->next_line;

	if (first + nr_pages * lab->page_lines > FZ_CACHE_NR_LINES)
		first = 0;
	lab->next_line = first + nr_pages * lab->page_lines;
	return first;
}

/* Return: where the folio is. */
static uint64_t clear_a_folio(struct laboratory *lab)
{
	const uint64_t first = take_lines(lab, lab->folio_lines);

	fz_cache_clear_folio(lab->cache, lab->question->spec,
			     lab->question->plan, first);
	return first;
}

static void fill_with_folios(struct laboratory *lab)
{
	uint64_t done = 0;

	do {
		clear_a_folio(lab);
		done += lab->folio_lines;
	} while (done < lab->cache_lines);
}

static double cycles_of(const struct fz_cache_geometry *geometry,
			const uint64_t loads[FZ_CACHE_MAX_LEVELS + 1])
{
	double cycles = (double)loads[0] * geometry->memory_cycles;

	if (loads[0] && geometry->memory_cycles <= 0)
		return NAN;
	for (unsigned int i = 0; i < geometry->nr_levels; i++) {
		const double latency = geometry->level[i].latency_cycles;

		if (loads[i + 1] && latency <= 0)
			return NAN;
		cycles += (double)loads[i + 1] * latency;
	}
	return cycles;
}

/* What it costs to load these lines in ascending order, and from where they
 * came. */
static double load_lines(struct laboratory *lab, uint64_t first, uint64_t nr,
			 uint64_t loads[FZ_CACHE_MAX_LEVELS + 1])
{
	const struct fz_cache_counts *counts = fz_cache_counts(lab->cache);
	const unsigned int nr_levels = lab->geometry->nr_levels;

	fz_cache_reset_counts(lab->cache);
	fz_cache_run(lab->cache, FZ_CACHE_LOAD, first, nr, false);
	loads[0] = counts->misses[nr_levels - 1];
	for (unsigned int i = 0; i < nr_levels; i++)
		loads[i + 1] = counts->hits[i];
	return cycles_of(lab->geometry, loads);
}

static double load_cycles(struct laboratory *lab, uint64_t first, uint64_t nr)
{
	uint64_t loads[FZ_CACHE_MAX_LEVELS + 1];

	return load_lines(lab, first, nr, loads);
}

/* The same loads, in the same order, as of fz_use_folio(). */
static void use_from_fault(struct laboratory *lab, uint64_t first,
			   struct fz_cache_study *study)
{
	const uint64_t fault_page = lab->question->fault_page;
	const struct fz_range near =
		fz_neighbourhood_of(lab->question->plan->nr_pages, fault_page,
				    FZ_RADIUS_PAGES)
			.near;

	study->line_cycles =
		load_lines(lab, first + fault_page * lab->page_lines, 1,
			   study->line_loads);
	study->near_cycles =
		study->line_cycles +
		load_lines(lab, first + near.first * lab->page_lines,
			   near.nr * lab->page_lines, study->near_loads);
	study->folio_cycles =
		study->near_cycles +
		load_lines(lab, first, lab->folio_lines, study->folio_loads);
}

static void use_folio(struct laboratory *lab, uint64_t first,
		      struct fz_cache_study *study)
{
	if (!lab->question->no_fault_page) {
		use_from_fault(lab, first, study);
		return;
	}
	study->line_cycles = study->near_cycles = NAN;
	study->folio_cycles =
		load_lines(lab, first, lab->folio_lines, study->folio_loads);
}

static void look_at_page(const struct laboratory *lab, uint64_t first,
			 uint64_t page, struct fz_cache_study *study)
{
	struct fz_cache_page *at = &study->pages[study->nr_pages++];

	*at = (struct fz_cache_page){ .page = page };
	first += page * lab->page_lines;
	for (uint64_t i = 0; i < lab->page_lines; i++)
		at->lines[fz_cache_level_of(lab->cache, first + i)]++;
}

static void look_at_pages(const struct laboratory *lab, uint64_t first,
			  struct fz_cache_study *study)
{
	const uint64_t fault_page = lab->question->fault_page;
	const struct fz_page_room room = {
		.below = fault_page,
		.above = lab->question->plan->nr_pages - 1 - fault_page,
		.ends = true,
	};
	int64_t distance[FZ_MAX_PAGE_DISTANCES];
	const size_t nr = fz_page_distances(&room, distance);

	assert(nr <= FZ_CACHE_STUDY_PAGES);
	study->nr_pages = 0;
	for (size_t i = 0; i < nr; i++)
		look_at_page(lab, first, fault_page + (uint64_t)distance[i],
			     study);
}

/* Lines of a level that are the folio's, and in no level further in. */
static uint64_t count_in_level(const struct laboratory *lab, unsigned int level,
			       struct lines folio)
{
	const struct fz_cache_level *is = &lab->geometry->level[level - 1];
	const uint64_t nr_sets =
		is->bytes / lab->geometry->line_bytes / is->ways;
	struct fz_cached_line lines[FZ_CACHE_MAX_WAYS];
	uint64_t nr = 0;

	for (uint64_t set = 0; set < nr_sets; set++) {
		const size_t held = fz_cache_set(lab->cache, level, set, lines);

		for (size_t i = 0; i < held; i++)
			nr += lines[i].line - folio.first < folio.nr &&
			      fz_cache_level_of(lab->cache, lines[i].line) ==
				      level;
	}
	return nr;
}

static void look_at_folio(const struct laboratory *lab, uint64_t first,
			  struct fz_cache_study *study)
{
	const struct lines folio = { first, lab->folio_lines };

	study->folio_lines[0] = lab->folio_lines;
	for (unsigned int i = 1; i <= lab->geometry->nr_levels; i++) {
		study->folio_lines[i] = count_in_level(lab, i, folio);
		study->folio_lines[0] -= study->folio_lines[i];
	}
}

/* Lines that this level, or one further in, holds. */
static uint64_t count_held(const struct laboratory *lab, unsigned int level,
			   struct lines lines)
{
	uint64_t nr = 0;

	for (uint64_t i = 0; i < lines.nr; i++) {
		const unsigned int is =
			fz_cache_level_of(lab->cache, lines.first + i);

		nr += is && is <= level;
	}
	return nr;
}

static void disturb_level(struct laboratory *lab, unsigned int level,
			  struct fz_cache_victim *victim)
{
	const struct fz_cache_level *is = &lab->geometry->level[level - 1];
	const uint64_t bytes = lab->question->set_bytes[level - 1];
	struct lines set = {
		.nr = (bytes ? bytes : is->bytes / 2) /
		      lab->geometry->line_bytes,
	};

	if (!set.nr)
		set.nr = 1;
	set.first = take_lines(lab, set.nr);
	victim->nr_lines = set.nr;
	load_cycles(lab, set.first, set.nr);
	victim->cycles_before = load_cycles(lab, set.first, set.nr);
	victim->held = count_held(lab, level, set);
	clear_a_folio(lab);
	victim->kept = count_held(lab, level, set);
	victim->cycles_after = load_cycles(lab, set.first, set.nr);
}

static void disturb(struct laboratory *lab, struct fz_cache_study *study)
{
	if (lab->question->no_victims)
		return;
	for (unsigned int i = 1; i <= lab->geometry->nr_levels; i++)
		disturb_level(lab, i, &study->victim[i - 1]);
}

int fz_cache_study_plan(const struct fz_cache_question *question,
			struct fz_cache_study *study, struct fz_err *err)
{
	struct laboratory lab;
	uint64_t first;
	int code = laboratory_open(&lab, question, err);

	if (code)
		return code;
	*study = (struct fz_cache_study){ 0 };
	fill_with_folios(&lab);
	fz_cache_reset_counts(lab.cache);
	first = clear_a_folio(&lab);
	study->counts = *fz_cache_counts(lab.cache);
	look_at_folio(&lab, first, study);
	if (!question->no_fault_page)
		look_at_pages(&lab, first, study);
	use_folio(&lab, first, study);
	disturb(&lab, study);
	fz_cache_close(lab.cache);
	return 0;
}
