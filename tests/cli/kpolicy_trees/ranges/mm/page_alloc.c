// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/mm.h>

static void kernel_init_pages(struct page *page, int nr, gfp_t flags)
{
	char *to = page_address(page);
	int left = nr, now;

	for (; left; left -= now, to += now * PAGE_SIZE) {
		cond_resched();
		now = IS_ENABLED(CONFIG_PREEMPTION) ? left
						    : min(left, ZERO_AT_ONCE);
		clear_pages(to, now);
	}
}
