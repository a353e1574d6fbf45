// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64 stores of register pairs through the cache. */
#include <fz/clear.h>

#include "arm64.h"

#ifdef __aarch64__
/* By asm: compilers make vector stores of it, or a memset. */
static void stp_clear(void *dst, size_t len_bytes)
{
	char *line = dst;
	char *const end = line + len_bytes;

	for (; line < end; line += 64)
		asm volatile("stp xzr, xzr, [%0]\n\t"
			     "stp xzr, xzr, [%0, 16]\n\t"
			     "stp xzr, xzr, [%0, 32]\n\t"
			     "stp xzr, xzr, [%0, 48]" ::"r"(line)
			     : "memory");
}
#endif

const struct fz_clear fz_clear_stp = {
	.name = "stp",
	.summary = "arm64 16-byte stores of register pairs: user space",
	.unit_bytes = 64,
	FZ_CLEAR_ARM64(NULL, stp_clear),
};
