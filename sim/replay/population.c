// SPDX-License-Identifier: GPL-2.0-or-later
/* What each fault comes to, for all folio sizes in one pass. */
#include <fz/population.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>

#include "mappings.h"
#include "page_blocks.h"

/* A region is 512 pages, a span 512 regions. */
#define REGION_ORDER 9u
#define SPAN_ORDER   18u

/*
 * In a slot bit i of a region says that page i faulted since its folio was
 * made; of a span, that any page of region i did.
 */
struct choice {
	struct fz_folio_choice what;
	unsigned int slot;
};

/*
 * An auto choice has the slot behind its own too, where a bit says that a folio
 * ends before this page. What is between two such ends is a folio if any page
 * of it faulted, and free otherwise. Until a region is split, it is one folio
 * (`whole`) or single pages.
 */
struct fz_population {
	struct choice choices[FZ_MAX_FOLIO_CHOICES];
	size_t nr_choices;
	size_t nr_large; /* choices above a region */
	const struct choice *autom;
	unsigned int nr_slots;
	uint64_t unit_mask;
	struct fz_blocks regions;
	struct fz_blocks spans;
	struct fz_mappings mappings;
};

/* A fault on its way through the choices. */
struct fault {
	struct fz_population *population;
	uint32_t pid;
	struct fz_block region;
	struct fz_block span; /* with large choices */
	uint64_t addr;
	unsigned int page; /* in the region */
	unsigned int at;   /* the region in its span */
	bool says_absent;
};

int fz_population_open(struct fz_population **out,
		       const struct fz_folio_choice *choices, size_t nr,
		       uint64_t unit_bytes)
{
	struct fz_population *population = calloc(1, sizeof(*population));

	assert(nr >= 1 && nr <= FZ_MAX_FOLIO_CHOICES);
	if (!population)
		return -ENOMEM;
	population->nr_choices = nr;
	population->unit_mask = ~(unit_bytes - 1);
	for (size_t i = 0; i < nr; i++) {
		struct choice *choice = &population->choices[i];

		choice->what = choices[i];
		choice->slot = population->nr_slots++;
		if (choices[i].auto_orders) {
			assert(!population->autom);
			population->autom = choice;
			population->nr_slots++;
		} else {
			assert(choices[i].order <= FZ_MAX_FOLIO_ORDER);
			population->nr_large += choices[i].order > REGION_ORDER;
		}
	}
	fz_blocks_init(&population->regions, population->nr_slots);
	fz_blocks_init(&population->spans, population->nr_slots);
	fz_mappings_init(&population->mappings, FZ_MAPPING_BYTES);
	*out = population;
	return 0;
}

void fz_population_close(struct fz_population *population)
{
	if (!population)
		return;
	fz_mappings_fini(&population->mappings);
	fz_blocks_fini(&population->regions);
	fz_blocks_fini(&population->spans);
	free(population);
}

/* Folios of an auto choice in a region that is split. */
static void split_ends(const struct fz_population *population,
		       struct fz_block region, bool whole)
{
	const unsigned int slot = population->autom->slot;
	const uint64_t *touched =
		fz_block_split_bits(&population->regions, region, slot);
	uint64_t *ends =
		fz_block_split_bits(&population->regions, region, slot + 1);

	bits_clear(ends, 0, FZ_BITS);
	if (whole)
		return;
	for (unsigned int i = 0; i < FZ_BITS; i++) {
		if (!bits_test(touched, i))
			continue;
		bits_set(ends, i);
		if (i + 1 < FZ_BITS)
			bits_set(ends, i + 1);
	}
}

static int split(struct fz_population *population, struct fz_blocks *blocks,
		 struct fz_block block)
{
	bool whole;

	if (fz_block_is_split(block) || population->nr_slots == 1)
		return 0;
	whole = fz_block_is_whole(block);
	if (fz_block_split(blocks, block))
		return -ENOMEM;
	if (population->autom && blocks == &population->regions)
		split_ends(population, block, whole);
	return 0;
}

