// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes, reserves and opens the buffers of a bench run. */
#include "bench_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/figures.h>
#include <fz/folio.h>
#include <fz/units.h>

#include "command.h"

/* A default buffer is 8 times the last-level cache within these bounds: below
 * it a round is too short, above it the default run takes too long. */
#define DEFAULT_MIN_BYTES ((uint64_t)64 << 20)
#define DEFAULT_MAX_BYTES ((uint64_t)256 << 20)
/* A default run on a smaller pool than this rather uses THP. */
#define DEFAULT_POOL_BYTES ((uint64_t)32 << 20)
/* The PMD size of x86-64 and of arm64 with 4 KiB pages. */
#define DEFAULT_HUGE_BYTES ((uint64_t)2 << 20)

static uint64_t default_bytes(const struct fz_machine *machine)
{
	const uint64_t llc = machine->topology.llc_bytes;
	const uint64_t bytes =
		llc ? FZ_COLD_LLC_MULTIPLE * llc : DEFAULT_MAX_BYTES;

	if (bytes < DEFAULT_MIN_BYTES)
		return DEFAULT_MIN_BYTES;
	return bytes > DEFAULT_MAX_BYTES ? DEFAULT_MAX_BYTES : bytes;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Smallest size that holds whole pages and whole folios; 0 if none can. */
static uint64_t unit_bytes(const struct fz_bench_memory *memory)
{
	const uint64_t page = memory->page.bytes;
	const uint64_t folio = memory->folio_bytes;
	const uint64_t times = folio / greatest_common_divisor(page, folio);

	return times > FZ_OPTION_MAX_BYTES / page ? 0 : page * times;
}

/* Of a node only its own pages, of which none are known to be reserved. */
static uint64_t free_for(const struct fz_bench_memory *memory,
			 const struct fz_pool *pool)
{
	if (!pool)
		return 0;
	if (memory->node < 0)
		return pool->free > pool->reserved ? pool->free - pool->reserved
						   : 0;
	for (size_t i = 0; i < pool->nr_nodes; i++)
		if (pool->nodes[i].node == (unsigned int)memory->node)
			return pool->nodes[i].free;
	return 0;
}

/* A default size on a pool that is smaller takes what is free. */
static uint64_t fit_to_pool(const struct fz_bench_memory *memory,
			    uint64_t bytes, const struct fz_pool *pool)
{
	const uint64_t free_pages = free_for(memory, pool);
	const uint64_t free_bytes =
		free_pages / memory->nr_buffers * memory->page.bytes;

	if (free_bytes >= DEFAULT_POOL_BYTES && free_bytes < bytes)
		return free_bytes;
	return bytes;
}

static void note_rounded(const struct fz_bench_memory *memory, uint64_t asked)
{
	char from[32], to[32];

	fz_format_bytes(from, sizeof(from), asked);
	fz_format_bytes(to, sizeof(to), memory->bytes);
	fprintf(stderr,
		"foliosim: note: --size %s is not a multiple of the page and "
		"folio size; %s is used\n",
		from, to);
}

static int plan_given_size(struct fz_bench_memory *memory, uint64_t bytes)
{
	const uint64_t unit = unit_bytes(memory);
	char size[32], need[32];

	if (bytes < unit) {
		fz_format_bytes(size, sizeof(size), bytes);
		fz_format_bytes(need, sizeof(need), unit);
		fz_complain("--size %s is less than %s, the least that holds "
			    "whole pages and folios",
			    size, need);
		return FZ_EXIT_USAGE;
	}
	memory->bytes = bytes / unit * unit;
	if (memory->bytes != bytes)
		note_rounded(memory, bytes);
	return FZ_EXIT_DONE;
}

static int plan_size(struct fz_bench_memory *memory,
		     const struct fz_bench_options *options,
		     const struct fz_machine *machine)
{
	uint64_t bytes;

	if (options->bytes)
		return plan_given_size(memory, options->bytes);
	bytes = default_bytes(machine);
	if (memory->page.kind == FZ_PAGES_HUGETLB && !options->reserve)
		bytes = fit_to_pool(
			memory, bytes,
			fz_pools_find(&machine->pools, memory->page.bytes));
	if (bytes < memory->folio_bytes)
		bytes = memory->folio_bytes;
	memory->bytes = round_up(bytes, unit_bytes(memory));
	return FZ_EXIT_DONE;
}

static int check_faults(const struct fz_bench_options *options,
			const struct fz_bench_memory *memory)
{
	const uint64_t nr_pages = memory->folio_bytes >> FZ_PAGE_SHIFT;
	char folio[32];

	for (size_t i = 0; i < options->nr_faults; i++) {
		const struct fz_fault_wish *wish = &options->faults[i];

		if (wish->word != FZ_FAULT_WORD_NUMBER ||
		    wish->number < nr_pages)
			continue;
		fz_format_bytes(folio, sizeof(folio), memory->folio_bytes);
		fz_complain("--fault-page %" PRIu64
			    " is beyond a folio of %s, pages 0 to %" PRIu64,
			    wish->number, folio, nr_pages - 1);
		return FZ_EXIT_USAGE;
	}
	return FZ_EXIT_DONE;
}

static bool has_mthp(const struct fz_machine *machine, uint64_t bytes)
{
	for (size_t i = 0; i < machine->nr_mthp; i++)
		if (machine->mthp[i].bytes == bytes)
			return bytes != machine->thp_pmd_bytes;
	return false;
}

/* What a word of --page-size stands for on this machine. */
static struct fz_page_size resolve_page(struct fz_page_size page,
					const struct fz_machine *machine)
{
	if (page.kind == FZ_PAGES_THP)
		page.bytes = machine->thp_pmd_bytes ? machine->thp_pmd_bytes
						    : DEFAULT_HUGE_BYTES;
	if (page.kind == FZ_PAGES_HUGETLB &&
	    !fz_pools_find(&machine->pools, page.bytes) &&
	    has_mthp(machine, page.bytes))
		page.kind = FZ_PAGES_MTHP;
	return page;
}

static int plan_one(struct fz_bench_memory *memory, struct fz_page_size page,
		    const struct fz_bench_options *options,
		    const struct fz_machine *machine)
{
	page = resolve_page(page, machine);
	*memory = (struct fz_bench_memory){
		.page = page,
		.folio_bytes = options->folio_bytes ? options->folio_bytes
						    : page.bytes,
		.nr_buffers = fz_bench_max_threads(options),
		.node = options->has_node ? (int)options->node : -1,
	};
	if (page.bytes % FZ_PAGE_BYTES || (page.bytes & (page.bytes - 1))) {
		fz_complain("--page-size: %" PRIu64
			    " bytes is not a power of two of at least 4K",
			    page.bytes);
		return FZ_EXIT_USAGE;
	}
	if (check_faults(options, memory))
		return FZ_EXIT_USAGE;
	if (!unit_bytes(memory)) {
		fz_complain("no buffer can hold whole folios of %" PRIu64
			    " bytes and whole pages of %" PRIu64,
			    memory->folio_bytes, page.bytes);
		return FZ_EXIT_USAGE;
	}
	return plan_size(memory, options, machine);
}

static struct fz_page_size default_page(const struct fz_machine *machine)
{
	return (struct fz_page_size){
		.kind = FZ_PAGES_HUGETLB,
		.bytes = machine->thp_pmd_bytes ? machine->thp_pmd_bytes
						: DEFAULT_HUGE_BYTES,
	};
}

/* "64K" and "mthp-64K" may be one size, and a mistake. */
static int check_new(const struct fz_bench_memories *memories, size_t i)
{
	const struct fz_page_size page = memories->memory[i].page;
	char size[32];

	for (size_t j = 0; j < i; j++) {
		const struct fz_page_size other = memories->memory[j].page;

		if (other.kind != page.kind || other.bytes != page.bytes)
			continue;
		fz_format_bytes(size, sizeof(size), page.bytes);
		fz_complain("--page-size: '%s' and 'mthp-%s' are the same here",
			    size, size);
		return FZ_EXIT_USAGE;
	}
	return FZ_EXIT_DONE;
}

int fz_bench_memories_plan(struct fz_bench_memories *memories,
			   const struct fz_bench_options *options,
			   const struct fz_machine *machine)
{
	memset(memories, 0, sizeof(*memories));
	/* Writing a pool's size spreads its pages over all nodes. */
	if (options->reserve && options->has_node &&
	    machine->topology.nr_nodes > 1) {
		fz_complain("--reserve cannot choose the node of what it "
			    "reserves; with --node %" PRIu64 " reserve before, "
			    "as in: echo PAGES > /sys/devices/system/node/"
			    "node%" PRIu64 "/hugepages/hugepages-2048kB/"
			    "nr_hugepages",
			    options->node, options->node);
		return FZ_EXIT_USAGE;
	}
	if (!options->nr_pages) {
		memories->nr = 1;
		return plan_one(&memories->memory[0], default_page(machine),
				options, machine);
	}
	for (size_t i = 0; i < options->nr_pages; i++) {
		int status = plan_one(&memories->memory[i], options->pages[i],
				      options, machine);

		if (!status)
			status = check_new(memories, i);
		if (status)
			return status;
	}
	memories->nr = options->nr_pages;
	return FZ_EXIT_DONE;
}

/* false: the reason says why. */
static bool reserve(struct fz_bench_memory *memory,
		    const struct fz_hooks *hooks)
{
	char page[32];
	uint64_t got, asked;

	if (fz_reservation_open(&memory->reservation, hooks, memory->page.bytes,
				memory->nr_buffers *
					(memory->bytes / memory->page.bytes),
				&memory->reason))
		return false;
	got = fz_reservation_got(memory->reservation);
	asked = fz_reservation_asked(memory->reservation);
	fz_format_bytes(page, sizeof(page), memory->page.bytes);
	if (asked)
		fprintf(stderr,
			"foliosim: reserved %" PRIu64 " of %" PRIu64
			" missing pages of %s\n",
			got, asked, page);
	return true;
}

static void close_buffers(struct fz_bench_memory *memory)
{
	for (unsigned int i = 0; memory->buffers && i < memory->nr_buffers; i++)
		fz_buffer_close(memory->buffers[i]);
	free(memory->buffers);
	memory->buffers = NULL;
}

/* All or none. The caller has been on a CPU that it may be on. */
static void open_buffers(struct fz_bench_memory *memory,
			 const struct fz_hooks *hooks, const unsigned int *cpus)
{
	int code = 0;

	memory->buffers = calloc(memory->nr_buffers, sizeof(*memory->buffers));
	if (!memory->buffers) {
		fz_err_set(&memory->reason, -ENOMEM, "no memory for buffers");
		return;
	}
	for (unsigned int i = 0; i < memory->nr_buffers && !code; i++) {
		if (i > 0)
			hooks->pin(hooks->state, cpus[i]);
		code = fz_buffer_open_on(&memory->buffers[i], hooks,
					 memory->page, memory->bytes,
					 memory->node, &memory->reason);
	}
	if (memory->nr_buffers > 1)
		hooks->pin(hooks->state, cpus[0]);
	if (code)
		close_buffers(memory);
}

/* As reserve(); a size that is switched on is left alone. */
static bool open_switch(struct fz_bench_memory *memory,
			const struct fz_hooks *hooks)
{
	const char *path;

	if (fz_thp_switch_open(&memory->thp_switch, hooks, memory->page,
			       &memory->reason))
		return false;
	path = fz_thp_switch_path(memory->thp_switch);
	if (path)
		fprintf(stderr, "foliosim: switched '%s' from %s to madvise\n",
			path, fz_thp_switch_before(memory->thp_switch));
	return true;
}

/* A size that the kernel has no pool of is told with those it has. */
static bool take(struct fz_bench_memory *memory, const struct fz_hooks *hooks,
		 const struct fz_machine *machine)
{
	switch (memory->page.kind) {
	case FZ_PAGES_HUGETLB:
		return !fz_pools_find(&machine->pools, memory->page.bytes) ||
		       reserve(memory, hooks);
	case FZ_PAGES_THP:
	case FZ_PAGES_MTHP:
		return open_switch(memory, hooks);
	case FZ_PAGES_BASE:
		break;
	}
	return true;
}

static void open_one(struct fz_bench_memory *memory,
		     const struct fz_bench_options *options,
		     const struct fz_hooks *hooks,
		     const struct fz_machine *machine, const unsigned int *cpus)
{
	if (!options->reserve || take(memory, hooks, machine))
		open_buffers(memory, hooks, cpus);
}

static void give_reservation_back(struct fz_bench_memory *memory)
{
	const int code = fz_reservation_close(memory->reservation);

	memory->reservation = NULL;
	if (code)
		fz_complain("cannot give huge pages back: %s", strerror(-code));
}

static void give_switch_back(struct fz_bench_memory *memory)
{
	struct fz_err err = { "" };

	if (fz_thp_switch_close(memory->thp_switch, &err))
		fz_complain("cannot switch huge pages back: %s", err.msg);
	memory->thp_switch = NULL;
}

static void fall_back_to_thp(struct fz_bench_memories *memories,
			     const struct fz_bench_options *options,
			     const struct fz_hooks *hooks,
			     const struct fz_machine *machine,
			     const unsigned int *cpus)
{
	const struct fz_page_size thp = { .kind = FZ_PAGES_THP };
	struct fz_bench_memory *memory = &memories->memory[0];

	fprintf(stderr,
		"foliosim: note: %s\nfoliosim: note: measuring on THP instead\n",
		memory->reason.msg);
	give_reservation_back(memory);
	if (plan_one(memory, thp, options, machine) == FZ_EXIT_DONE)
		open_one(memory, options, hooks, machine, cpus);
}

void fz_bench_memories_open(struct fz_bench_memories *memories,
			    const struct fz_bench_options *options,
			    const struct fz_hooks *hooks,
			    const struct fz_machine *machine,
			    const unsigned int *cpus)
{
	for (size_t i = 0; i < memories->nr; i++)
		open_one(&memories->memory[i], options, hooks, machine, cpus);
	if (!options->nr_pages && !memories->memory[0].buffers)
		fall_back_to_thp(memories, options, hooks, machine, cpus);
	for (size_t i = 0; i < memories->nr; i++)
		if (!memories->memory[i].buffers)
			fz_complain("%s", memories->memory[i].reason.msg);
}

void fz_bench_memories_close(struct fz_bench_memories *memories)
{
	for (size_t i = 0; i < memories->nr; i++)
		close_buffers(&memories->memory[i]);
	for (size_t i = 0; i < memories->nr; i++) {
		give_reservation_back(&memories->memory[i]);
		give_switch_back(&memories->memory[i]);
	}
}
