// SPDX-License-Identifier: GPL-2.0-or-later
/* All pages are equally likely. */
#include <fz/generator.h>
#include <fz/random.h>

static uint64_t uniform_page(const struct fz_walk *walk, uint64_t access)
{
	struct fz_random random = fz_walk_random(walk, access);

	return fz_random_below(&random, walk->nr_pages);
}

const struct fz_generator fz_generator_uniform = {
	.name = "uniform",
	.summary = "accesses to pages at random: a hash table",
	.uses = FZ_USES_SEED,
	.repeats = true,
	.page = uniform_page,
};
