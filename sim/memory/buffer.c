// SPDX-License-Identifier: GPL-2.0-or-later
/* Real memory to clear: mapped at an address that stays, populated, dirtied. */
#include <fz/buffer.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fz/folio.h>

#include "backing.h"
#include "buffer_error.h"
#include "guard.h"
#include "memory_available.h"
#include "mthp.h"
#include "size_text.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif
#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/* Base buffers are aligned to this too, so that all kinds compare. */
#define MIN_ALIGN_BYTES (2ull << 20)

/* Of what was backed as asked, the part that may be missing later: 1/64. */
#define MISSING_SHIFT 6

/* Far beyond any address space; keeps the sums below from wrapping. */
#define MAX_BYTES (1ull << 60)

/*
 * The pages lie inside a larger region that stays reserved without access, so
 * that the buffer keeps its address over a remap and never merges with a
 * neighbour in /proc/self/smaps.
 */
struct fz_buffer {
	const struct fz_hooks *hooks;
	struct fz_page_size page;
	uint64_t bytes;
	int node; /* negative = any */
	char *base;
	void *region;
	size_t region_bytes;
	uint64_t opened_bytes_ok;
	struct fz_backing backing; /* the worst found so far */
	uint64_t first_touch_ns;
	uint64_t faults_before; /* fz_mthp_faults() when last mapped */
	bool lost;              /* nothing is mapped any more */
};

/* Maps over what is there; on failure nothing may be left there at all. */
static int map_over(const struct fz_buffer *buffer, int prot, int flags)
{
	const struct fz_hooks *hooks = buffer->hooks;
	const void *got = hooks->map(hooks->state, buffer->base, buffer->bytes,
				     prot, flags | MAP_FIXED);

	return got == MAP_FAILED ? -errno : 0;
}

static int map_nothing(const struct fz_buffer *buffer)
{
	return map_over(buffer, PROT_NONE, MAP_NORESERVE);
}

static int advise_pages(const struct fz_buffer *buffer)
{
	const struct fz_hooks *hooks = buffer->hooks;
	int code;

	if (buffer->page.kind == FZ_PAGES_MTHP)
		return fz_mthp_advise(hooks, buffer->base, buffer->bytes,
				      buffer->page.bytes);
	code = hooks->advise(hooks->state, buffer->base, buffer->bytes,
			     buffer->page.kind == FZ_PAGES_THP
				     ? MADV_HUGEPAGE
				     : MADV_NOHUGEPAGE);
	/* A kernel without THP refuses even to be told not to use it. */
	if (code == -EINVAL && buffer->page.kind == FZ_PAGES_BASE)
		code = 0;
	return code;
}

static int map_pages(struct fz_buffer *buffer)
{
	const struct fz_hooks *hooks = buffer->hooks;
	unsigned int flags = 0;
	int code;

	/* 16G pages reach the sign bit. */
	if (buffer->page.kind == FZ_PAGES_HUGETLB)
		flags = MAP_HUGETLB |
			(unsigned int)__builtin_ctzll(buffer->page.bytes)
				<< MAP_HUGE_SHIFT;
	code = map_over(buffer, PROT_READ | PROT_WRITE, (int)flags);
	if (!code && buffer->node >= 0)
		code = hooks->bind_memory(hooks->state, buffer->base,
					  buffer->bytes,
					  (unsigned int)buffer->node);
	if (code || buffer->page.kind == FZ_PAGES_HUGETLB)
		return code;
	code = advise_pages(buffer);
	if (buffer->page.kind == FZ_PAGES_MTHP)
		buffer->faults_before =
			fz_mthp_faults(hooks, buffer->page.bytes);
	return code;
}

