// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/mm.h>

enum {
	NEAR = 2,
};

static void zero_range(struct page *pages, unsigned long user,
		       struct range range)
{
	const s64 most =
		preempt_model_preemptible() ? range_len(&range) : ZERO_AT_ONCE;

	for (s64 at = range.start; at <= (s64)range.end;) {
		const s64 now = min(most, (s64)range.end + 1 - at);

		clear_user_highpages(nth_page(pages, at), user + at * PAGE_SIZE,
				     now);
		at += now;
		cond_resched();
	}
}

void folio_zero_user(struct folio *folio, unsigned long addr_hint)
{
	const unsigned long user = ALIGN_DOWN(addr_hint, folio_size(folio));
	const s64 end = folio_nr_pages(folio) - 1;
	const s64 hit = (addr_hint - user) / PAGE_SIZE;
	struct range close;

	if (folio_nr_pages(folio) > MAX_ORDER_NR_PAGES) {
		zero_range(folio_page(folio, 0), user, DEFINE_RANGE(0, end));
		return;
	}
	close = DEFINE_RANGE(clamp_t(s64, hit - NEAR, 0, end),
			     clamp_t(s64, hit + NEAR, 0, end));
	if ((s64)close.end < end)
		zero_range(folio_page(folio, 0), user,
			   DEFINE_RANGE(close.end + 1, end));
	if (close.start)
		zero_range(folio_page(folio, 0), user,
			   DEFINE_RANGE(0, close.start - 1));
	zero_range(folio_page(folio, 0), user, close);
}
