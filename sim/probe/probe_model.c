// SPDX-License-Identifier: GPL-2.0-or-later
/* What was probed, worked out on modelled caches. */
#include <fz/probe_model.h>

#include <errno.h>

#include <fz/cache_study.h>
#include <fz/probe.h>

#include "row_study.h"
#include "stop_flag.h"

/* Caches that do not say how long a load takes get what was measured. */
static void set_latencies(struct fz_cache_geometry *geometry,
			  const struct fz_levels *levels)
{
	for (size_t i = 0; i < geometry->nr_levels && i + 1 < levels->nr; i++)
		if (geometry->level[i].latency_cycles <= 0)
			geometry->level[i].latency_cycles =
				levels->level[i].median_ticks;
	if (geometry->memory_cycles <= 0 && levels->nr)
		geometry->memory_cycles =
			levels->level[levels->nr - 1].median_ticks;
}

static int study_row(const struct fz_probe *probe,
		     const struct fz_row_config *config,
		     struct fz_cache_study *study, struct fz_err *err)
{
	const struct fz_levels *levels = &probe->levels;
	struct fz_cache_question question = { .spec = &probe->model.spec };

	for (size_t i = 0; i < FZ_CACHE_MAX_LEVELS && i + 1 < levels->nr; i++)
		question.set_bytes[i] = levels->level[i].set_bytes;
	return row_study(config, question, study, err);
}

/* 0 if a latency is not known. */
static double ticks_of(const struct fz_cache_geometry *geometry,
		       const struct fz_cache_page *page)
{
	const double all = (double)fz_cache_page_lines(geometry);
	double ticks = (double)page->lines[0] * geometry->memory_cycles;

	if (page->lines[0] && geometry->memory_cycles <= 0)
		return 0.0;
	for (unsigned int i = 0; i < geometry->nr_levels; i++) {
		const double latency = geometry->level[i].latency_cycles;

		if (page->lines[i + 1] && latency <= 0)
			return 0.0;
		ticks += (double)page->lines[i + 1] * latency;
	}
	return ticks / all;
}

/* Of levels with as many lines the inner one. */
static unsigned int level_of(const struct fz_cache_geometry *geometry,
			     const struct fz_cache_page *page)
{
	unsigned int level = 1;

	for (unsigned int i = 2; i <= geometry->nr_levels; i++)
		if (page->lines[i] > page->lines[level])
			level = i;
	return page->lines[0] > page->lines[level] ? geometry->nr_levels + 1
						   : level;
}

static const struct fz_cache_page *find_page(const struct fz_cache_study *study,
					     uint64_t page)
{
	for (size_t i = 0; i < study->nr_pages; i++)
		if (study->pages[i].page == page)
			return &study->pages[i];
	return NULL;
}

static void keep_pages(struct fz_row_probe *found,
		       const struct fz_cache_geometry *geometry,
		       const struct fz_cache_study *study, uint64_t fault_page)
{
	for (size_t i = 0; i < found->nr_residency; i++) {
		struct fz_residency *r = &found->residency[i];
		const struct fz_cache_page *page = find_page(
			study, fault_page + (uint64_t)r->distance_pages);

		/* Random faults reach farther than the middle page's. */
		if (!page)
			continue;
		r->model_level = level_of(geometry, page);
		r->model_ticks = ticks_of(geometry, page);
	}
}

static void keep_victims(struct fz_row_probe *found,
			 const struct fz_cache_geometry *geometry,
			 const struct fz_cache_study *study)
{
	for (size_t i = 0; i < found->nr_victims; i++) {
		struct fz_victim *v = &found->victims[i];
		const struct fz_cache_victim *is;

		if (v->level >= geometry->nr_levels)
			continue;
		is = &study->victim[v->level];
		/* False for NaN too. */
		if (is->cycles_after / is->cycles_before > 0)
			v->model_slowdown =
				is->cycles_after / is->cycles_before;
	}
}

static void model_row(struct fz_probe *probe,
		      const struct fz_row_config *config,
		      struct fz_row_probe *found)
{
	const struct fz_cache_geometry *geometry = &probe->model.spec.geometry;
	struct fz_cache_study study;

	if (!config->engine->runs_plans) {
		fz_err_set(&found->not_modelled, -ENOTSUP,
			   "the row runs no plan");
		return;
	}
	if (study_row(probe, config, &study, &found->not_modelled))
		return;
	found->not_modelled = (struct fz_err){ "" };
	keep_pages(found, geometry, &study, row_study_page(config));
	keep_victims(found, geometry, &study);
}

static bool was_probed(const struct fz_row_probe *found)
{
	return found->nr_residency || found->nr_victims;
}

int fz_probe_model(struct fz_probe *probe,
		   const struct fz_probe_model_params *params,
		   const struct fz_row *rows, size_t nr_rows)
{
	struct fz_probe_model *model = &probe->model;
	int code = 0;

	if (!params->spec) {
		fz_err_set(&model->reason, -ENOTSUP, "%s", params->reason);
		return 0;
	}
	model->known = true;
	model->spec = *params->spec;
	set_latencies(&model->spec.geometry, &probe->levels);
	for (size_t i = 0; probe->rows && i < nr_rows; i++) {
		struct fz_row_probe *found = &probe->rows[i];

		if (rows[i].twin || !was_probed(found))
			continue;
		if (stop_flag_is_set(params->stop)) {
			code = fz_err_set(&found->not_modelled, -EINTR, "%s",
					  FZ_STOPPED);
			continue;
		}
		if (params->progress)
			params->progress(params->progress_state, i, nr_rows,
					 &rows[i]);
		model_row(probe, &rows[i].config, found);
	}
	return code;
}
