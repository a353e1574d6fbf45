/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan does to modelled caches, as foliosim prints it. */
#ifndef FZ_PLAN_CACHE_H
#define FZ_PLAN_CACHE_H

#include <stdio.h>

#include <jansson.h>

#include <fz/cache_spec.h>
#include <fz/cache_study.h>

/* Where a line is that is in no cache; the levels count from 1. */
#define FZ_IN_MEMORY 0

/**
 * struct fz_plan_cache - a study and what it is about
 * @spec: the caches
 * @has_fault_page: it is known
 * @fault_page: the faulting page
 * @nr_pages: pages in the folio
 * @study: the findings
 */
struct fz_plan_cache {
	struct fz_cache_spec spec;
	bool has_fault_page;
	uint64_t fault_page;
	uint64_t nr_pages;
	struct fz_cache_study study;
};

/*
 * Study the plan on the caches of cache->spec, with its faulting page. Return:
 * FZ_EXIT_DONE or, after a complaint, another status.
 */
int fz_plan_cache_study(struct fz_plan_cache *cache,
			const struct fz_plan *plan);

/* The part of the text. */
void fz_plan_cache_text(FILE *out, const struct fz_plan_cache *cache);

/* The object; NULL without memory. */
json_t *fz_plan_cache_json(const struct fz_plan_cache *cache);

#endif
