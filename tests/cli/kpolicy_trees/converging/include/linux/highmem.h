/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_HIGHMEM_H
#define LINUX_HIGHMEM_H

#ifndef clear_user_highpage
static inline void clear_user_highpage(struct page *page, unsigned long user)
{
	clear_user_page(page_address(page), user, page);
}
#endif

static inline void clear_one_highpage(struct page *page)
{
	char *const mapped = kasan_reset_tag(kmap_atomic(page));

	clear_page(mapped);
	kunmap_atomic(mapped);
}

#endif
