// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/highmem.h>

static void kernel_init_pages(struct page *page, int nr)
{
	struct page *const end = page + nr;

	kasan_disable_current();
	while (page < end)
		clear_one_highpage(page++);
	kasan_enable_current();
}
