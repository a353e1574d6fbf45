// SPDX-License-Identifier: GPL-2.0-or-later
/* 64-byte non-temporal stores. */
#include <fz/clear.h>

#include "x86_64.h"

#ifdef __x86_64__
#include <immintrin.h>

/* A table that is filled before main() and knows what the OS saves. */
static const char *avx512_stream_unsupported(void)
{
	if (__builtin_cpu_supports("avx512f"))
		return NULL;
	return "the CPU or its OS has no avx512f";
}

__attribute__((target("avx512f"))) static void
avx512_stream_clear(void *dst, size_t len_bytes)
{
	const __m512i zero = _mm512_setzero_si512();
	__m512i *part = dst;
	__m512i *const end = part + len_bytes / sizeof(*part);

	for (; part < end; part++)
		asm volatile("vmovntdq %1, %0" : "=m"(*part) : "v"(zero));
	asm volatile("sfence" ::: "memory");
}
#endif

const struct fz_clear fz_clear_avx512_stream = {
	.name = "avx512-stream",
	.summary =
		"64-byte non-temporal vmovntdq; in a kernel: kernel_fpu_begin()",
	.unit_bytes = 64,
	.streaming = true,
	FZ_CLEAR_X86_64(avx512_stream_unsupported, avx512_stream_clear),
};
