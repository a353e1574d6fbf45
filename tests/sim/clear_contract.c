// SPDX-License-Identifier: GPL-2.0-or-later
/* What every clear primitive must keep, checked against a byte-by-byte loop. */
#include "clear_contract.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sanitized.h"

#define PAGE_BYTES    ((size_t)4096)
#define HUGE_BYTES    ((size_t)2 << 20)
#define GUARD_BYTES   ((size_t)128) /* on each side */
#define WINDOW_BYTES  ((size_t)128) /* two lines, or one pair of them */
#define SHORT_BYTES   ((size_t)640) /* every length up to here */
#define BLOCK_BYTES   ((size_t)16)  /* the shortest block of dc zva, and.. */
#define NR_BLOCKS     8             /* ..as many doublings of it */
#define RANDOM_BYTES  (4 * PAGE_BYTES)
#define NR_RANDOM     1000
#define SLOW_STEP     (FZ_SANITIZED ? 7u : 1u) /* odd: all alignments in turn */
#define BUFFER_BYTES  (HUGE_BYTES + 2 * PAGE_BYTES)
#define SUMMARY_BYTES 72 /* foliosim list fits 80 columns */

struct contract {
	const struct fz_clear *clear;
	unsigned char *buffer; /* [BUFFER_BYTES], aligned to a page */
	char *first;
	size_t first_bytes;
	unsigned int nr_bad;
};

const char *clear_contract_entry(const struct fz_clear *clear)
{
	const char *why;

	if (!clear->name || !clear->name[0] ||
	    clear->name[strspn(clear->name, "abcdefghijklmnopqrstuvwxyz"
					    "0123456789-")])
		return "the name is not of small letters, digits and hyphens";
	if (!clear->summary || !clear->summary[0] ||
	    strlen(clear->summary) > SUMMARY_BYTES ||
	    strpbrk(clear->summary, "\n\t"))
		return "the summary is not one line of at most 72 columns";
	if (!clear->unit_bytes || clear->unit_bytes > PAGE_BYTES ||
	    (clear->unit_bytes & (clear->unit_bytes - 1)))
		return "unit_bytes is not a power of two that divides a page";
	if (!clear->clear)
		return "there is no clear()";
	why = fz_clear_why_unsupported(clear);
	if (why &&
	    (!why[0] || strpbrk(why, "\n\t") || why[strlen(why) - 1] == '.'))
		return "unsupported() gives no sentence without a full stop";
	return NULL;
}

/* Never 0, and no two neighbours alike. */
static unsigned char contract_dirt(size_t at)
{
	return (unsigned char)(1 + at % 255);
}

static void contract_report(struct contract *c, size_t offset, size_t len_bytes,
			    size_t at)
{
	if (c->nr_bad++)
		return;
	snprintf(c->first, c->first_bytes,
		 "%s: offset %zu, length %zu: byte %zu is %u", c->clear->name,
		 offset, len_bytes, at, c->buffer[at]);
}

static void contract_call(struct contract *c, size_t offset, size_t len_bytes)
{
	const size_t begin = offset - GUARD_BYTES;
	const size_t end = offset + len_bytes + GUARD_BYTES;

	for (size_t at = begin; at < end; at++)
		c->buffer[at] = contract_dirt(at);
	c->clear->clear(c->buffer + offset, len_bytes);
	for (size_t at = begin; at < end; at++) {
		const bool zeroed = at >= offset && at < offset + len_bytes;

		if (c->buffer[at] != (zeroed ? 0 : contract_dirt(at))) {
			contract_report(c, offset, len_bytes, at);
			return;
		}
	}
}

static void contract_alignments(struct contract *c)
{
	const size_t unit = c->clear->unit_bytes;
	const size_t near_page[] = {
		PAGE_BYTES - unit,     PAGE_BYTES,     PAGE_BYTES + unit,
		3 * PAGE_BYTES - unit, 3 * PAGE_BYTES,
	};

	for (size_t skew = 0; skew < WINDOW_BYTES; skew += unit) {
		const size_t offset = GUARD_BYTES + skew;

		for (size_t len = 0; len <= SHORT_BYTES; len += unit)
			contract_call(c, offset, len);
		for (size_t i = 0; i < 5; i++)
			contract_call(c, offset, near_page[i]);
	}
}

