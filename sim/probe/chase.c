// SPDX-License-Identifier: GPL-2.0-or-later
/* Chains of loads. */
#include "chase.h"

#include <math.h>

#include <fz/folio.h>
#include <fz/statistics.h>
#include <fz/use.h>

#include "ticks.h"

#define CLOCK_READINGS 101u
#define PAGE_LINES     ((unsigned int)FZ_PAGE_BYTES / CHASE_LINE_BYTES)
#define PAGE_PAIRS     (PAGE_LINES / 2)

void chase_choose_lines(unsigned int line[CHASE_READING],
			struct fz_random *random)
{
	unsigned int pairs[PAGE_PAIRS];
	size_t nr = 0;

	for (unsigned int i = 0; i < PAGE_PAIRS; i++)
		if (i != PAGE_PAIRS / 2)
			pairs[nr++] = i;
	fz_random_shuffle(random, pairs, nr);
	for (size_t i = 0; i < CHASE_READING; i++)
		line[i] =
			2 * pairs[i] + (unsigned int)fz_random_below(random, 2);
}

/* All lines, those of each page in random order. */
static void list_all(const struct chase *chase, unsigned int *lines,
		     struct fz_random *random)
{
	for (size_t i = 0; i < chase->nr; i++)
		lines[i] = (unsigned int)i;
	for (size_t i = 0; i < chase->nr; i += PAGE_LINES)
		fz_random_shuffle(random, lines + i, PAGE_LINES);
}

/* Some lines of a page in each of equal shares of the set; each chain has its
 * own part of a share. */
static void list_sample(const struct chase *chase, enum chase_chain which,
			unsigned int *lines, struct fz_random *random)
{
	const uint64_t nr = chase->nr / CHASE_READING;
	const uint64_t nr_parts = nr * CHASE_NR_CHAINS;
	const uint64_t nr_pages = chase->bytes >> FZ_PAGE_SHIFT;

	for (uint64_t i = 0; i < nr; i++) {
		const uint64_t part = i * CHASE_NR_CHAINS + which;
		const uint64_t first = part * nr_pages / nr_parts;
		const uint64_t end = (part + 1) * nr_pages / nr_parts;
		const uint64_t page =
			first + fz_random_below(random, end - first);

		chase_choose_lines(lines, random);
		for (size_t j = 0; j < CHASE_READING; j++)
			*lines++ += (unsigned int)(page * PAGE_LINES);
	}
}

/* The i-th line, when those that are read together stay together. */
static uint64_t offset_of(const unsigned int *lines, const unsigned int *turns,
			  size_t i)
{
	const size_t at = (size_t)turns[i / CHASE_READING] * CHASE_READING +
			  i % CHASE_READING;

	return (uint64_t)lines[at] * CHASE_LINE_BYTES;
}

static void link_lines(struct chase *chase, char *base, enum chase_chain which,
		       const unsigned int *lines, struct fz_random *random)
{
	const size_t nr_turns = chase->nr / CHASE_READING;
	unsigned int turns[CHASE_MAX_LINES / CHASE_READING];

	for (size_t i = 0; i < nr_turns; i++)
		turns[i] = (unsigned int)i;
	fz_random_shuffle(random, turns, nr_turns);
	for (size_t i = 0; i < chase->nr; i++)
		*(uint64_t *)(void *)(base + offset_of(lines, turns, i)) =
			offset_of(lines, turns, (i + 1) % chase->nr);
	chase->first[which] = offset_of(lines, turns, 0);
}

void chase_build(struct chase *chase, char *base, uint64_t bytes,
		 unsigned int *lines, struct fz_random *random)
{
	const uint64_t nr_lines = bytes / CHASE_LINE_BYTES;
	const bool whole = nr_lines <= CHASE_MAX_LINES;

	*chase = (struct chase){
		.base = base,
		.bytes = bytes,
		.nr = whole ? nr_lines : CHASE_SAMPLE_LINES,
	};
	if (whole) {
		list_all(chase, lines, random);
		link_lines(chase, base, CHASE_SETTLE, lines, random);
	}
	for (unsigned int i = 0; i < CHASE_NR_CHAINS; i++) {
		if (whole) {
			chase->first[i] = chase->first[CHASE_SETTLE];
			continue;
		}
		list_sample(chase, (enum chase_chain)i, lines, random);
		link_lines(chase, base, (enum chase_chain)i, lines, random);
	}
}

static uint64_t follow(const struct chase *chase, uint64_t line, size_t nr)
{
	uint64_t mask = UINT64_MAX;

	asm volatile("" : "+r"(mask));
	for (size_t i = 0; i < nr; i++)
		line = *(
			const volatile uint64_t *)(const void *)(chase->base +
								 (line & mask));
	return line;
}

/* In order first, so that every line has been there, also of a sample. */
void chase_fill(const struct chase *chase)
{
	fz_use_all(chase->base, chase->bytes >> FZ_PAGE_SHIFT);
	follow(chase, chase->first[CHASE_SETTLE], chase->nr);
	if (!chase_is_sampled(chase))
		follow(chase, chase->first[CHASE_SETTLE], chase->nr);
}

uint64_t chase_read(const struct chase *chase, uint64_t *line, size_t nr,
		    const struct fz_hooks *hooks)
{
	const uint64_t begin = ticks_after_loads(hooks);

	*line = follow(chase, *line, nr);
	return ticks_after_loads(hooks) - begin;
}

uint64_t chase_walk(const struct chase *chase, enum chase_chain which,
		    const struct fz_hooks *hooks)
{
	uint64_t line = chase->first[which];

	return chase_read(chase, &line, chase->nr, hooks);
}

double chase_clock_ticks(const struct fz_hooks *hooks)
{
	double ticks[CLOCK_READINGS];

	for (size_t i = 0; i < CLOCK_READINGS; i++) {
		const uint64_t begin = ticks_after_loads(hooks);

		ticks[i] = (double)(ticks_after_loads(hooks) - begin);
	}
	return fz_median(ticks, CLOCK_READINGS);
}

double chase_without_clock(uint64_t ticks, double clock_ticks, double least)
{
	return fmax((double)ticks - clock_ticks, least);
}
