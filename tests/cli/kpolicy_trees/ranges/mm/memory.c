// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/mm.h>

/* Kept for the end, on each side. */
#define NEAR 2L

/* Its "braces { in a string" and '{' are none. */
static long at_once(long left)
{
	long most = ZERO_AT_ONCE;

	if (preempt_model_preemptible())
		most = left;
	return min(left, most);
}

static void zero_stretch(struct folio *folio, unsigned long user, long from,
			 long to)
{
	if (from >= to)
		return;
	might_sleep();
	while (from < to) {
		const long now = at_once(to - from);

		cond_resched();
		clear_user_highpages(folio_page(folio, from),
				     user + from * PAGE_SIZE, now);
		from += now;
	}
}

void folio_zero_user(struct folio *folio, unsigned long addr_hint)
{
	const unsigned long into = addr_hint % folio_size(folio);
	const unsigned long user = addr_hint - into;
	const long nr = folio_nr_pages(folio);
	const long hit = into >> PAGE_SHIFT;
	const long from = max(hit - NEAR, 0L);
	const long to = min(hit + NEAR + 1, nr);

	zero_stretch(folio, user, to, nr);
	zero_stretch(folio, user, 0, from);
	zero_stretch(folio, user, from, to);
}
