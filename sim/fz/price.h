/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan costs, worked out instead of measured. */
#ifndef FZ_PRICE_H
#define FZ_PRICE_H

#include <stdint.h>

#include <fz/plan.h>
#include <fz/recorder.h>

/**
 * DOC: prices
 *
 * Each call of a plan has a fixed price: a clear so much a call and so much a
 * page, by its hint; a resched point that acts so much. Caches, contention and
 * the page fault around it are left out. Integers, so that the same recording
 * comes to the same figures everywhere.
 *
 * These are the prices of one machine: what foliosim bench measured on a Xeon
 * guest, in which policies differ by calls, hints and points alone. They serve
 * to compare policies and folio sizes, not to predict another machine.
 */

/* A page through the caches in large calls: 4 KiB at 10 GB/s, which is also
 * what the kernel's batch of 32 MiB is made for. */
#define FZ_PRICE_CACHED_PAGE_NS 410u
/* A page of streaming stores: large folios clear 2.25 times as fast with them.
 */
#define FZ_PRICE_STREAMED_PAGE_NS 182u
/* A call: what page by page is slower than in one sweep, for each page. */
#define FZ_PRICE_CALL_NS 70u
/* A resched point that has nothing to do. */
#define FZ_PRICE_POINT_NS 1u

/**
 * struct fz_prices - a price list
 * @cached_page_ns: clearing a page with hint cached
 * @streamed_page_ns: with hint streaming
 * @call_ns: of each clear call, whatever its size
 * @point_ns: a resched point that acts
 */
struct fz_prices {
	uint64_t cached_page_ns;
	uint64_t streamed_page_ns;
	uint64_t call_ns;
	uint64_t point_ns;
};

/* Those above. */
extern const struct fz_prices fz_prices_default;

/**
 * fz_price_plan() - the price of a plan, in O(runs)
 * @plan: the plan
 * @model: decides which calls act
 * @prices: the price list
 * @nr: how many faults take this plan
 * @samples: a fault and its stretches are added, @nr times
 *
 * A point belongs to the stretch that it ends, as in recorder.h; one before
 * which nothing was cleared is in no stretch.
 *
 * Return: ns of one fault.
 */
uint64_t fz_price_plan(const struct fz_plan *plan, enum fz_preempt model,
		       const struct fz_prices *prices, uint64_t nr,
		       struct fz_samples *samples);

#endif
