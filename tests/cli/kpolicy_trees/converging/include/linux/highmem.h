/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_HIGHMEM_H
#define LINUX_HIGHMEM_H

#ifndef clear_user_highpage
static inline void clear_user_highpage(struct page *page, unsigned long user)
{
	void *to = kmap_local_page(page);

	clear_user_page(to, user, page);
	kunmap_local(to);
}
#endif

static inline void clear_one_highpage(struct page *page)
{
	void *to = kmap_atomic(page);

	clear_page(kasan_reset_tag(to));
	kunmap_atomic(to);
}

#endif
