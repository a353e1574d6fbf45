// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64's dc zva, a block at a time. */
#include <fz/clear.h>

#include "arm64.h"

#ifdef __aarch64__
extern const struct fz_clear fz_clear_stp;

static const char *dc_zva_unsupported(void)
{
	if (fz_arm64_zva_bytes(fz_arm64_dczid()))
		return NULL;
	return "the CPU, its OS or its hypervisor prohibits dc zva";
}

/* A block may be longer than a unit; what no whole block holds goes by stp. */
static void dc_zva_clear(void *dst, size_t len_bytes)
{
	const size_t block_bytes = fz_arm64_zva_bytes(fz_arm64_dczid());
	const struct fz_block_cut cut =
		fz_block_cut(dst, len_bytes, block_bytes);
	char *block = (char *)dst + cut.head_bytes;
	char *const end = block + cut.body_bytes;

	fz_clear_stp.clear(dst, cut.head_bytes);
	for (; block < end; block += block_bytes)
		asm volatile("dc zva, %0" ::"r"(block) : "memory");
	fz_clear_stp.clear(end, cut.tail_bytes);
}
#endif

const struct fz_clear fz_clear_dc_zva = {
	.name = "dc-zva",
	.summary = "arm64 dc zva, one block each: kernels where it is allowed",
	.unit_bytes = 64,
	FZ_CLEAR_ARM64(dc_zva_unsupported, dc_zva_clear),
};
