// SPDX-License-Identifier: GPL-2.0-or-later
/* Few pages are popular, and they lie anywhere. */
#include <fz/generator.h>

#include "permutation.h"
#include "zipf_draw.h"

struct zipf {
	struct zipf_draw draw;
	struct permutation places; /* of the ranks */
};

static void zipf_begin(void *state, const struct fz_walk *walk)
{
	struct zipf *zipf = state;

	zipf_draw_init(&zipf->draw, walk->nr_pages,
		       walk->params->zipf_exponent);
	zipf->places = permutation_make(walk->nr_pages, walk->params->seed,
					walk->setup_stream);
}

static uint64_t zipf_page(const struct fz_walk *walk, uint64_t access)
{
	const struct zipf *zipf = walk->state;
	struct fz_random random = fz_walk_random(walk, access);

	return permutation_at(&zipf->places,
			      zipf_draw(&zipf->draw, &random) - 1);
}

const struct fz_generator fz_generator_zipf = {
	.name = "zipf",
	.summary = "accesses to few popular pages, which lie anywhere: a cache",
	.uses = FZ_USES_ZIPF | FZ_USES_SEED,
	.repeats = true,
	.state_bytes = sizeof(struct zipf),
	.begin = zipf_begin,
	.page = zipf_page,
};
