// SPDX-License-Identifier: GPL-2.0-or-later
/* What each fault comes to, for all folio sizes in one pass. */
#include <fz/population.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>

#include "areas.h"
#include "hash.h"
#include "page_blocks.h"

/* A region is 512 pages, a span 512 regions. */
#define REGION_ORDER 9u
#define SPAN_ORDER   18u

struct process {
	uint32_t pid;
	uint32_t regions; /* list of blocks */
	uint32_t spans;
	struct fz_areas areas;
	UT_hash_handle hh;
};

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
	struct process *processes;
	struct process *found; /* last */
};

/* A fault on its way through the choices. */
struct fault {
	struct fz_population *population;
	struct process *process;
	struct fz_block *region;
	struct fz_block *span; /* NULL without large choices */
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
	*out = population;
	return 0;
}

void fz_population_close(struct fz_population *population)
{
	struct process *process, *next;

	if (!population)
		return;
	HASH_ITER (hh, population->processes, process, next) {
		HASH_DEL(population->processes, process);
		fz_areas_fini(&process->areas);
		free(process);
	}
	fz_blocks_fini(&population->regions);
	fz_blocks_fini(&population->spans);
	free(population);
}

static struct process *process_find(struct fz_population *population,
				    uint32_t pid)
{
	struct process *process = population->found;

	if (process && process->pid == pid)
		return process;
	HASH_FIND(hh, population->processes, &pid, sizeof(pid), process);
	if (process)
		population->found = process;
	return process;
}