/* Pages [first, first + nr) of a region. */
struct pages {
	unsigned int first;
	unsigned int nr;
};

static struct pages aligned_pages(unsigned int page, unsigned int order)
{
	return (struct pages){ page >> order << order, 1u << order };
}

/* The folio of an auto choice around a page, or the free pages around it. */
static struct pages auto_pages(const struct fault *fault)
{
	const struct choice *autom = fault->population->autom;
	const uint64_t *ends;
	unsigned int first;

	if (!fz_block_is_split(fault->region))
		return fz_block_is_whole(fault->region)
			       ? (struct pages){ 0, FZ_BITS }
			       : (struct pages){ fault->page, 1 };
	ends = fz_block_split_bits(&fault->population->regions, fault->region,
				   autom->slot + 1);
	first = bits_last_at(ends, fault->page);
	return (struct pages){
		first,
		bits_first_from(ends, fault->page + 1) - first,
	};
}

/* The largest folio that THP would make, in a mapping that is known. */
static unsigned int auto_order(const struct fault *fault, const uint64_t *bits,
			       const struct fz_area *area)
{
	const uint32_t orders = fault->population->autom->what.auto_orders;

	for (unsigned int order = FZ_MAX_AUTO_ORDER; order > 0; order--) {
		const uint64_t bytes = FZ_PAGE_BYTES << order;
		const uint64_t start = fault->addr & ~(bytes - 1);
		const struct pages pages = aligned_pages(fault->page, order);

		if (orders & 1u << order && start >= area->start &&
		    start + bytes <= area->end &&
		    !bits_any(bits, pages.first, pages.nr))
			return order;
	}
	return 0;
}

/* A folio is there now: its ends are noted. */
static int auto_make(struct fault *fault, unsigned int order)
{
	const struct choice *autom = fault->population->autom;
	struct fz_blocks *regions = &fault->population->regions;
	const struct pages pages = aligned_pages(fault->page, order);
	const bool is_split = fz_block_is_split(fault->region);
	uint64_t *ends;

	if (!is_split && order == 0)
		return 0;
	if (!is_split && order == REGION_ORDER) {
		fz_block_set_whole(fault->region);
		return 0;
	}
	if (split(fault->population, regions, fault->region))
		return -ENOMEM;
	ends = fz_block_split_bits(regions, fault->region, autom->slot + 1);
	bits_clear(ends, pages.first, pages.nr);
	bits_set(ends, pages.first);
	if (pages.first + pages.nr < FZ_BITS)
		bits_set(ends, pages.first + pages.nr);
	return 0;
}

static int auto_fault(struct fault *fault, struct fz_folio_answer *answer)
{
	struct fz_blocks *regions = &fault->population->regions;
	const unsigned int slot = fault->population->autom->slot;
	const struct pages pages = auto_pages(fault);
	const struct fz_area *area;
	uint64_t room[FZ_BITS_WORDS];
	const uint64_t *bits =
		fz_block_bits(regions, fault->region, slot, room);

	if (bits_any(bits, pages.first, pages.nr)) {
		if (!bits_test(bits, fault->page)) {
			answer->outcome = FZ_FOLIO_THERE;
			return 0;
		}
		if (!fault->says_absent) {
			answer->outcome = FZ_FOLIO_REPEAT;
			return 0;
		}
		if (fz_block_clear(regions, fault->region, slot, pages.first,
				   pages.nr))
			return -ENOMEM;
		bits = fz_block_bits(regions, fault->region, slot, room);
		answer->freed = true;
	}
	area = fz_mappings_find(&fault->population->mappings, fault->pid,
				fault->addr);
	answer->unmapped = !area;
	answer->order = area ? auto_order(fault, bits, area) : 0;
	return auto_make(fault, answer->order);
}

/* The bitmaps of a choice around a fault: a region's, and a span's. */
static const uint64_t *region_bits(const struct fault *fault,
				   const struct choice *choice,
				   uint64_t room[FZ_BITS_WORDS])
{
	return fz_block_bits(&fault->population->regions, fault->region,
			     choice->slot, room);
}

