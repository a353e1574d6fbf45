// SPDX-License-Identifier: GPL-2.0-or-later
/* The C library's memset. */
#include <fz/clear.h>

#include <string.h>

static void memset_clear(void *dst, size_t len_bytes)
{
	memset(dst, 0, len_bytes);
}

const struct fz_clear fz_clear_memset = {
	.name = "memset",
	.summary = "the C library's memset: user space; may stream by itself",
	.unit_bytes = 1,
	.clear = memset_clear,
};
