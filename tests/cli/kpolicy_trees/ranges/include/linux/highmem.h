/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_HIGHMEM_H
#define LINUX_HIGHMEM_H

#if defined(CONFIG_HIGHMEM)
static inline void clear_user_highpages(struct page *page, unsigned long user,
					unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		char *const mapped = kmap_local_page(nth_page(page, i));

		clear_page(mapped);
		kunmap_local(mapped);
	}
}
#else
static inline void clear_user_highpages(struct page *page, unsigned long user,
					unsigned int nr)
{
	clear_pages(page_address(page), nr);
}
#endif

#endif
