// SPDX-License-Identifier: GPL-2.0-or-later
/* What a study finds: worked out by hand, and what must hold for any plan. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <fz/cache_study.h>
#include <fz/folio.h>

#include "fz_test.h"
#include "plan_steps.h"

#define PAGE 64 /* lines */

/* One page of L1, 4 of L2, 16 of L3, each with one set a line of a page, so
 * that pages are pushed out one by one. */
static struct fz_cache_spec small(enum fz_cache_relation last)
{
	struct fz_cache_spec spec = {
		.geometry = { .line_bytes = 64,
			      .nr_levels = 3,
			      .level = { { 4096, 1, FZ_CACHE_PLAIN, 4 },
					 { 16384, 4, FZ_CACHE_PLAIN, 14 },
					 { 65536, 16, last, 50 } },
			      .memory_cycles = 200 },
	};

	return spec;
}

/* The question but for its plan, which is these steps. */
static void study_question(struct fz_cache_question question, const char *text,
			   uint64_t nr_pages, struct fz_cache_study *study)
{
	struct steps steps = { .at = NULL };
	struct fz_plan plan;
	struct fz_err err = { "" };

	question.plan = &plan;
	steps_parse(&steps, text);
	ck_assert_int_eq(steps_build(&steps, nr_pages, &plan), 0);
	ck_assert_msg(fz_cache_study_plan(&question, study, &err) == 0, "%s",
		      err.msg);
	steps_fini(&steps);
	fz_plan_fini(&plan);
}

static void study_steps(const struct fz_cache_spec *spec, const char *text,
			uint64_t nr_pages, uint64_t fault_page,
			struct fz_cache_study *study)
{
	const struct fz_cache_question question = { .spec = spec,
						    .fault_page = fault_page };

	study_question(question, text, nr_pages, study);
}

/* The level that holds all of a page, 0 = memory; 9 = not all in one. */
static unsigned int place_of(const struct fz_cache_study *study, uint64_t page)
{
	for (size_t i = 0; i < study->nr_pages; i++) {
		if (study->pages[i].page != page)
			continue;
		for (unsigned int level = 0; level <= 3; level++)
			if (study->pages[i].lines[level] == PAGE)
				return level;
		return 9;
	}
	ck_abort_msg("page %u is not there", (unsigned int)page);
	return 9;
}

/* Pages 0 to 7, ascending: the last is in L1, the last four in L2, all in L3.
 */
START_TEST(ascending)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	struct fz_cache_study study;

	study_steps(&spec, "0+8", 8, 3, &study);
	ck_assert_uint_eq(study.counts.zeroed, 8 * PAGE);
	ck_assert_uint_eq(study.counts.zero_misses, 8 * PAGE);
	for (unsigned int i = 0; i < 3; i++) {
		ck_assert_uint_eq(study.counts.fills[i], 8 * PAGE);
		ck_assert_uint_eq(study.counts.misses[i], 8 * PAGE);
		ck_assert_uint_eq(study.counts.evictions[i], 8 * PAGE);
	}
	ck_assert_uint_eq(study.counts.memory_reads, 8 * PAGE);
	ck_assert_uint_eq(study.counts.memory_writes, 8 * PAGE);
	ck_assert_uint_eq(study.folio_lines[0], 0);
	ck_assert_uint_eq(study.folio_lines[1], PAGE);
	ck_assert_uint_eq(study.folio_lines[2], 3 * PAGE);
	ck_assert_uint_eq(study.folio_lines[3], 4 * PAGE);
	/* Distances -3 to 4: all there are. */
	ck_assert_uint_eq(study.nr_pages, 8);
	ck_assert_uint_eq(study.pages[0].page, 0);
	ck_assert_uint_eq(study.pages[7].page, 7);
	ck_assert_uint_eq(place_of(&study, 1), 3);
	ck_assert_uint_eq(place_of(&study, 3), 3);
	ck_assert_uint_eq(place_of(&study, 4), 2);
	ck_assert_uint_eq(place_of(&study, 5), 2);
	ck_assert_uint_eq(place_of(&study, 7), 1);
	/* Line 0 of page 3 comes from L3. Then pages 1 to 5 from L3, whose 4
	 * ways in L2 are taken by 5 pages in turn, but for that line again; and
	 * so do the 8 pages of the folio. */
	ck_assert(study.line_cycles == 50);
	ck_assert(study.near_cycles == 50 + 14 + (5 * PAGE - 1) * 50.0);
	ck_assert(study.folio_cycles == study.near_cycles + 8 * PAGE * 50.0);
	ck_assert_uint_eq(study.line_loads[3], 1);
	ck_assert_uint_eq(study.near_loads[2], 1);
	ck_assert_uint_eq(study.near_loads[3], 5 * PAGE - 1);
	ck_assert_uint_eq(study.folio_loads[3], 8 * PAGE);
}
END_TEST

