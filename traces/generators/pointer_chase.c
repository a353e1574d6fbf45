// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each page names the next one: a single cycle through all of them, in an order
 * without any pattern.
 */
#include <fz/generator.h>

#include "permutation.h"

static void pointer_chase_begin(void *state, const struct fz_walk *walk)
{
	struct permutation *order = state;

	*order = permutation_make(walk->nr_pages, walk->params->seed,
				  walk->setup_stream);
}

static uint64_t pointer_chase_page(const struct fz_walk *walk, uint64_t access)
{
	return permutation_at(walk->state, access);
}

const struct fz_generator fz_generator_pointer_chase = {
	.name = "pointer-chase",
	.summary = "every page once, along a random cycle: a linked list",
	.uses = FZ_USES_SEED,
	.state_bytes = sizeof(struct permutation),
	.begin = pointer_chase_begin,
	.page = pointer_chase_page,
};
