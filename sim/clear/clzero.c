// SPDX-License-Identifier: GPL-2.0-or-later
/* AMD's clzero, a line at a time. */
#include <fz/clear.h>

#include "x86_64.h"

#ifdef __x86_64__
/* Asks CPUID each time; fz_x86_64_has_clzero() says what that costs. */
static const char *clzero_unsupported(void)
{
	if (fz_x86_64_has_clzero())
		return NULL;
	return "the CPU has no clzero of 64 bytes";
}

static void clzero_clear(void *dst, size_t len_bytes)
{
	char *line = dst;
	char *const end = line + len_bytes;

	for (; line < end; line += 64)
		asm volatile("clzero" ::"a"(line) : "memory");
	asm volatile("sfence" ::: "memory");
}
#endif

const struct fz_clear fz_clear_clzero = {
	.name = "clzero",
	.summary = "AMD clzero, one 64-byte line each: user space",
	.unit_bytes = 64,
	.streaming = true,
	FZ_CLEAR_X86_64(clzero_unsupported, clzero_clear),
};
