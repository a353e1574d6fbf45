// SPDX-License-Identifier: GPL-2.0-or-later
/* Times a few lines of some pages of a folio that was just zeroed. */
#include "residency.h"

#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/statistics.h>

#include "chase.h"
#include "switches.h"
#include "ticks.h"

/* Clearing more takes long beside the reading. */
#define LONG_CLEAR_BYTES ((uint64_t)64 << 20)

/* Offsets of the lines to read, in order. */
struct lines {
	uint16_t offset[CHASE_READING];
};

/* A page to read. */
struct reading {
	size_t which; /* distance */
	const char *page;
	struct lines lines;
	uint64_t ticks;
};

static struct fz_page_room room_of(const struct fz_row_config *config)
{
	const uint64_t last = (config->folio_bytes >> FZ_PAGE_SHIFT) - 1;

	if (config->fault == FZ_FAULT_AT)
		return (struct fz_page_room){ config->fault_page,
					      last - config->fault_page, true };
	return (struct fz_page_room){ last, last, false };
}

int residency_init(struct residency *r, const struct fz_row_config *config,
		   size_t max_samples)
{
	const struct fz_page_room room = room_of(config);

	*r = (struct residency){ .max_samples = max_samples };
	if (config->fault == FZ_FAULT_NONE)
		return 0;
	r->nr = fz_page_distances(&room, r->distance);
	r->pages_a_clear = config->folio_bytes > LONG_CLEAR_BYTES
				   ? r->nr
				   : RESIDENCY_PAGES;
	r->nr_clears = (r->nr + r->pages_a_clear - 1) / r->pages_a_clear;
	for (size_t i = 0; i < r->nr; i++)
		r->order[i] = (unsigned int)i;
	r->ticks = calloc(r->nr * max_samples, sizeof(*r->ticks));
	return r->ticks ? 0 : -ENOMEM;
}

void residency_fini(struct residency *r)
{
	free(r->ticks);
	r->ticks = NULL;
}

void residency_shuffle(struct residency *r, struct fz_random *random)
{
	fz_random_shuffle(random, r->order, r->nr);
}

static struct lines choose_lines(struct fz_random *random)
{
	unsigned int line[CHASE_READING];
	struct lines lines;

	chase_choose_lines(line, random);
	for (size_t i = 0; i < CHASE_READING; i++)
		lines.offset[i] = (uint16_t)(line[i] * CHASE_LINE_BYTES);
	return lines;
}

/* The pages of this clear that lie in the folio. */
static size_t choose_pages(const struct residency *r,
			   const struct residency_clear *clear,
			   const struct fz_zero_job *job,
			   struct reading *readings)
{
	const int64_t nr_pages =
		(int64_t)(clear->config->folio_bytes >> FZ_PAGE_SHIFT);
	const size_t first = clear->nr * r->pages_a_clear;
	size_t nr = 0;

	for (size_t i = first; i < first + r->pages_a_clear && i < r->nr; i++) {
		const size_t which = r->order[i];
		const int64_t page =
			(int64_t)job->fault_page + r->distance[which];

		if (page < 0 || page >= nr_pages)
			continue;
		readings[nr++] = (struct reading){
			.which = which,
			.page = job->base + (page << FZ_PAGE_SHIFT),
			.lines = choose_lines(clear->random),
		};
	}
	return nr;
}

/*
 * Each address depends on what was loaded before. What is loaded is zero; the
 * mask, which the compiler does not know to be zero too, keeps a clear that
 * does not work from sending the probe elsewhere.
 */
static uint64_t read_page(const struct fz_hooks *hooks, const char *page,
			  const struct lines *chosen)
{
	const struct lines lines = *chosen;
	uint64_t mask = 0, loaded = 0, begin;

	asm volatile("" : "+r"(mask) : "r"(&lines) : "memory");
	begin = ticks_after_loads(hooks);
	for (size_t i = 0; i < CHASE_READING; i++)
		loaded = *(const volatile uint64_t
				   *)(const void *)(page + lines.offset[i] +
						    (loaded & mask));
	asm volatile("" ::"r"(loaded));
	return ticks_after_loads(hooks) - begin;
}

static void keep(struct residency *r, const struct reading *reading,
		 double clock_ticks)
{
	size_t *nr = &r->nr_samples[reading->which];

	if (*nr < r->max_samples)
		r->ticks[reading->which * r->max_samples + (*nr)++] =
			chase_without_clock(reading->ticks, clock_ticks, 0.0) /
			CHASE_READING;
}

/* Nothing is written until all pages are read. */
int residency_sample(struct residency *r, const struct residency_clear *clear,
		     struct fz_err *err)
{
	struct reading readings[FZ_MAX_PAGE_DISTANCES];
	struct fz_zero_job job;
	uint64_t switches;
	size_t nr;
	int code = cold_folio_next(clear->folios, clear->bench, clear->config,
				   clear->repeat, &job, err);

	if (code)
		return code;
	nr = choose_pages(r, clear, &job, readings);
	switches = switches_so_far(job.hooks);
	code = cold_folio_zero(clear->config, &job, err);
	if (code)
		return code;
	for (size_t i = 0; i < nr; i++)
		readings[i].ticks = read_page(job.hooks, readings[i].page,
					      &readings[i].lines);
	if (!clear->insist && switches_so_far(job.hooks) != switches)
		return 1;
	for (size_t i = 0; i < nr && clear->keep; i++)
		keep(r, &readings[i], clear->clock_ticks);
	return 0;
}

size_t residency_found(const struct residency *r,
		       const struct fz_levels *levels, uint64_t seed,
		       struct fz_residency *found)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr; i++) {
		const double *ticks = r->ticks + i * r->max_samples;
		const size_t nr_samples = r->nr_samples[i];
		double median;

		if (!nr_samples)
			continue;
		median = fz_median(ticks, nr_samples);
		found[nr++] = (struct fz_residency){
			.distance_pages = r->distance[i],
			.class = fz_levels_class_of(levels, median),
			.median_ticks = median,
			.ci95_ticks = fz_bootstrap_median(ticks, nr_samples,
							  0.95, seed),
			.samples = nr_samples,
		};
	}
	return nr;
}