/* The near pages last: they are in the innermost levels. */
START_TEST(near_pages_last)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_VICTIM);
	struct fz_cache_study study;

	study_steps(&spec, "3+29 0+3", 32, 0, &study);
	ck_assert_uint_eq(place_of(&study, 0), 2);
	ck_assert_uint_eq(place_of(&study, 1), 2);
	ck_assert_uint_eq(place_of(&study, 2), 1);
	ck_assert_uint_eq(place_of(&study, 4), 0);
	ck_assert_uint_eq(place_of(&study, 16), 3);
	ck_assert(study.line_cycles == 14);
	/* L1 holds one page: line 0 of page 0 was taken into it, which pushed
	 * line 0 of page 2 out to L2. */
	ck_assert(study.near_cycles == 14 + 4 + (3 * PAGE - 1) * 14.0);
}
END_TEST

START_TEST(around_the_cache)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	struct fz_cache_study study;

	study_steps(&spec, "~0+32", 32, 0, &study);
	ck_assert_uint_eq(study.counts.streamed, 32 * PAGE);
	ck_assert_uint_eq(study.counts.fills[0], 0);
	ck_assert_uint_eq(study.counts.memory_writes, 32 * PAGE);
	ck_assert_uint_eq(study.folio_lines[0], 32 * PAGE);
	ck_assert(study.line_cycles == 200);
	ck_assert_uint_eq(study.line_loads[0], 1);
	ck_assert_uint_eq(study.near_loads[0], 3 * PAGE - 1);
	ck_assert_uint_eq(study.near_loads[1], 1);
	for (unsigned int i = 0; i < 3; i++) {
		ck_assert_uint_eq(study.victim[i].kept,
				  study.victim[i].nr_lines);
		ck_assert(study.victim[i].cycles_after ==
			  study.victim[i].cycles_before);
	}
}
END_TEST

/* Without a faulting page nothing is loaded before the folio. */
START_TEST(no_faulting_page)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	const struct fz_cache_question question = { .spec = &spec,
						    .no_fault_page = true };
	struct fz_cache_study study;

	study_question(question, "0+8", 8, &study);
	ck_assert_uint_eq(study.nr_pages, 0);
	ck_assert(isnan(study.line_cycles));
	ck_assert(isnan(study.near_cycles));
	ck_assert(study.folio_cycles == 8 * PAGE * 50.0);
	ck_assert_uint_eq(study.line_loads[3] + study.near_loads[3], 0);
	ck_assert_uint_eq(study.folio_loads[3], 8 * PAGE);
}
END_TEST

START_TEST(nobody_asks_for_victims)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	const struct fz_cache_question question = { .spec = &spec,
						    .fault_page = 3,
						    .no_victims = true };
	struct fz_cache_study study, whole;

	study_question(question, "0+8", 8, &study);
	study_steps(&spec, "0+8", 8, 3, &whole);
	ck_assert_uint_ne(whole.victim[2].nr_lines, 0);
	ck_assert_uint_eq(study.victim[2].nr_lines, 0);
	memset(whole.victim, 0, sizeof(whole.victim));
	ck_assert_mem_eq(&study, &whole, sizeof(study));
}
END_TEST

