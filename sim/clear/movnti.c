// SPDX-License-Identifier: GPL-2.0-or-later
/* 8-byte non-temporal stores. */
#include <fz/clear.h>

#include <stdint.h>

#include "x86_64.h"

#ifdef __x86_64__
/* By asm: clang makes 16-byte stores of two _mm_stream_si64(). */
static void movnti_clear(void *dst, size_t len_bytes)
{
	uint64_t *word = dst;
	uint64_t *const end = word + len_bytes / 8;

	for (; word < end; word++)
		asm volatile("movnti %1, %0" : "=m"(*word) : "r"(0ull));
	asm volatile("sfence" ::: "memory");
}
#endif

const struct fz_clear fz_clear_movnti = {
	.name = "movnti",
	.summary = "8-byte non-temporal stores (movnti): user space",
	.unit_bytes = 8,
	.streaming = true,
	FZ_CLEAR_X86_64(NULL, movnti_clear),
};
