// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64 stores of register pairs with a non-temporal hint. */
#include <fz/clear.h>

#include "arm64.h"

#ifdef __aarch64__
static void stnp_clear(void *dst, size_t len_bytes)
{
	char *line = dst;
	char *const end = line + len_bytes;

	for (; line < end; line += 64)
		asm volatile("stnp xzr, xzr, [%0]\n\t"
			     "stnp xzr, xzr, [%0, 16]\n\t"
			     "stnp xzr, xzr, [%0, 32]\n\t"
			     "stnp xzr, xzr, [%0, 48]" ::"r"(line)
			     : "memory");
	asm volatile("dmb ishst" ::: "memory");
}
#endif

/*
 * Streaming by intent: the architecture lets a core take the hint or leave it.
 * The barrier orders these stores before later ones, as sfence does on x86-64.
 */
const struct fz_clear fz_clear_stnp = {
	.name = "stnp",
	.summary = "arm64 16-byte non-temporal stnp: kernels without dc zva",
	.unit_bytes = 64,
	.streaming = true,
	FZ_CLEAR_ARM64(NULL, stnp_clear),
};
