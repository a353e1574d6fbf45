// SPDX-License-Identifier: GPL-2.0-or-later
/* A plain C loop, for any CPU. */
#include <fz/clear.h>

#include <stdint.h>

static void portable_clear(void *dst, size_t len_bytes)
{
	uint64_t *word = dst;
	uint64_t *const end = word + len_bytes / 8;

	for (; word < end; word++) {
		*word = 0;
		/* Else compilers see a memset here, or make wider stores. */
		asm volatile("" ::: "memory");
	}
}

const struct fz_clear fz_clear_portable = {
	.name = "portable",
	.summary = "a plain loop of 8-byte stores: any CPU",
	.unit_bytes = 8,
	.clear = portable_clear,
};
