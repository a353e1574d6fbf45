// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/mm.h>

/* Kept for the end, on each side. */
#define NEAR 2L

/* Its "braces { in a string" and '{' are none. */
static void zero_stretch(struct folio *folio, unsigned long user, long from,
			 long to)
{
	const long step =
		preempt_model_preemptible() ? to - from : ZERO_AT_ONCE;

	if (from >= to)
		return;
	might_sleep();
	for (long at = from; at < to; at += step) {
		cond_resched();
		clear_user_highpages(folio_page(folio, at),
				     user + at * PAGE_SIZE, min(step, to - at));
	}
}

void folio_zero_user(struct folio *folio, unsigned long addr_hint)
{
	const unsigned long user = ALIGN_DOWN(addr_hint, folio_size(folio));
	const long hit = (addr_hint - user) >> PAGE_SHIFT;
	const long nr = folio_nr_pages(folio);
	const long from = max(hit - NEAR, 0L);
	const long to = min(hit + NEAR + 1, nr);

	zero_stretch(folio, user, to, nr);
	zero_stretch(folio, user, 0, from);
	zero_stretch(folio, user, from, to);
}