/* Half a level: 32 lines, 2 pages, 8 pages. A folio of 2 pages pushes half a
 * page out of L1, nothing out of L2's 4 pages or L3's 16. */
START_TEST(working_sets)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	struct fz_cache_study study;

	study_steps(&spec, "0+2", 2, 0, &study);
	ck_assert_uint_eq(study.victim[0].nr_lines, PAGE / 2);
	ck_assert_uint_eq(study.victim[0].held, PAGE / 2);
	ck_assert_uint_eq(study.victim[0].kept, 0);
	ck_assert(study.victim[0].cycles_before == PAGE / 2 * 4.0);
	ck_assert(study.victim[0].cycles_after == PAGE / 2 * 14.0);
	ck_assert_uint_eq(study.victim[1].nr_lines, 2 * PAGE);
	ck_assert_uint_eq(study.victim[1].held, 2 * PAGE);
	ck_assert_uint_eq(study.victim[1].kept, 2 * PAGE);
	ck_assert(study.victim[1].cycles_before == 2 * PAGE * 14.0);
	ck_assert(study.victim[1].cycles_after == 2 * PAGE * 14.0);
	ck_assert_uint_eq(study.victim[2].held, 8 * PAGE);
	ck_assert_uint_eq(study.victim[2].kept, 8 * PAGE);
	/* One of 12 pages leaves 4 in L3, one of 32 none. */
	study_steps(&spec, "0+12", 12, 0, &study);
	ck_assert_uint_eq(study.victim[2].kept, 4 * PAGE);
	ck_assert(study.victim[2].cycles_after > 8 * PAGE * 50.0);
	study_steps(&spec, "0+32", 32, 0, &study);
	ck_assert_uint_eq(study.victim[2].kept, 0);
	ck_assert(study.victim[2].cycles_after == 8 * PAGE * 200.0);
}
END_TEST

/* A set of a page in L2: a folio of 3 pages leaves it there, one of 4 not. */
START_TEST(working_sets_of_a_given_size)
{
	const struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	const struct fz_cache_question question = {
		.spec = &spec, .set_bytes = { 0, 4096, 65536 }
	};
	struct fz_cache_study study;

	study_question(question, "0+3", 3, &study);
	ck_assert_uint_eq(study.victim[0].nr_lines, PAGE / 2);
	ck_assert_uint_eq(study.victim[1].nr_lines, PAGE);
	ck_assert_uint_eq(study.victim[1].kept, PAGE);
	ck_assert_uint_eq(study.victim[2].nr_lines, 16 * PAGE);
	ck_assert_uint_eq(study.victim[2].kept, 13 * PAGE);
	study_question(question, "0+4", 4, &study);
	ck_assert_uint_eq(study.victim[1].kept, 0);
}
END_TEST

START_TEST(unknown_latencies)
{
	struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	struct fz_cache_study study;

	spec.geometry.memory_cycles = 0;
	study_steps(&spec, "0+32", 32, 31, &study);
	ck_assert(study.line_cycles == 4);
	ck_assert(isfinite(study.near_cycles));
	ck_assert(isnan(study.folio_cycles));
	spec.geometry.level[0].latency_cycles = 0;
	study_steps(&spec, "0+32", 32, 31, &study);
	ck_assert(isnan(study.line_cycles));
	ck_assert(isnan(study.near_cycles));
	ck_assert(isnan(study.victim[0].cycles_before));
	ck_assert(isfinite(study.victim[1].cycles_before));
}
END_TEST

static uint64_t sum(const uint64_t *lines)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i <= FZ_CACHE_MAX_LEVELS; i++)
		all += lines[i];
	return all;
}

/* What must hold, whatever the plan. */
static bool is_sane(const struct fz_cache_study *study, uint64_t nr_pages)
{
	bool good = sum(study->folio_lines) == nr_pages * PAGE;

	good = good && study->nr_pages >= 1 &&
	       study->nr_pages <= FZ_CACHE_STUDY_PAGES;
	for (size_t i = 0; i < study->nr_pages; i++) {
		const struct fz_cache_page *page = &study->pages[i];

		good = good && sum(page->lines) == PAGE &&
		       page->page < nr_pages &&
		       (i == 0 || page[-1].page < page->page);
	}
	for (unsigned int i = 0; i < 3; i++) {
		const struct fz_cache_victim *victim = &study->victim[i];

		good = good && victim->kept <= victim->held &&
		       victim->held <= victim->nr_lines &&
		       victim->cycles_before <= victim->cycles_after;
	}
	return good && study->line_cycles <= study->near_cycles &&
	       study->near_cycles <= study->folio_cycles;
}