/* Writes what is there, so it may come at any time. */
static void touch_pages(void *arg)
{
	const struct fz_buffer *buffer = arg;

	for (uint64_t at = 0; at < buffer->bytes; at += buffer->page.bytes) {
		uint64_t *word = (uint64_t *)(void *)(buffer->base + at);
		uint64_t zero = 0;

		/*
		 * A compare-and-swap faults for writing from the start; a load
		 * before a store would map the zero page first.
		 */
		__atomic_compare_exchange_n(word, &zero, 0, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

static int populate(struct fz_buffer *buffer)
{
	const struct fz_hooks *hooks = buffer->hooks;
	const int code = hooks->advise(hooks->state, buffer->base,
				       buffer->bytes, MADV_POPULATE_WRITE);

	if (code == -EINVAL || code == -ENOSYS || code == -EOPNOTSUPP)
		return fz_guarded(touch_pages, buffer);
	return code;
}

static int reserve_region(struct fz_buffer *buffer)
{
	const struct fz_hooks *hooks = buffer->hooks;
	const uint64_t align = buffer->page.bytes > MIN_ALIGN_BYTES
				       ? buffer->page.bytes
				       : MIN_ALIGN_BYTES;
	const uint64_t gap = (uint64_t)sysconf(_SC_PAGESIZE);
	uintptr_t base;

	if (buffer->bytes > MAX_BYTES || align > MAX_BYTES)
		return -ENOMEM;
	buffer->region_bytes = buffer->bytes + align + gap;
	buffer->region = hooks->map(hooks->state, NULL, buffer->region_bytes,
				    PROT_NONE, MAP_NORESERVE);
	if (buffer->region == MAP_FAILED)
		return -errno;
	base = ((uintptr_t)buffer->region + gap + align - 1) & ~(align - 1);
	buffer->base =
		(char *)buffer->region + (base - (uintptr_t)buffer->region);
	return 0;
}

static void release_region(struct fz_buffer *buffer)
{
	const struct fz_hooks *hooks = buffer->hooks;

	hooks->unmap(hooks->state, buffer->region, buffer->region_bytes);
}

static int first_touch(struct fz_buffer *buffer)
{
	const struct fz_hooks *hooks = buffer->hooks;
	const uint64_t begin_ns = hooks->now_ns(hooks->state);
	const int code = populate(buffer);

	buffer->first_touch_ns = hooks->now_ns(hooks->state) - begin_ns;
	return code;
}

static struct fz_backing backing_read(const struct fz_buffer *buffer)
{
	if (buffer->page.kind == FZ_PAGES_MTHP)
		return fz_mthp_backing_read(buffer->hooks, buffer->base,
					    buffer->bytes, buffer->page.bytes,
					    buffer->faults_before);
	return fz_backing_read(buffer->hooks, buffer->base, buffer->bytes,
			       buffer->page);
}

/*
 * A node that is full does not fall back to another one: the first touch would
 * end in the out-of-memory killer. Pools say for themselves that they are
 * empty.
 */
static int node_check(const struct fz_hooks *hooks, struct fz_page_size page,
		      uint64_t bytes, int node, struct fz_err *err)
{
	uint64_t available;

	if (node < 0 || page.kind == FZ_PAGES_HUGETLB)
		return 0;
	available = fz_memory_available_on(hooks, (unsigned int)node);
	if (bytes <= available)
		return 0;
	return fz_err_set(err, -ENOMEM,
			  "cannot map %s on node %d: it has %" PRIu64
			  "M left; ask for less",
			  fz_size_text(bytes).text, node, available >> 20);
}

int fz_buffer_open(struct fz_buffer **out, const struct fz_hooks *hooks,
		   struct fz_page_size page, uint64_t bytes, struct fz_err *err)
{
	return fz_buffer_open_on(out, hooks, page, bytes, -1, err);
}

int fz_buffer_open_large(struct fz_buffer **out, const struct fz_hooks *hooks,
			 uint64_t thp_bytes, uint64_t bytes, struct fz_err *err)
{
	const struct fz_page_size large = { FZ_PAGES_THP, thp_bytes };
	const struct fz_page_size base = { FZ_PAGES_BASE, FZ_PAGE_BYTES };

	if (thp_bytes &&
	    fz_buffer_open(out, hooks, large,
			   (bytes + thp_bytes - 1) / thp_bytes * thp_bytes,
			   NULL) == 0)
		return 0;
	return fz_buffer_open(out, hooks, base, bytes, err);
}

int fz_buffer_open_on(struct fz_buffer **out, const struct fz_hooks *hooks,
		      struct fz_page_size page, uint64_t bytes, int node,
		      struct fz_err *err)
{
	struct fz_buffer *buffer;
	int code = fz_buffer_check(hooks, page, bytes, err);

	if (!code)
		code = node_check(hooks, page, bytes, node, err);
	if (code)
		return code;
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer)
		return fz_err_set(err, -ENOMEM, "out of memory");
	buffer->hooks = hooks;
	buffer->page = page;
	buffer->bytes = bytes;
	buffer->node = node;
	code = reserve_region(buffer);
	if (code)
		goto err_free;
	code = map_pages(buffer);
	if (!code)
		code = first_touch(buffer);
	if (code)
		goto err_unmap;
	buffer->backing = backing_read(buffer);
	buffer->opened_bytes_ok = buffer->backing.bytes_ok;
	*out = buffer;
	return 0;

err_unmap:
	release_region(buffer);
err_free:
	free(buffer);
	return fz_buffer_error(hooks, page, bytes, code, err);
}

void fz_buffer_close(struct fz_buffer *buffer)
{
	if (!buffer)
		return;
	release_region(buffer);
	free(buffer);
}

void *fz_buffer_base(const struct fz_buffer *buffer)
{
	return buffer->base;
}

uint64_t fz_buffer_bytes(const struct fz_buffer *buffer)
{
	return buffer->bytes;
}

struct fz_page_size fz_buffer_page(const struct fz_buffer *buffer)
{
	return buffer->page;
}

struct fz_backing fz_buffer_backing(const struct fz_buffer *buffer)
{
	return buffer->backing;
}

void fz_buffer_nodes(const struct fz_buffer *buffer,
		     struct fz_page_nodes *found)
{
	fz_page_nodes_read(buffer->hooks, buffer->base, buffer->bytes,
			   buffer->page.bytes, found);
}

uint64_t fz_buffer_first_touch_ns(const struct fz_buffer *buffer)
{
	return buffer->first_touch_ns;
}

/*
 * No two bytes are alike, so the compiler cannot make a memset() of it, which
 * may pick streaming stores or an instruction that spares the caches.
 */
__attribute__((no_sanitize("address", "undefined"))) static void
page_dirty(char *page)
{
	uint64_t *word = (uint64_t *)(void *)page;

	for (size_t i = 0; i < FZ_PAGE_BYTES / sizeof(*word); i++)
		word[i] = 0x5a5b5c5d5e5f6061ull;
}

void fz_buffer_dirty(struct fz_buffer *buffer, bool descending)
{
	const uint64_t nr_pages = buffer->bytes / FZ_PAGE_BYTES;

	for (uint64_t i = 0; i < nr_pages; i++) {
		const uint64_t page = descending ? nr_pages - 1 - i : i;

		page_dirty(buffer->base + page * FZ_PAGE_BYTES);
	}
}

static void lose(struct fz_buffer *buffer)
{
	map_nothing(buffer);
	buffer->lost = true;
}

/* Gives back what there is, so that the message counts it as free. */
static int give_up(struct fz_buffer *buffer, int code, struct fz_err *err)
{
	lose(buffer);
	return fz_buffer_error(buffer->hooks, buffer->page, buffer->bytes, code,
			       err);
}

bool fz_buffer_is_lost(const struct fz_buffer *buffer)
{
	return buffer->lost;
}

int fz_buffer_remap(struct fz_buffer *buffer, struct fz_err *err)
{
	int code = map_nothing(buffer);

	if (!code)
		code = map_pages(buffer);
	if (code)
		return give_up(buffer, code, err);
	buffer->lost = false;
	return 0;
}

int fz_buffer_populate(struct fz_buffer *buffer, struct fz_err *err)
{
	const int code = populate(buffer);

	return code ? give_up(buffer, code, err) : 0;
}

static void keep_worst(struct fz_backing *worst, const struct fz_backing *found)
{
	if (worst->verified_by[0] == '\0' || found->bytes_ok < worst->bytes_ok)
		*worst = *found;
}

int fz_buffer_verify(struct fz_buffer *buffer, struct fz_err *err)
{
	const uint64_t opened_bytes = buffer->opened_bytes_ok;
	struct fz_backing found;

	assert(!buffer->lost);
	found = backing_read(buffer);
	if (found.verified_by[0] == '\0')
		return 0;
	keep_worst(&buffer->backing, &found);
	if (found.bytes_ok >= opened_bytes - (opened_bytes >> MISSING_SHIFT))
		return 0;
	lose(buffer);
	return fz_err_set(
		err, -ENOMEM,
		"the kernel gave %s pages than asked for: only %d %% of %s are "
		"on %s pages",
		buffer->page.kind == FZ_PAGES_BASE ? "other" : "smaller",
		(int)(100.0 * (double)found.bytes_ok / (double)buffer->bytes),
		fz_size_text(buffer->bytes).text,
		fz_size_text(buffer->page.bytes).text);
}
