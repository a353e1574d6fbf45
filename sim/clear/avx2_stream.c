// SPDX-License-Identifier: GPL-2.0-or-later
/* 32-byte non-temporal stores. */
#include <fz/clear.h>

#include "x86_64.h"

#ifdef __x86_64__
#include <immintrin.h>

/* A table that is filled before main() and knows what the OS saves. */
static const char *avx2_stream_unsupported(void)
{
	if (__builtin_cpu_supports("avx2"))
		return NULL;
	return "the CPU or its OS has no avx2";
}

__attribute__((target("avx2"))) static void avx2_stream_clear(void *dst,
							      size_t len_bytes)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i *part = dst;
	__m256i *const end = part + len_bytes / sizeof(*part);

	for (; part < end; part++)
		asm volatile("vmovntdq %1, %0" : "=m"(*part) : "x"(zero));
	asm volatile("sfence" ::: "memory");
}
#endif

const struct fz_clear fz_clear_avx2_stream = {
	.name = "avx2-stream",
	.summary =
		"32-byte non-temporal vmovntdq; in a kernel: kernel_fpu_begin()",
	.unit_bytes = 32,
	.streaming = true,
	FZ_CLEAR_X86_64(avx2_stream_unsupported, avx2_stream_clear),
};
