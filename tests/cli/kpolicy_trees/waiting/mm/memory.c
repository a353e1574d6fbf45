// SPDX-License-Identifier: GPL-2.0-or-later
void folio_zero_user(struct folio *folio, unsigned long addr_hint)
{
	const unsigned long nr = folio_nr_pages(folio);

	for (unsigned long i = 0; i < nr; i++) {
		if (need_resched())
			cond_resched();
		clear_page(kmap_local_folio(folio, i * PAGE_SIZE));
	}
}
