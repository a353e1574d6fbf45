/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_MM_H
#define LINUX_MM_H

#ifndef clear_pages
static inline void clear_pages(void *to, unsigned int nr)
{
	while (nr--) {
		clear_page(to);
		to += PAGE_SIZE;
	}
}
#endif

/* Pages between two resched calls. */
#ifndef ZERO_AT_ONCE
#ifdef clear_pages
#define ZERO_AT_ONCE (SZ_32M >> PAGE_SHIFT)
#else
#define ZERO_AT_ONCE 1
#endif
#endif

void folio_zero_user(struct folio *folio, unsigned long addr_hint);

#endif
