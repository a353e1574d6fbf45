// SPDX-License-Identifier: GPL-2.0-or-later
/* The obvious loop over extents, to compare the engines' speed with. */
#include "plain_clear.h"

#define PLAIN_PAGE_BYTES 4096

void plain_clear_extents(char *base, uint64_t nr, const uint64_t *first_page,
			 const uint64_t *nr_pages,
			 void (*clear)(void *dst, size_t len_bytes))
{
	for (uint64_t i = 0; i < nr; i++)
		clear(base + first_page[i] * PLAIN_PAGE_BYTES,
		      nr_pages[i] * PLAIN_PAGE_BYTES);
}
