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
	for (unsigned int c = 0; c < NR_CHOICES; c++) {
		const struct fz_folio_answer want =
			c < NR_FIXED ? naive_fixed(&naive[c][pid], c, page,
						   says_absent)
				     : naive_auto(&naive[c][pid], mapping[pid],
						  page, says_absent);

		wrong += got[c].outcome != want.outcome ||
			 got[c].freed != want.freed ||
			 got[c].unmapped != want.unmapped ||
			 (want.outcome == FZ_FOLIO_MADE &&
			  got[c].order != want.order);
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
	bool maps = false;

	for (uint32_t p = 0; p < NR_PAGES; p++)
		maps |= mapping[parent][p] != 0;
	if (parent != child && maps)
		memcpy(mapping[child], mapping[parent], sizeof(mapping[child]));
	fz_population_fork(population, parent, child);
}

static void open_all(void)
{
	struct fz_folio_choice choices[NR_CHOICES] = { { 0 } };

	for (unsigned int i = 0; i < NR_FIXED; i++)
		choices[i].order = i;
	choices[NR_FIXED].auto_orders = auto_orders;
	ck_assert_int_eq(fz_population_open(&population, choices, NR_CHOICES,
					    FZ_PAGE_BYTES),
			 0);
	next_id = 1;
	for (uint32_t pid = 0; pid < NR_PIDS; pid++)
		forget(pid);
}

START_TEST(agrees_with_naive_passes)
{
	uint32_t page = 0;
	unsigned int wrong = 0;

	rng = fz_random_begin(7 + (uint64_t)_i, 1);
	open_all();
	for (unsigned int i = 0; i < NR_STEPS && !wrong; i++) {
		const uint32_t pid = below(NR_PIDS);
		const uint32_t what = below(1000);

		page = below(3) ? (page + below(4)) % NR_PAGES
				: below(NR_PAGES);
		if (what < 4) {
			fz_population_clear(population, pid);
			forget(pid);
		} else if (what < 40) {
			map(pid);
		} else if (what < 42) {
			fork_process(pid, below(NR_PIDS));
		} else if (what < 46) {
			wrong += wrong_backings(pid);
		} else {
			wrong += fault(pid, page, _i % 3 == 0 || below(2));
		}
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
	open_all();
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

/* 160 bytes for each region, whatever their number and places. */
START_TEST(memory_is_bounded)
{
	const struct fz_folio_choice choices[] = { { .order = 0 },
						   { .order = 4 },
						   { .order = 9 } };
	struct fz_folio_answer got[3];
	unsigned int wrong = 0;

	rng = fz_random_begin(11, 3);
	fz_population_open(&population, choices, 3, FZ_PAGE_BYTES);
	for (uint64_t i = 1; i <= (FZ_SANITIZED ? 20000 : 300000); i++) {
		const uint64_t number =
			_i ? fz_random_next(&rng) >> 23 : i << (9 * (i % 2));

		fz_population_fault(population, (uint32_t)(i % 50),
				    number << 21, true, got);
		wrong += fz_population_bytes(population) >
			 160 * fz_population_regions(population) +
				 ((uint64_t)8 << 20);
	}
	for (uint32_t pid = 0; pid < 50; pid++)
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

	tcase_add_loop_test(tcase, agrees_with_naive_passes, 0, 6);
	tcase_add_test(tcase, larger_folios_never_take_more);
	tcase_add_test(tcase, units_repeat);
	tcase_add_loop_test(tcase, memory_is_bounded, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
