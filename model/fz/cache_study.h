/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one plan does to a cache, and leaves in it. */
#ifndef FZ_CACHE_STUDY_H
#define FZ_CACHE_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/cache_plan.h>
#include <fz/err.h>

/**
 * DOC: the study of a plan
 *
 * The cache is first filled as a machine's is that zeroes one folio after the
 * other: folios are cleared by the same plan, as many as the caches hold, at
 * least one. A plan that goes around the caches leaves them part empty even so.
 * Then one more folio is cleared, and what happens is counted; where its lines
 * are is read; and it is used: a load of the faulting page's first line, loads
 * of every line of the pages around it (FZ_RADIUS_PAGES on each side), and of
 * every line of the folio. If no page is the faulting one, only of the latter,
 * and no page is looked at.
 *
 * Then, once for each level, a working set, of half that level's size if
 * nothing else is asked for, is loaded twice, another folio is cleared, and the
 * working set is loaded again. What that lost is what the clearing took from
 * whoever ran before.
 *
 * Cycles are sums of latencies, as of loads of which each waits for the one
 * before. They are NaN where one of the latencies is not known.
 */

/* Pages whose places are given, those of fz_page_distances() to the folio's
 * ends: that many if it is as large as it may be. */
#define FZ_CACHE_STUDY_PAGES 64

/**
 * struct fz_cache_page - where the lines of a page are
 * @page: the page in its folio
 * @lines: [0] only in memory; [level] innermost in that level
 */
struct fz_cache_page {
	uint64_t page;
	uint64_t lines[FZ_CACHE_MAX_LEVELS + 1];
};

/**
 * struct fz_cache_victim - a working set that was there before the clearing
 * @nr_lines: its size
 * @held: lines of it that its level, or one further in, held before
 * @kept: lines of it that they held afterwards
 * @cycles_before: loading all of it before, NaN = not known
 * @cycles_after: and afterwards
 */
struct fz_cache_victim {
	uint64_t nr_lines;
	uint64_t held;
	uint64_t kept;
	double cycles_before;
	double cycles_after;
};

/**
 * struct fz_cache_study - the findings
 * @counts: what happened while the folio was cleared
 * @folio_lines: where its lines were then; as in struct fz_cache_page
 * @nr_pages: entries in @pages
 * @pages: [nr_pages], ascending
 * @line_cycles: cost of loading the faulting page's first line; NaN = not
 *known, or no faulting page
 * @near_cycles: then every line of the pages around it, all together
 * @folio_cycles: then every line of the folio, all together
 * @line_loads: where the load of that first line came from; as in struct
 *	fz_cache_page. None if no page is the faulting one
 * @near_loads: then those of the pages around it alone
 * @folio_loads: then those of the folio alone
 * @victim: [level - 1]; zeroes if nobody asked
 */
struct fz_cache_study {
	struct fz_cache_counts counts;
	uint64_t folio_lines[FZ_CACHE_MAX_LEVELS + 1];
	size_t nr_pages;
	struct fz_cache_page pages[FZ_CACHE_STUDY_PAGES];
	double line_cycles;
	double near_cycles;
	double folio_cycles;
	uint64_t line_loads[FZ_CACHE_MAX_LEVELS + 1];
	uint64_t near_loads[FZ_CACHE_MAX_LEVELS + 1];
	uint64_t folio_loads[FZ_CACHE_MAX_LEVELS + 1];
	struct fz_cache_victim victim[FZ_CACHE_MAX_LEVELS];
};

/**
 * struct fz_cache_question - what is studied
 * @spec: the caches
 * @plan: the plan
 * @fault_page: the faulting page of the folio
 * @no_fault_page: there is none, whatever @fault_page is
 * @no_victims: nobody asks what is taken from working sets; takes half the time
 * @set_bytes: [level - 1], size of its working set; 0 = half the level's
 */
struct fz_cache_question {
	const struct fz_cache_spec *spec;
	const struct fz_plan *plan;
	uint64_t fault_page;
	bool no_fault_page;
	bool no_victims;
	uint64_t set_bytes[FZ_CACHE_MAX_LEVELS];
};

/**
 * fz_cache_study_plan() - carry a plan out and look
 * @question: what is studied
 * @study: written on success
 * @err: message on failure
 *
 * Return: 0, -EINVAL as fz_cache_geometry_check(), -ERANGE if folio, caches or
 * a set are more than a quarter of the lines that can be numbered, or -ENOMEM.
 */
int fz_cache_study_plan(const struct fz_cache_question *question,
			struct fz_cache_study *study, struct fz_err *err);

#endif
