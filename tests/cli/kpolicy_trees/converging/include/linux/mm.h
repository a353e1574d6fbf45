/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_MM_H
#define LINUX_MM_H

#if defined(CONFIG_TRANSPARENT_HUGEPAGE) || defined(CONFIG_HUGETLBFS)
void clear_huge_page(struct page *page, unsigned long addr_hint,
		     unsigned int pages_per_huge_page);
#else
static inline void clear_huge_page(struct page *page, unsigned long addr_hint,
				   unsigned int pages_per_huge_page)
{
}
#endif

#endif
