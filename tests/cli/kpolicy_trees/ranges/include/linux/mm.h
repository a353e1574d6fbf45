/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_MM_H
#define LINUX_MM_H

/* Has the architecture a store for many pages? */
#ifdef clear_pages
#define CLEARS_MANY 1
#else
#define CLEARS_MANY 0
static inline void clear_pages(void *to, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		clear_page(to + i * PAGE_SIZE);
}
#endif

/* Pages between two resched calls. */
#define ZERO_AT_ONCE (CLEARS_MANY ? SZ_32M / (int)PAGE_SIZE : 1)

void folio_zero_user(struct folio *folio, unsigned long addr_hint);

#endif
