// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of generators, and what they generate by default. */
#include <fz/generator.h>

#include <string.h>

#define X(word) extern const struct fz_generator fz_generator_##word;
#include "generator_list.h"
#undef X

#define X(word) &fz_generator_##word,
const struct fz_generator *const fz_generators[] = {
#include "generator_list.h"
	NULL,
};
#undef X

const struct fz_generator *fz_generator_find(const char *name)
{
	for (size_t i = 0; fz_generators[i]; i++)
		if (strcmp(fz_generators[i]->name, name) == 0)
			return fz_generators[i];
	return NULL;
}

struct fz_random fz_walk_random(const struct fz_walk *walk, uint64_t access)
{
	return (struct fz_random){
		.seed = walk->params->seed,
		.stream = walk->stream,
		.counter = access << 8,
	};
}

struct fz_generator_params
fz_generator_defaults(const struct fz_generator *generator)
{
	return (struct fz_generator_params){
		.region_bytes = 1ull << 30,
		.page_bytes =
			generator->page_bytes ? generator->page_bytes : 4096,
		.base_addr = 1ull << 44,
		.zipf_exponent = 1,
		.hot_share = 0.1,
		.hot_weight = 0.9,
		.seed = 1,
		.nr_processes =
			generator->nr_processes ? generator->nr_processes : 1,
		.nr_threads = 1,
		.event = FZ_EVENT_USER_FAULT,
	};
}