static const uint64_t *span_bits(const struct fault *fault,
				 const struct choice *choice,
				 uint64_t room[FZ_BITS_WORDS])
{
	return fz_block_bits(&fault->population->spans, fault->span,
			     choice->slot, room);
}

/* Is any page of the folio around the page known? */
static bool fixed_is_there(const struct fault *fault,
			   const struct choice *choice)
{
	const unsigned int order = choice->what.order;
	uint64_t room[FZ_BITS_WORDS];
	struct pages pages;

	if (order <= REGION_ORDER) {
		pages = aligned_pages(fault->page, order);
		return bits_any(region_bits(fault, choice, room), pages.first,
				pages.nr);
	}
	pages = aligned_pages(fault->at, order - REGION_ORDER);
	return bits_any(span_bits(fault, choice, room), pages.first, pages.nr);
}

/* A region of the span is without pages now. */
static int forget_region(struct fault *fault, const struct choice *choice,
			 unsigned int at)
{
	struct fz_population *population = fault->population;
	const uint64_t span = (fault->addr & population->unit_mask) >>
			      (FZ_PAGE_SHIFT + SPAN_ORDER);
	struct fz_block region;

	if (!fz_blocks_find(&population->regions, fault->pid,
			    span * FZ_BITS + at, &region))
		return 0;
	if (split(population, &population->regions, region))
		return -ENOMEM;
	return fz_block_clear(&population->regions, region, choice->slot, 0,
			      FZ_BITS);
}

/* Forget a folio above a region, region by region. */
static int forget_large(struct fault *fault, const struct choice *choice)
{
	const struct pages pages =
		aligned_pages(fault->at, choice->what.order - REGION_ORDER);
	const unsigned int end = pages.first + pages.nr;
	uint64_t room[FZ_BITS_WORDS];
	const uint64_t *at = span_bits(fault, choice, room);
	int code = 0;

	for (unsigned int i = bits_first_from(at, pages.first);
	     i < end && !code; i = bits_first_from(at, i + 1))
		code = forget_region(fault, choice, i);
	if (code)
		return code;
	return fz_block_clear(&fault->population->spans, fault->span,
			      choice->slot, pages.first, pages.nr);
}

static int forget(struct fault *fault, const struct choice *choice)
{
	struct pages pages;

	if (choice->what.order > REGION_ORDER)
		return forget_large(fault, choice);
	pages = aligned_pages(fault->page, choice->what.order);
	return fz_block_clear(&fault->population->regions, fault->region,
			      choice->slot, pages.first, pages.nr);
}

static int fixed_fault(struct fault *fault, const struct choice *choice,
		       struct fz_folio_answer *answer)
{
	uint64_t room[FZ_BITS_WORDS];

	answer->order = (uint8_t)choice->what.order;
	if (bits_test(region_bits(fault, choice, room), fault->page)) {
		if (!fault->says_absent) {
			answer->outcome = FZ_FOLIO_REPEAT;
			return 0;
		}
		answer->freed = true;
		return forget(fault, choice);
	}
	if (fixed_is_there(fault, choice))
		answer->outcome = FZ_FOLIO_THERE;
	return 0;
}

static int choice_fault(struct fault *fault, const struct choice *choice,
			struct fz_folio_answer *answer)
{
	*answer = (struct fz_folio_answer){ .outcome = FZ_FOLIO_MADE };
	return choice->what.auto_orders ? auto_fault(fault, answer)
					: fixed_fault(fault, choice, answer);
}

/* Sizes forget different folios: from here on they have bitmaps of their own.
 */
static int split_before_forgetting(struct fault *fault)
{
	struct fz_population *population = fault->population;
	uint64_t room[FZ_BITS_WORDS];
	bool forgets = false;

	if (!fault->says_absent || population->nr_slots == 1)
		return 0;
	for (size_t i = 0; i < population->nr_choices && !forgets; i++)
		forgets = bits_test(
			region_bits(fault, &population->choices[i], room),
			fault->page);
	if (!forgets)
		return 0;
	if (split(population, &population->regions, fault->region))
		return -ENOMEM;
	return population->nr_large > 1
		       ? split(population, &population->spans, fault->span)
		       : 0;
}

