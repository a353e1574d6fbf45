// SPDX-License-Identifier: GPL-2.0-or-later
/* 32-byte stores through the cache. */
#include <fz/clear.h>

#include "x86_64.h"

#ifdef __x86_64__
#include <immintrin.h>

static const char *avx2_unsupported(void)
{
	if (__builtin_cpu_supports("avx2"))
		return NULL;
	return "the CPU or its OS has no avx2";
}

__attribute__((target("avx2"))) static void avx2_clear(void *dst,
						       size_t len_bytes)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i *part = dst;
	__m256i *const end = part + len_bytes / sizeof(*part);

	for (; part < end; part++)
		asm volatile("vmovdqa %1, %0" : "=m"(*part) : "x"(zero));
}
#endif

const struct fz_clear fz_clear_avx2 = {
	.name = "avx2",
	.summary = "32-byte stores (vmovdqa): user space",
	.unit_bytes = 32,
	FZ_CLEAR_X86_64(avx2_unsupported, avx2_clear),
};
