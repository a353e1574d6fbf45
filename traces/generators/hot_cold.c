// SPDX-License-Identifier: GPL-2.0-or-later
/* The first pages are hot, the others cold; within each, all are alike. */
#include <fz/generator.h>
#include <fz/random.h>

static uint64_t nr_hot_pages(const struct fz_walk *walk)
{
	const double share = walk->params->hot_share * (double)walk->nr_pages;
	const uint64_t nr = (uint64_t)(share + 0.5);

	if (nr < 1)
		return 1;
	return nr < walk->nr_pages ? nr : walk->nr_pages;
}

static uint64_t hot_cold_page(const struct fz_walk *walk, uint64_t access)
{
	const uint64_t nr_hot = nr_hot_pages(walk);
	const uint64_t nr_cold = walk->nr_pages - nr_hot;
	struct fz_random random = fz_walk_random(walk, access);
	const bool hot = fz_random_unit(&random) < walk->params->hot_weight;

	if (hot || nr_cold == 0)
		return fz_random_below(&random, nr_hot);
	return nr_hot + fz_random_below(&random, nr_cold);
}

const struct fz_generator fz_generator_hot_cold = {
	.name = "hot-cold",
	.summary = "accesses mostly to a hot part at the front: a working set",
	.uses = FZ_USES_HOT | FZ_USES_SEED,
	.repeats = true,
	.page = hot_cold_page,
};
