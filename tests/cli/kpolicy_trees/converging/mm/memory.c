// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions that stand before and after are none of kpolicy's business. */
#include <linux/mm.h>

struct visit {
	struct page *pages;
	unsigned long user;
};

/* Nor are those that only have the name of a variable or a member there. */
static int left(int count)
{
	return count ? cannot_be_compiled(count) : 0;
}

static int pages(int count)
{
	return count ? cannot_be_compiled(count) : 0;
}

#if defined(CONFIG_TRANSPARENT_HUGEPAGE) || defined(CONFIG_HUGETLBFS)
typedef void (*visit_fn)(const struct visit *visit, int index);

static void visit_one(const struct visit *visit, int index)
{
	clear_user_highpage(nth_page(visit->pages, index),
			    visit->user + index * PAGE_SIZE);
}

static void rest_then(const struct visit *visit, visit_fn one, int index)
{
	cond_resched();
	one(visit, index);
}

static inline void towards(const struct visit *visit, int hit, int nr,
			   visit_fn one)
{
	int left = max(0, 2 * hit - nr), right = min(2 * hit, nr);

	for (int i = nr; i-- > right;)
		rest_then(visit, one, i);
	for (int i = 0; i < left; i++)
		rest_then(visit, one, i);
	while (left < right) {
		rest_then(visit, one, left++);
		rest_then(visit, one, --right);
	}
}

void clear_huge_page(struct page *page, unsigned long addr_hint,
		     unsigned int pages_per_huge_page)
{
	const unsigned long bytes = pages_per_huge_page * PAGE_SIZE;
	const struct visit visit = { page, addr_hint / bytes * bytes };

	might_sleep();
	if (likely(pages_per_huge_page <= MAX_ORDER_NR_PAGES)) {
		towards(&visit, (addr_hint - visit.user) / PAGE_SIZE,
			pages_per_huge_page, visit_one);
		return;
	}
	for (int i = 0; i < pages_per_huge_page; i++)
		rest_then(&visit, visit_one, i);
}
#endif