/* The process, new if need be; NULL without memory. */
static struct process *process_get(struct fz_population *population,
				   uint32_t pid)
{
	struct process *process = process_find(population, pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->regions = process->spans = FZ_NO_BLOCK;
	HASH_ADD(hh, population->processes, pid, sizeof(process->pid), process);
	if (!process->hh.tbl) {
		free(process);
		return NULL;
	}
	population->found = process;
	return process;
}

static struct fz_block *block_get(struct fz_blocks *blocks, uint32_t pid,
				  uint64_t number, uint32_t *list)
{
	struct fz_block *block = fz_blocks_find(blocks, pid, number);

	return block ? block : fz_blocks_add(blocks, pid, number, list);
}

/* Folios of an auto choice in a region that is split. */
static void split_ends(const struct choice *autom, struct fz_block *region)
{
	const uint64_t *touched = region->more[autom->slot];
	uint64_t *ends = region->more[autom->slot + 1];

	bits_clear(ends, 0, FZ_BITS);
	if (region->whole)
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
		 struct fz_block *block)
{
	if (block->is_split || population->nr_slots == 1)
		return 0;
	if (fz_blocks_split(blocks, block))
		return -ENOMEM;
	if (population->autom && blocks == &population->regions)
		split_ends(population->autom, block);
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
static struct pages auto_pages(struct fault *fault)
{
	const struct choice *autom = fault->population->autom;
	unsigned int first;

	if (!fault->region->is_split)
		return fault->region->whole ? (struct pages){ 0, FZ_BITS }
					    : (struct pages){ fault->page, 1 };
	first = bits_last_at(fault->region->more[autom->slot + 1], fault->page);
	return (struct pages){
		first,
		bits_first_from(fault->region->more[autom->slot + 1],
				fault->page + 1) -
			first,
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
	struct fz_block *region = fault->region;
	const struct pages pages = aligned_pages(fault->page, order);
	uint64_t *ends;

	if (!region->is_split && order == 0)
		return 0;
	if (!region->is_split && order == REGION_ORDER) {
		region->whole = true;
		return 0;
	}
	if (split(fault->population, &fault->population->regions, region))
		return -ENOMEM;
	ends = region->more[autom->slot + 1];
	bits_clear(ends, pages.first, pages.nr);
	bits_set(ends, pages.first);
	if (pages.first + pages.nr < FZ_BITS)
		bits_set(ends, pages.first + pages.nr);
	return 0;
}

static int auto_fault(struct fault *fault, struct fz_folio_answer *answer)
{
	struct fz_block *region = fault->region;
	uint64_t *bits = fz_block_bits(region, fault->population->autom->slot);
	const struct pages pages = auto_pages(fault);
	const struct fz_area *area;

	if (bits_any(bits, pages.first, pages.nr)) {
		if (!bits_test(bits, fault->page)) {
			answer->outcome = FZ_FOLIO_THERE;
			return 0;
		}
		if (!fault->says_absent) {
			answer->outcome = FZ_FOLIO_REPEAT;
			return 0;
		}
		bits_clear(bits, pages.first, pages.nr);
		answer->freed = true;
	}
	area = fz_areas_find(&fault->process->areas, fault->addr);
	answer->unmapped = !area;
	answer->order = area ? auto_order(fault, bits, area) : 0;
	return auto_make(fault, answer->order);
}

/* Is any page of the folio around the page known? */
static bool fixed_is_there(const struct fault *fault,
			   const struct choice *choice)
{
	const unsigned int order = choice->what.order;
	struct pages pages;

	if (order <= REGION_ORDER) {
		pages = aligned_pages(fault->page, order);
		return bits_any(fz_block_bits(fault->region, choice->slot),
				pages.first, pages.nr);
	}
	pages = aligned_pages(fault->at, order - REGION_ORDER);
	return bits_any(fz_block_bits(fault->span, choice->slot), pages.first,
			pages.nr);
}

/* Forget a folio above a region, region by region. */
static int forget_large(struct fault *fault, const struct choice *choice)
{
	struct fz_population *population = fault->population;
	uint64_t *at = fz_block_bits(fault->span, choice->slot);
	const struct pages pages =
		aligned_pages(fault->at, choice->what.order - REGION_ORDER);
	const unsigned int end = pages.first + pages.nr;
	const uint64_t base = fault->span->key.number
			      << (SPAN_ORDER - REGION_ORDER);
	int code = 0;

	for (unsigned int i = bits_first_from(at, pages.first);
	     i < end && !code; i = bits_first_from(at, i + 1)) {
		struct fz_block *region = fz_blocks_find(
			&population->regions, fault->process->pid, base + i);

		code = split(population, &population->regions, region);
		if (!code)
			bits_clear(fz_block_bits(region, choice->slot), 0,
				   FZ_BITS);
	}
	bits_clear(at, pages.first, pages.nr);
	return code;
}

static int forget(struct fault *fault, const struct choice *choice)
{
	struct pages pages;

	if (choice->what.order > REGION_ORDER)
		return forget_large(fault, choice);
	pages = aligned_pages(fault->page, choice->what.order);
	bits_clear(fz_block_bits(fault->region, choice->slot), pages.first,
		   pages.nr);
	return 0;
}

static int fixed_fault(struct fault *fault, const struct choice *choice,
		       struct fz_folio_answer *answer)
{
	answer->order = (uint8_t)choice->what.order;
	if (bits_test(fz_block_bits(fault->region, choice->slot),
		      fault->page)) {
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
	bool forgets = false;

	if (!fault->says_absent || population->nr_slots == 1)
		return 0;
	for (size_t i = 0; i < population->nr_choices && !forgets; i++)
		forgets = bits_test(fz_block_bits(fault->region,
						  population->choices[i].slot),
				    fault->page);
	if (!forgets)
		return 0;
	if (split(population, &population->regions, fault->region))
		return -ENOMEM;
	return population->nr_large > 1
		       ? split(population, &population->spans, fault->span)
		       : 0;
}

/* The page is there now, whatever the size. */
static void populate(struct fault *fault)
{
	struct fz_population *population = fault->population;

	for (size_t i = 0; i < population->nr_choices; i++) {
		const unsigned int slot = population->choices[i].slot;

		bits_set(fz_block_bits(fault->region, slot), fault->page);
		if (fault->span)
			bits_set(fz_block_bits(fault->span, slot), fault->at);
	}
}

static int fault_begin(struct fault *fault, uint32_t pid)
{
	struct fz_population *population = fault->population;
	const uint64_t page =
		(fault->addr & population->unit_mask) >> FZ_PAGE_SHIFT;

	fault->page = page % FZ_BITS;
	fault->at = (page >> REGION_ORDER) % FZ_BITS;
	fault->process = process_get(population, pid);
	if (!fault->process)
		return -ENOMEM;
	fault->region =
		block_get(&population->regions, pid, page >> REGION_ORDER,
			  &fault->process->regions);
	if (population->nr_large)
		fault->span =
			block_get(&population->spans, pid, page >> SPAN_ORDER,
				  &fault->process->spans);
	return fault->region && (!population->nr_large || fault->span)
		       ? 0
		       : -ENOMEM;
}

int fz_population_fault(struct fz_population *population, uint32_t pid,
			uint64_t addr, bool says_absent,
			struct fz_folio_answer *answers)
{
	struct fault fault = {
		.population = population,
		.addr = addr,
		.says_absent = says_absent,
	};
	int code = fault_begin(&fault, pid);

	if (!code)
		code = split_before_forgetting(&fault);
	for (size_t i = 0; i < population->nr_choices && !code; i++)
		code = choice_fault(&fault, &population->choices[i],
				    &answers[i]);
	if (!code)
		populate(&fault);
	return code;
}

static void clear_process(struct fz_population *population,
			  struct process *process)
{
	fz_blocks_drop(&population->regions, &process->regions);
	fz_blocks_drop(&population->spans, &process->spans);
	fz_areas_fini(&process->areas);
}

void fz_population_clear(struct fz_population *population, uint32_t pid)
{
	struct process *process = process_find(population, pid);

	if (!process)
		return;
	clear_process(population, process);
	HASH_DEL(population->processes, process);
	population->found = NULL;
	free(process);
}

int fz_population_map(struct fz_population *population, uint32_t pid,
		      uint64_t start, uint64_t bytes,
		      enum fz_fault_backing backing)
{
	struct process *process = process_get(population, pid);
	const struct fz_area area = {
		.start = start,
		.end = start + bytes < start ? UINT64_MAX : start + bytes,
		.backing = backing,
	};

	return process ? fz_areas_set(&process->areas, area) : -ENOMEM;
}

int fz_population_fork(struct fz_population *population, uint32_t parent,
		       uint32_t child)
{
	struct process *from = process_find(population, parent);
	struct process *to;

	if (parent == child || !from || !from->areas.nr)
		return 0;
	to = process_get(population, child);
	return to ? fz_areas_copy(&to->areas, &from->areas) : -ENOMEM;
}

enum fz_fault_backing fz_population_backing(struct fz_population *population,
					    uint32_t pid, uint64_t addr)
{
	struct process *process = process_find(population, pid);
	const struct fz_area *area =
		process ? fz_areas_find(&process->areas, addr) : NULL;

	return area ? (enum fz_fault_backing)area->backing : FZ_BACKING_UNKNOWN;
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
