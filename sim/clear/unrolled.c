// SPDX-License-Identifier: GPL-2.0-or-later
/* Eight 8-byte stores a cache line. */
#include <fz/clear.h>

#include <stdint.h>

#include "x86_64.h"

#ifdef __x86_64__
/* By asm, so that no compiler makes 16-byte stores of two. */
static inline void unrolled_store(uint64_t *word)
{
	asm volatile("movq %1, %0" : "=m"(*word) : "r"(0ull));
}

static void unrolled_clear(void *dst, size_t len_bytes)
{
	uint64_t *line = dst;
	uint64_t *const end = line + len_bytes / 8;

	for (; line < end; line += 8) {
		unrolled_store(line + 0);
		unrolled_store(line + 1);
		unrolled_store(line + 2);
		unrolled_store(line + 3);
		unrolled_store(line + 4);
		unrolled_store(line + 5);
		unrolled_store(line + 6);
		unrolled_store(line + 7);
	}
}
#endif

const struct fz_clear fz_clear_unrolled = {
	.name = "unrolled",
	.summary =
		"eight 8-byte stores a line: kernels on CPUs before REP_GOOD",
	.unit_bytes = 64,
	FZ_CLEAR_X86_64(NULL, unrolled_clear),
};
