// SPDX-License-Identifier: GPL-2.0-or-later
/* Folio geometry. */
#include <fz/folio.h>

#include <assert.h>

bool fz_folio_is_gigantic(uint64_t nr_pages)
{
	return nr_pages > FZ_MAX_ORDER_NR_PAGES;
}

uint64_t fz_folio_base(uint64_t addr_hint, uint64_t folio_bytes)
{
	assert(folio_bytes >= FZ_PAGE_BYTES);
	assert((folio_bytes & (folio_bytes - 1)) == 0);
	return addr_hint & ~(folio_bytes - 1);
}

uint64_t fz_folio_fault_page(uint64_t addr_hint, uint64_t folio_bytes)
{
	return (addr_hint - fz_folio_base(addr_hint, folio_bytes)) >>
	       FZ_PAGE_SHIFT;
}

struct fz_neighbourhood fz_neighbourhood_of(uint64_t nr_pages,
					    uint64_t fault_page,
					    uint64_t radius_pages)
{
	uint64_t before, after, first, end;

	assert(fault_page < nr_pages);
	/* Cut the radius on each side before adding: it may be any value. */
	before = fault_page;
	after = nr_pages - 1 - fault_page;
	first = fault_page - (before < radius_pages ? before : radius_pages);
	end = fault_page + 1 + (after < radius_pages ? after : radius_pages);
	return (struct fz_neighbourhood){
		.left = { 0, first },
		.near = { first, end - first },
		.right = { end, nr_pages - end },
	};
}
