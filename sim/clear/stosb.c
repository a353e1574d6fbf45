// SPDX-License-Identifier: GPL-2.0-or-later
/* One rep stosb. */
#include <fz/clear.h>

#include "x86_64.h"

#ifdef __x86_64__
/* The CPU sees the whole length, which lets it choose how to write. */
static void stosb_clear(void *dst, size_t len_bytes)
{
	asm volatile("rep stosb"
		     : "+D"(dst), "+c"(len_bytes)
		     : "a"(0)
		     : "memory");
}
#endif

/* Runs on every x86-64; ERMS only makes it fast, and may be hidden. */
const struct fz_clear fz_clear_stosb = {
	.name = "stosb",
	.summary = "one rep stosb an extent: kernels on CPUs with ERMS",
	.unit_bytes = 1,
	FZ_CLEAR_X86_64(NULL, stosb_clear),
};
