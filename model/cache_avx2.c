// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets by AVX2, eight ways at a time. */
#include "cache_state.h"

#ifdef __x86_64__
#define FZ_LANES 8
#define FZ_ISA   __attribute__((target("avx2,bmi,bmi2")))

#include "cache_bulk.h"

const struct fz_cache_path fz_cache_path_avx2 = {
	.access = access_line,
	.access_run = access_run,
	.remove = remove_lines,
};
#endif