/* Lengths about those of a block, or two, that is zeroed in one go. */
static void contract_blocks(struct contract *c, size_t offset)
{
	const size_t unit = c->clear->unit_bytes;

	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		const size_t block = BLOCK_BYTES << i;

		if (block < unit)
			continue;
		contract_call(c, offset, block - unit);
		contract_call(c, offset, block);
		contract_call(c, offset, block + unit);
	}
}

static void contract_whole_page(struct contract *c)
{
	const size_t unit = c->clear->unit_bytes;

	for (size_t skew = 0; skew < PAGE_BYTES; skew += SLOW_STEP * unit) {
		contract_call(c, PAGE_BYTES + skew, 0);
		contract_call(c, PAGE_BYTES + skew, unit);
		contract_blocks(c, PAGE_BYTES + skew);
	}
}

/* xorshift64: the same sequence everywhere. */
static uint64_t contract_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void contract_fuzz(struct contract *c)
{
	const size_t mask = ~(c->clear->unit_bytes - 1);
	uint64_t state = 0x9e3779b97f4a7c15;

	for (unsigned int i = 0; i < NR_RANDOM; i++) {
		const size_t offset = contract_random(&state) % PAGE_BYTES;
		const size_t len = contract_random(&state) % RANDOM_BYTES;

		contract_call(c, PAGE_BYTES + (offset & mask), len & mask);
	}
}

unsigned int clear_contract_run(const struct fz_clear *clear, char *first,
				size_t first_bytes)
{
	struct contract c = {
		.clear = clear,
		.buffer = aligned_alloc(PAGE_BYTES, BUFFER_BYTES),
		.first = first,
		.first_bytes = first_bytes,
	};

	first[0] = '\0';
	if (!c.buffer) {
		snprintf(first, first_bytes, "no memory");
		return 1;
	}
	contract_alignments(&c);
	contract_whole_page(&c);
	contract_fuzz(&c);
	contract_call(&c, PAGE_BYTES, HUGE_BYTES);
	free(c.buffer);
	return c.nr_bad;
}

/* Two pages between two that may not be touched; NULL if there is no memory. */
static unsigned char *fenced_map(size_t page_bytes)
{
	unsigned char *map = mmap(NULL, 4 * page_bytes, PROT_NONE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return NULL;
	if (mprotect(map + page_bytes, 2 * page_bytes,
		     PROT_READ | PROT_WRITE)) {
		munmap(map, 4 * page_bytes);
		return NULL;
	}
	return map + page_bytes;
}

/* From the first byte on, and up to the last one. */
static unsigned int fenced_calls(const struct fz_clear *clear,
				 unsigned char *pages, size_t bytes, size_t len)
{
	unsigned int nr_bad = 0;

	memset(pages, 0x5a, bytes);
	clear->clear(pages, len);
	for (size_t at = 0; at < bytes; at++)
		nr_bad += pages[at] != (at < len ? 0 : 0x5a);
	memset(pages, 0x5a, bytes);
	clear->clear(pages + bytes - len, len);
	for (size_t at = 0; at < bytes; at++)
		nr_bad += pages[at] != (at < bytes - len ? 0x5a : 0);
	return nr_bad;
}

unsigned int clear_contract_fences(const struct fz_clear *clear)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t bytes = 2 * page_bytes, unit = clear->unit_bytes;
	unsigned char *pages = fenced_map(page_bytes);
	unsigned int nr_bad = 0;

	if (!pages)
		return 1;
	for (size_t len = 0; len <= SHORT_BYTES; len += unit)
		nr_bad += fenced_calls(clear, pages, bytes, len);
	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		const size_t len = (BLOCK_BYTES << i) & ~(unit - 1);

		nr_bad += fenced_calls(clear, pages, bytes, len);
		nr_bad += fenced_calls(clear, pages, bytes, len + unit);
	}
	nr_bad += fenced_calls(clear, pages, bytes, page_bytes);
	nr_bad += fenced_calls(clear, pages, bytes, bytes);
	munmap(pages - page_bytes, 4 * page_bytes);
	return nr_bad;
}
