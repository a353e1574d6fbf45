// SPDX-License-Identifier: GPL-2.0-or-later
/* From the last page to the first. */
#include <fz/generator.h>

static uint64_t reverse_page(const struct fz_walk *walk, uint64_t access)
{
	return walk->nr_pages - 1 - access;
}

const struct fz_generator fz_generator_reverse = {
	.name = "reverse",
	.summary =
		"every page once, downwards: a stack, a heap that grows down",
	.page = reverse_page,
};