START_TEST(random_plans)
{
	struct fz_random random = fz_random_begin(1, 0);
	unsigned int bad = 0;

	for (unsigned int i = 0; i < 300; i++) {
		const uint64_t nr_pages = 1 + fz_random_below(&random, 40);
		const struct fz_cache_spec spec = small(
			(enum fz_cache_relation)fz_random_below(&random, 3));
		struct fz_cache_study study;
		struct fz_plan plan;
		const struct fz_cache_question question = {
			.spec = &spec,
			.plan = &plan,
			.fault_page = fz_random_below(&random, nr_pages),
		};

		if (random_plan(&random, nr_pages, &plan) != 0)
			continue;
		bad += fz_cache_study_plan(&question, &study, NULL) != 0 ||
		       !is_sane(&study, nr_pages);
		fz_plan_fini(&plan);
	}
	ck_assert_uint_eq(bad, 0);
}
END_TEST

START_TEST(too_large)
{
	struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	struct fz_plan plan = { .nr_pages = (1 << 22) + 1 };
	struct fz_cache_question question = { .spec = &spec, .plan = &plan };
	struct fz_cache_study study;
	struct fz_err err;

	ck_assert_int_eq(fz_cache_study_plan(&question, &study, &err), -ERANGE);
	ck_assert_ptr_nonnull(strstr(err.msg, "at most 16G"));
	plan.nr_pages = UINT64_MAX / 4096;
	ck_assert_int_eq(fz_cache_study_plan(&question, &study, &err), -ERANGE);
	plan.nr_pages = 1;
	question.set_bytes[1] = (uint64_t)17 << 30;
	ck_assert_int_eq(fz_cache_study_plan(&question, &study, &err), -ERANGE);
	ck_assert_ptr_nonnull(strstr(err.msg, "set"));
	question.set_bytes[1] = 0;
	spec.geometry.level[2].bytes = (uint64_t)17 << 30;
	ck_assert_int_eq(fz_cache_study_plan(&question, &study, &err), -ERANGE);
	spec.geometry.level[2].ways = 0;
	ck_assert_int_eq(fz_cache_study_plan(&question, &study, &err), -EINVAL);
}
END_TEST

/* A folio too large to be laid out often: its addresses come round again. */
START_TEST(addresses_come_round)
{
	struct fz_cache_spec spec = small(FZ_CACHE_PLAIN);
	struct fz_cache_study study;

	spec.geometry.line_bytes = 4096;
	for (unsigned int i = 0; i < 3; i++) {
		spec.geometry.level[i].ways = 4;
		spec.geometry.level[i].bytes = 4096ull * 4 << i;
	}
	study_steps(&spec, "5+3", (uint64_t)1 << 28, 5, &study);
	ck_assert_uint_eq(study.folio_lines[1], 3);
	ck_assert_uint_eq(study.victim[2].kept + 3, 8 + 3);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.cache_study");
	TCase *tcase = tcase_create("cache_study");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, ascending);
	tcase_add_test(tcase, near_pages_last);
	tcase_add_test(tcase, around_the_cache);
	tcase_add_test(tcase, no_faulting_page);
	tcase_add_test(tcase, nobody_asks_for_victims);
	tcase_add_test(tcase, working_sets);
	tcase_add_test(tcase, working_sets_of_a_given_size);
	tcase_add_test(tcase, unknown_latencies);
	tcase_add_test(tcase, random_plans);
	tcase_add_test(tcase, too_large);
	tcase_add_test(tcase, addresses_come_round);
	suite_add_tcase(suite, tcase);
	return suite;
}
