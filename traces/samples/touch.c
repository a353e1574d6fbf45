// SPDX-License-Identifier: GPL-2.0-or-later
/* Touches a little of each kind of memory: what the recordings here are of. */
#include <stddef.h>
#include <sys/mman.h>

#define HUGE_BYTES ((size_t)2 << 20)

/* Anonymous memory, aligned to a huge page, for good. */
static char *map_aligned(size_t bytes)
{
	char *map = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return NULL;
	return map + (-(size_t)map & (HUGE_BYTES - 1));
}

/* A byte in each step, from the first to the last. */
static void write_each(char *map, size_t bytes, size_t step)
{
	for (size_t at = 0; map && at < bytes; at += step)
		((volatile char *)map)[at] = 1;
}

int main(void)
{
	char *hugetlb = mmap(NULL, 8 * HUGE_BYTES, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	char *thp = map_aligned(8 * HUGE_BYTES);
	char *small = map_aligned(64 << 12);
	volatile char sum = 0;

	if (hugetlb == MAP_FAILED)
		return 1;
	write_each(hugetlb, 8 * HUGE_BYTES, HUGE_BYTES);
	if (thp)
		madvise(thp, 8 * HUGE_BYTES, MADV_HUGEPAGE);
	/* Not at their first page. */
	if (thp)
		write_each(thp + (5 << 12), 7 * HUGE_BYTES, HUGE_BYTES);
	if (small)
		madvise(small, 64 << 12, MADV_NOHUGEPAGE);
	/* Reads of the zero page, then writes that copy it. */
	for (size_t page = 0; small && page < 16; page++)
		sum = small[page << 12];
	write_each(small, 64 << 12, 4096);
	return sum; /* 0 */
}
