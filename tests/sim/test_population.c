// SPDX-License-Identifier: GPL-2.0-or-later
/* One pass for all folio sizes, against one naive pass for each. */
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/population.h>
#include <fz/random.h>

#include "fz_test.h"
#include "sanitized.h"

/* Pages that the naive passes know, around an end of 1 GiB and of 2 MiB. */
#define NR_PAGES   4096u
#define FIRST_PAGE (((uint64_t)5 << 18) - 1500)
#define NR_PIDS    3u
#define NR_FIXED   (FZ_MAX_FOLIO_ORDER + 1)
#define NR_CHOICES (NR_FIXED + 1)
#define NR_STEPS   (FZ_SANITIZED ? 3000 : 20000)

static const uint32_t auto_orders = 1u << 9 | 1u << 6 | 1u << 4 | 1u << 2;

/* A byte a page, for one size and process. */
struct naive {
	unsigned char touched[NR_PAGES];
	/* auto: the folio of each page, 0 = none */
	uint32_t folio[NR_PAGES];
};

static struct naive naive[NR_CHOICES][NR_PIDS];
/* Those that the population answers for. */
static unsigned int open_choices[NR_CHOICES];
static unsigned int nr_open;
/* The mapping of each page: 0 = none known, 1 = anonymous, else a file's. */
static uint32_t mapping[NR_PIDS][NR_PAGES];
static uint32_t next_id;

static struct fz_population *population;
static struct fz_random rng;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(fz_random_next(&rng) % n);
}

static void forget(uint32_t pid)
{
	for (size_t c = 0; c < NR_CHOICES; c++)
		memset(&naive[c][pid], 0, sizeof(naive[c][pid]));
	memset(mapping[pid], 0, sizeof(mapping[pid]));
}

/* The pages of the aligned folio that are among those known here. */
static void folio_span(uint32_t page, unsigned int order, uint32_t *first,
		       uint32_t *end)
{
	const uint64_t begin = (FIRST_PAGE + page) >> order << order;
	const uint64_t behind = begin + (1ull << order);

	*first = begin < FIRST_PAGE ? 0 : (uint32_t)(begin - FIRST_PAGE);
	*end = behind > FIRST_PAGE + NR_PAGES ? NR_PAGES
					      : (uint32_t)(behind - FIRST_PAGE);
}

static struct fz_folio_answer naive_fixed(struct naive *n, unsigned int order,
					  uint32_t page, bool says_absent)
{
	struct fz_folio_answer answer = { .outcome = FZ_FOLIO_MADE,
					  .order = (uint8_t)order };
	uint32_t first, end;

	folio_span(page, order, &first, &end);
	if (n->touched[page]) {
		if (!says_absent) {
			answer.outcome = FZ_FOLIO_REPEAT;
			return answer;
		}
		answer.freed = true;
		memset(n->touched + first, 0, end - first);
	} else if (memchr(n->touched + first, 1, end - first)) {
		answer.outcome = FZ_FOLIO_THERE;
	}
	n->touched[page] = 1;
	return answer;
}

/* Does the whole folio lie in one mapping, and has no page a folio yet? */
static bool fits(const struct naive *n, const uint32_t *map, uint32_t page,
		 unsigned int order)
{
	const uint64_t begin = (FIRST_PAGE + page) >> order << order;
	const uint64_t behind = begin + (1ull << order);

	if (begin < FIRST_PAGE || behind > FIRST_PAGE + NR_PAGES)
		return false;
	for (uint64_t p = begin - FIRST_PAGE; p < behind - FIRST_PAGE; p++)
		if (map[p] != map[page] || n->folio[p])
			return false;
	return true;
}

static struct fz_folio_answer naive_auto(struct naive *n, const uint32_t *map,
					 uint32_t page, bool says_absent)
{
	struct fz_folio_answer answer = { .outcome = FZ_FOLIO_MADE };
	const uint32_t id = n->folio[page];
	uint32_t first, end;

	if (id && n->touched[page] && !says_absent) {
		answer.outcome = FZ_FOLIO_REPEAT;
		return answer;
	}
	if (id && !n->touched[page]) {
		answer.outcome = FZ_FOLIO_THERE;
		n->touched[page] = 1;
		return answer;
	}
	for (uint32_t p = 0; id && p < NR_PAGES; p++)
		if (n->folio[p] == id)
			n->folio[p] = n->touched[p] = 0;
	answer.freed = id;
	answer.unmapped = !map[page];
	for (unsigned int o = FZ_MAX_AUTO_ORDER; o > 0 && !answer.order; o--)
		if (map[page] && auto_orders & 1u << o && fits(n, map, page, o))
			answer.order = (uint8_t)o;
	folio_span(page, answer.order, &first, &end);
	next_id++;
	for (uint32_t p = first; p < end; p++)
		n->folio[p] = next_id;
	n->touched[page] = 1;
	return answer;
}

