/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_HIGHMEM_H
#define LINUX_HIGHMEM_H

static inline void clear_user_highpages(struct page *page, unsigned long user,
					unsigned int nr)
{
#ifdef clear_user_pages
	clear_user_pages(page_address(page), user, page, nr);
#else
	for (unsigned int i = 0; i < nr; i++)
		clear_page(page_address(page + i));
#endif
}

#endif
