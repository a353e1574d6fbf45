// SPDX-License-Identifier: GPL-2.0-or-later
/* One rep stosq. */
#include <fz/clear.h>

#include "x86_64.h"

#ifdef __x86_64__
static void stosq_clear(void *dst, size_t len_bytes)
{
	size_t nr_words = len_bytes / 8;

	asm volatile("rep stosq"
		     : "+D"(dst), "+c"(nr_words)
		     : "a"(0ull)
		     : "memory");
}
#endif

const struct fz_clear fz_clear_stosq = {
	.name = "stosq",
	.summary = "one rep stosq an extent: kernels on CPUs without ERMS",
	.unit_bytes = 8,
	FZ_CLEAR_X86_64(NULL, stosq_clear),
};
