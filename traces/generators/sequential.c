// SPDX-License-Identifier: GPL-2.0-or-later
/* From the first page to the last. */
#include <fz/generator.h>

static uint64_t sequential_page(const struct fz_walk *walk, uint64_t access)
{
	(void)walk;
	return access;
}

const struct fz_generator fz_generator_sequential = {
	.name = "sequential",
	.summary = "every page once, upwards: filling a buffer, a copying heap",
	.page = sequential_page,
};
