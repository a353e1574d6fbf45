/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_HIGHMEM_H
#define LINUX_HIGHMEM_H

#if defined(CONFIG_HIGHMEM)
static inline void clear_user_highpages(struct page *page, unsigned long user,
					unsigned int nr)
{
	for (; nr; nr--, page++, user += PAGE_SIZE) {
		void *to = kmap_local_page(page);

		clear_page(to);
		kunmap_local(to);
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
