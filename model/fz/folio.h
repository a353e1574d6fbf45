/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folio geometry: from a faulting address to a page of a folio. */
#ifndef FZ_FOLIO_H
#define FZ_FOLIO_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/range.h>

/**
 * DOC: folio geometry
 *
 * A folio is a run of pages, naturally aligned to its own size. Real ones hold
 * 2^order pages; nothing in the model needs a power of two except the way from
 * an address to a page index. The kernel passes the faulting address as
 * addr_hint to folio_zero_user() (clear_huge_page() up to 6.11); where the
 * access is unknown the hint is the folio's base, that is page 0.
 */

#define FZ_PAGE_SHIFT 12
#define FZ_PAGE_BYTES (1ull << FZ_PAGE_SHIFT)

/* MAX_ORDER_NR_PAGES on x86-64: order 10, 4 MiB. */
#define FZ_MAX_ORDER_NR_PAGES 1024ull

/* Pages kept on each side of the faulting page, as in the kernel since 7.0. */
#define FZ_RADIUS_PAGES 2ull

/**
 * fz_folio_is_gigantic() - is the folio beyond what the buddy allocator holds?
 * @nr_pages: pages in the folio
 *
 * Return: true for more than FZ_MAX_ORDER_NR_PAGES pages.
 */
bool fz_folio_is_gigantic(uint64_t nr_pages);

/**
 * fz_folio_base() - user address of the folio that holds an address
 * @addr_hint: the faulting user address, any byte
 * @folio_bytes: a power of two, at least one page
 *
 * Return: addr_hint aligned down to the folio size.
 */
uint64_t fz_folio_base(uint64_t addr_hint, uint64_t folio_bytes);

/**
 * fz_folio_fault_page() - index of the faulting page in its folio (fault_idx)
 * @addr_hint: the faulting user address, any byte
 * @folio_bytes: a power of two, at least one page
 *
 * Return: a page index in [0, folio_bytes / FZ_PAGE_BYTES).
 */
uint64_t fz_folio_fault_page(uint64_t addr_hint, uint64_t folio_bytes);

/**
 * struct fz_neighbourhood - a folio cut in three around the faulting page
 * @left: pages before the near range; may be empty
 * @near: the faulting page and up to radius pages on each side; never empty
 * @right: pages after the near range; may be empty
 *
 * The three are disjoint and together are the folio.
 */
struct fz_neighbourhood {
	struct fz_range left;
	struct fz_range near;
	struct fz_range right;
};

/**
 * fz_neighbourhood_of() - cut a folio around its faulting page
 * @nr_pages: pages in the folio, at least 1
 * @fault_page: index of the faulting page, below @nr_pages
 * @radius_pages: pages on each side that count as near; any value
 *
 * Return: the three ranges.
 */
struct fz_neighbourhood fz_neighbourhood_of(uint64_t nr_pages,
					    uint64_t fault_page,
					    uint64_t radius_pages);

#endif