/* A bit is there now, for each choice. */
static int set_bit(const struct fz_population *population,
		   struct fz_blocks *blocks, struct fz_block block,
		   unsigned int i)
{
	const size_t nr = fz_block_is_split(block) ? population->nr_choices : 1;
	int code = 0;

	for (size_t c = 0; c < nr && !code; c++)
		code = fz_block_set(blocks, block, population->choices[c].slot,
				    i);
	return code;
}

/* The page is there now, whatever the size. */
static int populate(struct fault *fault)
{
	struct fz_population *population = fault->population;
	int code = set_bit(population, &population->regions, fault->region,
			   fault->page);

	if (!code && population->nr_large)
		code = set_bit(population, &population->spans, fault->span,
			       fault->at);
	return code;
}

static int fault_begin(struct fault *fault)
{
	struct fz_population *population = fault->population;
	const uint64_t page =
		(fault->addr & population->unit_mask) >> FZ_PAGE_SHIFT;
	int code;

	fault->page = page % FZ_BITS;
	fault->at = (page >> REGION_ORDER) % FZ_BITS;
	code = fz_blocks_get(&population->regions, fault->pid,
			     page >> REGION_ORDER, &fault->region);
	if (!code && population->nr_large)
		code = fz_blocks_get(&population->spans, fault->pid,
				     page >> SPAN_ORDER, &fault->span);
	return code;
}

int fz_population_fault(struct fz_population *population, uint32_t pid,
			uint64_t addr, bool says_absent,
			struct fz_folio_answer *answers)
{
	struct fault fault = {
		.population = population,
		.pid = pid,
		.addr = addr,
		.says_absent = says_absent,
	};
	int code = fault_begin(&fault);

	if (!code)
		code = split_before_forgetting(&fault);
	for (size_t i = 0; i < population->nr_choices && !code; i++)
		code = choice_fault(&fault, &population->choices[i],
				    &answers[i]);
	return code ? code : populate(&fault);
}

static void forget_pages(struct fz_population *population, uint32_t pid)
{
	fz_blocks_drop(&population->regions, pid);
	if (population->nr_large)
		fz_blocks_drop(&population->spans, pid);
}

void fz_population_clear(struct fz_population *population, uint32_t pid)
{
	forget_pages(population, pid);
	fz_mappings_clear(&population->mappings, pid);
}

int fz_population_map(struct fz_population *population, uint32_t pid,
		      uint64_t start, uint64_t bytes,
		      enum fz_fault_backing backing)
{
	const struct fz_area area = {
		.start = start,
		.end = start + bytes < start ? UINT64_MAX : start + bytes,
		.backing = backing,
	};

	return fz_mappings_set(&population->mappings, pid, area);
}

int fz_population_fork(struct fz_population *population, uint32_t parent,
		       uint32_t child)
{
	/* The end of the process that had the number before may be lost. */
	if (parent != child)
		forget_pages(population, child);
	return fz_mappings_fork(&population->mappings, parent, child);
}

enum fz_fault_backing fz_population_backing(struct fz_population *population,
					    uint32_t pid, uint64_t addr)
{
	const struct fz_area *area =
		fz_mappings_find(&population->mappings, pid, addr);

	return area ? (enum fz_fault_backing)area->backing : FZ_BACKING_UNKNOWN;
}

uint64_t fz_population_mappings_not_kept(const struct fz_population *population)
{
	return population->mappings.nr_not_kept;
}

uint64_t fz_population_regions(const struct fz_population *population)
{
	return fz_blocks_count(&population->regions);
}

uint64_t fz_population_bytes(const struct fz_population *population)
{
	return fz_blocks_bytes(&population->regions) +
	       fz_blocks_bytes(&population->spans);
}