/* Number of choices that disagree. */
static unsigned int fault(uint32_t pid, uint32_t page, bool says_absent)
{
	const uint64_t addr = (FIRST_PAGE + page) * FZ_PAGE_BYTES + below(4096);
	struct fz_folio_answer got[NR_CHOICES];
	unsigned int wrong = 0;

	if (fz_population_fault(population, pid, addr, says_absent, got))
		return NR_CHOICES;
	for (unsigned int i = 0; i < nr_open; i++) {
		const unsigned int c = open_choices[i];
		const struct fz_folio_answer want =
			c < NR_FIXED ? naive_fixed(&naive[c][pid], c, page,
						   says_absent)
				     : naive_auto(&naive[c][pid], mapping[pid],
						  page, says_absent);

		wrong += got[i].outcome != want.outcome ||
			 got[i].freed != want.freed ||
			 got[i].unmapped != want.unmapped ||
			 (want.outcome == FZ_FOLIO_MADE &&
			  got[i].order != want.order);
	}
	return wrong;
}

static void map(uint32_t pid)
{
	const uint32_t page = below(NR_PAGES);
	uint32_t nr = 1 + below(below(4) ? 64 : 2000);
	const bool anon = below(3) > 0;
	const uint32_t id = anon ? 1 : ++next_id + 1;

	nr = nr < NR_PAGES - page ? nr : NR_PAGES - page;
	for (uint32_t i = 0; i < nr; i++)
		mapping[pid][page + i] = id;
	fz_population_map(population, pid, (FIRST_PAGE + page) * FZ_PAGE_BYTES,
			  nr * FZ_PAGE_BYTES,
			  anon ? FZ_BACKING_ANON : FZ_BACKING_FILE);
}

static unsigned int wrong_backings(uint32_t pid)
{
	unsigned int wrong = 0;

	for (uint32_t p = 0; p < NR_PAGES; p++) {
		const enum fz_fault_backing want =
			mapping[pid][p] == 0   ? FZ_BACKING_UNKNOWN
			: mapping[pid][p] == 1 ? FZ_BACKING_ANON
					       : FZ_BACKING_FILE;

		wrong += fz_population_backing(population, pid,
					       (FIRST_PAGE + p) *
						       FZ_PAGE_BYTES) != want;
	}
	return wrong;
}

static void fork_process(uint32_t parent, uint32_t child)
{
	for (size_t c = 0; c < NR_CHOICES && parent != child; c++)
		memset(&naive[c][child], 0, sizeof(naive[c][child]));
	if (parent != child)
		memcpy(mapping[child], mapping[parent], sizeof(mapping[child]));
	fz_population_fork(population, parent, child);
}

/* @which: bit c stands for choice c. */
static void open_some(uint32_t which)
{
	struct fz_folio_choice choices[NR_CHOICES] = { { 0 } };

	nr_open = 0;
	for (unsigned int c = 0; c < NR_CHOICES; c++) {
		if (!(which >> c & 1))
			continue;
		if (c < NR_FIXED)
			choices[nr_open].order = c;
		else
			choices[nr_open].auto_orders = auto_orders;
		open_choices[nr_open++] = c;
	}
	ck_assert_int_eq(fz_population_open(&population, choices, nr_open,
					    FZ_PAGE_BYTES),
			 0);
	next_id = 1;
	for (uint32_t pid = 0; pid < NR_PIDS; pid++)
		forget(pid);
}

#define ALL          ((1u << NR_CHOICES) - 1)
#define FIXED(order) (1u << (order))
#define AUTO         (1u << NR_FIXED)

/* One size alone has one bitmap, which is never split. */
static const struct {
	uint32_t which;
	unsigned int absent; /* percent of the faults say so */
} cases[] = {
	{ ALL, 100 },           { ALL, 50 },       { ALL, 0 },
	{ FIXED(0), 50 },       { FIXED(3), 10 },  { FIXED(9), 50 },
	{ FIXED(10), 10 },      { FIXED(18), 10 }, { FIXED(18), 1 },
	{ AUTO, 50 },           { AUTO, 0 },       { FIXED(0) | FIXED(18), 20 },
	{ FIXED(9) | AUTO, 2 },
};

/* All pages of a region or a part of it: its bitmap fills up. */
static unsigned int sweep(uint32_t pid, uint32_t page, bool says_absent)
{
	const uint32_t nr = below(2) ? 512 : below(700);
	unsigned int wrong = 0;

	for (uint32_t i = 0; i < nr && !wrong; i++)
		wrong += fault(pid, (page + i) % NR_PAGES, says_absent);
	return wrong;
}

/* Anything that may happen, once. Return: answers that are wrong. */
static unsigned int step(uint32_t page, unsigned int absent)
{
	const uint32_t pid = below(NR_PIDS);
	const uint32_t what = below(1000);

	if (what < 4) {
		fz_population_clear(population, pid);
		forget(pid);
	} else if (what < 40) {
		map(pid);
	} else if (what < 42) {
		fork_process(pid, below(NR_PIDS));
	} else if (what < 46) {
		return wrong_backings(pid);
	} else if (what < 54) {
		return sweep(pid, page, below(100) < absent);
	} else {
		return fault(pid, page, below(100) < absent);
	}
	return 0;
}

