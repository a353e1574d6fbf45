// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/mm.h>

enum {
	NEAR = 2,
};

static s64 inside(s64 page, s64 last)
{
	return clamp_t(s64, page, 0, last);
}

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
	const unsigned long user = round_down(addr_hint, folio_size(folio));
	struct page *const pages = folio_page(folio, 0);
	const s64 last = folio_nr_pages(folio) - 1;
	const s64 hit = (addr_hint - user) >> PAGE_SHIFT;
	struct range close;

	memset(&close, 0, sizeof(close));
	if (last >= MAX_ORDER_NR_PAGES) {
		close.end = last;
		zero_range(pages, user, close);
		return;
	}
	close.start = inside(hit - NEAR, last);
	close.end = inside(hit + NEAR, last);
	if ((s64)close.end < last)
		zero_range(pages, user, DEFINE_RANGE(close.end + 1, last));
	if (close.start)
		zero_range(pages, user, DEFINE_RANGE(0, close.start - 1));
	zero_range(pages, user, close);
}
