// SPDX-License-Identifier: GPL-2.0-or-later
/* Every n-th page, then those one page further, until none is left. */
#include <fz/generator.h>

#define DEFAULT_PAGES 16

static uint64_t pages_a_step(const struct fz_generator_params *params)
{
	return params->stride_bytes ? params->stride_bytes / params->page_bytes
				    : DEFAULT_PAGES;
}

/*
 * Pass p has the pages p, p + step, p + 2 step... The first nr % step passes
 * have one page more than the others.
 */
static uint64_t stride_page(const struct fz_walk *walk, uint64_t access)
{
	const uint64_t step = pages_a_step(walk->params);
	const uint64_t short_pass = walk->nr_pages / step;
	const uint64_t nr_long = walk->nr_pages % step;
	const uint64_t in_long = nr_long * (short_pass + 1);

	if (access < in_long)
		return access / (short_pass + 1) +
		       access % (short_pass + 1) * step;
	access -= in_long;
	return nr_long + access / short_pass + access % short_pass * step;
}

const struct fz_generator fz_generator_stride = {
	.name = "stride",
	.summary = "every page once, in strides: a matrix by its columns",
	.uses = FZ_USES_STRIDE,
	.page = stride_page,
};