START_TEST(agrees_with_naive_passes)
{
	uint32_t page = 0;
	unsigned int wrong = 0;

	rng = fz_random_begin(7 + (uint64_t)_i, 1);
	open_some(cases[_i].which);
	for (unsigned int i = 0; i < NR_STEPS && !wrong; i++) {
		page = below(3) ? (page + below(4)) % NR_PAGES
				: below(NR_PAGES);
		wrong += step(page, cases[_i].absent);
	}
	fz_population_close(population);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Nothing is freed: software events only, all pages of two regions. */
START_TEST(larger_folios_never_take_more)
{
	uint64_t faults[NR_CHOICES] = { 0 };
	uint64_t distinct = 0;
	static unsigned char seen[NR_PAGES];
	struct fz_folio_answer got[NR_CHOICES];

	rng = fz_random_begin(3, 2);
	open_some(ALL);
	memset(seen, 0, sizeof(seen));
	for (unsigned int i = 0; i < 6000; i++) {
		const uint32_t page = below(NR_PAGES);

		distinct += !seen[page];
		seen[page] = 1;
		fz_population_fault(population, 1,
				    (FIRST_PAGE + page) * FZ_PAGE_BYTES, false,
				    got);
		for (unsigned int c = 0; c < NR_CHOICES; c++)
			faults[c] += got[c].outcome == FZ_FOLIO_MADE;
	}
	fz_population_close(population);
	ck_assert_uint_eq(faults[0], distinct);
	for (unsigned int c = 1; c < NR_FIXED; c++)
		ck_assert_uint_le(faults[c], faults[c - 1]);
}
END_TEST

/* With a unit, another page of it is the same one again. */
START_TEST(units_repeat)
{
	const struct fz_folio_choice choice = { .order = 9 };
	struct fz_folio_answer got;

	ck_assert_int_eq(fz_population_open(&population, &choice, 1, 2u << 20),
			 0);
	ck_assert_int_eq(
		fz_population_fault(population, 1, 4u << 20, true, &got), 0);
	ck_assert_int_eq(got.outcome, FZ_FOLIO_MADE);
	ck_assert(!got.freed);
	fz_population_fault(population, 1, (4u << 20) + 40960, true, &got);
	ck_assert_int_eq(got.outcome, FZ_FOLIO_MADE);
	ck_assert(got.freed);
	fz_population_fault(population, 1, (4u << 20) + 81920, false, &got);
	ck_assert_int_eq(got.outcome, FZ_FOLIO_REPEAT);
	fz_population_close(population);
}
END_TEST

/* Where the regions of a trace lie. */
enum spread {
	SPREAD_SCATTERED,
	SPREAD_APART, /* each alone among untouched ones */
	SPREAD_DENSE,
	SPREAD_PROCESSES, /* each of its own */
};

static uint64_t region_number(enum spread spread, uint64_t i)
{
	switch (spread) {
	case SPREAD_SCATTERED:
		return fz_random_next(&rng) >> 23;
	case SPREAD_APART:
		return i * 512;
	case SPREAD_DENSE:
		return i;
	case SPREAD_PROCESSES:
		break;
	}
	return 5;
}

/* 160 bytes for each region, whatever their number and places, and what is
 * taken for the table at the start. */
START_TEST(memory_is_bounded)
{
	const struct fz_folio_choice choices[] = { { .order = 0 },
						   { .order = 4 },
						   { .order = 9 } };
	const enum spread spread = (enum spread)(_i / 2);
	const uint64_t nr_pages = _i % 2 + 1; /* of each region */
	const uint32_t nr_pids = spread == SPREAD_PROCESSES ? UINT32_MAX : 50;
	const uint64_t nr = FZ_SANITIZED ? 20000 : 300000;
	struct fz_folio_answer got[3];
	unsigned int wrong = 0;

	rng = fz_random_begin(11, 3);
	fz_population_open(&population, choices, 3, FZ_PAGE_BYTES);
	for (uint64_t i = 1; i <= nr; i++) {
		const uint64_t addr = region_number(spread, i) << 21;

		for (uint64_t p = 0; p < nr_pages; p++)
			fz_population_fault(population, (uint32_t)(i % nr_pids),
					    addr + p * 0x7000, true, got);
		wrong += fz_population_bytes(population) >
			 160 * fz_population_regions(population) +
				 ((uint64_t)5 << 20);
	}
	for (uint32_t pid = 0; pid <= nr && pid < nr_pids; pid++)
		fz_population_clear(population, pid);
	ck_assert_uint_eq(fz_population_regions(population), 0);
	fz_population_close(population);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("population");
	TCase *tcase = tcase_create("population");

	tcase_add_loop_test(tcase, agrees_with_naive_passes, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, larger_folios_never_take_more);
	tcase_add_test(tcase, units_repeat);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, memory_is_bounded, 0, 8);
	suite_add_tcase(suite, tcase);
	return suite;
}
