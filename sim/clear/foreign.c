// SPDX-License-Identifier: GPL-2.0-or-later
/* What no primitive of another architecture may come to. */
#include "foreign.h"

#include <assert.h>

void fz_clear_nowhere(void *dst, size_t len_bytes)
{
	(void)dst;
	(void)len_bytes;
	assert(!"called where it is not supported");
}
