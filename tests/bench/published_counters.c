// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Published counters against the modelled cache: what the model does not know
 * is fitted to some rows of tests/golden/published.csv, the other rows
 * are predicted. Exit 1 if what the model is for does not come out.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/cache_spec.h>
#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/units.h>

#include "published_rows.h"

#define FOLIO_BYTES ((uint64_t)1 << 30)
#define ROUND_BYTES ((uint64_t)64 << 30)
#define MAX_ROWS    32

/* Larger than the caches; as many prefetches a line as in larger ones. */
#define SMALL_FOLIO_BYTES ((uint64_t)64 << 20)
#define MAX_DEGREE        4

/* What is required of the predictions. */
#define LOADS_WITHIN 0.15
#define LEAST_DROP   50

/**
 * struct row - a published counter
 * @id: its name
 * @cpu: the preset of its caches
 * @strategy: policy
 * @chunk: bytes of a clear call as published; "" = page by page
 * @preempt: preemption model
 * @metric: name of the counter
 * @value: what was published
 * @fitted: the model was fitted to it
 * @counts: of the model, for one folio
 */
struct row {
	char id[32];
	const char *cpu;
	char strategy[32];
	char chunk[16];
	char preempt[16];
	char metric[32];
	double value;
	bool fitted;
	struct fz_cache_counts counts;
};

struct table {
	struct row row[MAX_ROWS];
	size_t nr;
};

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "published_counters: %s: %s\n", what, why);
	return EXIT_FAILURE;
}

static void copy(char *to, size_t bytes, const char *from)
{
	snprintf(to, bytes, "%.*s", (int)strcspn(from, "|"), from);
}

static bool row_make(const struct published_row *from, struct row *row)
{
	char *end;

	*row = (struct row){
		.cpu = strstr(from->cpu, "Milan") ? "milan" : "genoa",
		.value = strtod(from->value, &end),
	};
	copy(row->id, sizeof(row->id), from->id);
	copy(row->chunk, sizeof(row->chunk), from->chunk);
	copy(row->strategy, sizeof(row->strategy), from->strategy);
	copy(row->preempt, sizeof(row->preempt),
	     strcmp(from->preempt, "*") == 0 ? "none" : from->preempt);
	copy(row->metric, sizeof(row->metric), from->metric);
	return *end == '\0' && row->value > 0 && fz_policy_find(row->strategy);
}

static int table_read(struct table *table, const char *path)
{
	static struct published published;
	bool good = published_read(&published, path);

	table->nr = 0;
	for (size_t i = 0; i < published.nr && good; i++) {
		if (!fz_cache_event_find(published.rows[i].metric))
			continue; /* nothing that happens in a cache */
		good = table->nr < MAX_ROWS &&
		       row_make(&published.rows[i], &table->row[table->nr]);
		table->nr += good;
	}
	return good && table->nr ? 0 : fail(path, "not the published figures");
}

static struct row *find(struct table *table, const char *id)
{
	for (size_t i = 0; i < table->nr; i++)
		if (strcmp(table->row[i].id, id) == 0)
			return &table->row[i];
	return NULL;
}

static int plan_of(const struct row *row, uint64_t folio_bytes,
		   struct fz_plan *plan)
{
	struct fz_zero_request request = {
		.nr_pages = folio_bytes >> FZ_PAGE_SHIFT,
		.radius_pages = FZ_RADIUS_PAGES,
	};
	uint64_t chunk_bytes = FZ_PAGE_BYTES;

	if ((row->chunk[0] && fz_parse_bytes(row->chunk, &chunk_bytes, NULL)) ||
	    !fz_preempt_find(row->preempt, &request.preempt))
		return -EINVAL;
	request.batch_pages = chunk_bytes >> FZ_PAGE_SHIFT;
	return fz_policy_plan(fz_policy_find(row->strategy), &request, plan,
			      NULL);
}

static int clear_folio(struct fz_cache *cache, const struct row *row,
		       const struct fz_cache_spec *spec, uint64_t folio_bytes,
		       uint64_t first_line)
{
	struct fz_plan plan;
	int code = plan_of(row, folio_bytes, &plan);

	if (code)
		return code;
	fz_cache_clear_folio(cache, spec, &plan, first_line);
	fz_plan_fini(&plan);
	return 0;
}

/* Fill the caches by the row's plan, then count what one more folio does. */
static int simulate(const struct row *row, const struct fz_cache_spec *spec,
		    uint64_t folio_bytes, struct fz_cache_counts *counts)
{
	struct fz_cache *cache;
	int code = fz_cache_open(&cache, &spec->geometry, NULL);

	if (code)
		return code;
	code = clear_folio(cache, row, spec, SMALL_FOLIO_BYTES, 0);
	fz_cache_reset_counts(cache);
	if (!code)
		code = clear_folio(cache, row, spec, folio_bytes,
				   FOLIO_BYTES / spec->geometry.line_bytes);
	*counts = *fz_cache_counts(cache);
	fz_cache_close(cache);
	return code;
}

static double value_of(const char *metric, const struct fz_cache_counts *counts,
		       const struct fz_cache_spec *spec)
{
	return fz_cache_event_find(metric)->value(counts, spec);
}

/* Rounds of 64 GiB that a CPU's counters cover: page by page, each line is one
 * miss. */
static double nr_rounds(struct table *table, const char *cpu)
{
	const struct row *row =
		find(table, strcmp(cpu, "milan") == 0 ? "milan-l1miss-before"
						      : "genoa-l1miss-contig");

	return round(row->value / (double)(ROUND_BYTES / 64));
}

static double nr_folios(struct table *table, const struct row *row)
{
	return nr_rounds(table, row->cpu) * (double)(ROUND_BYTES / FOLIO_BYTES);
}

/* Loads of a line: what makes the contiguous row right. */
static int fit_loads(struct table *table, struct fz_cache_spec *spec)
{
	struct row *row = find(table, "genoa-l1loads-contig");
	int code;

	spec->store.loads_per_line = 1;
	code = simulate(row, spec, FOLIO_BYTES, &row->counts);
	if (code)
		return code;
	spec->store.loads_per_line = row->value / nr_folios(table, row) /
				     value_of(row->metric, &row->counts, spec);
	row->fitted = true;
	return 0;
}

/* The ramp: the smallest in whole lines with which 32 MiB calls load enough. */
static int fit_ramp(struct table *table, struct fz_cache_spec *spec)
{
	struct row *row = find(table, "genoa-l1loads-32m");
	const double wanted = row->value / nr_folios(table, row);
	uint64_t lo = 0;
	uint64_t hi = spec->store.threshold_bytes / spec->geometry.line_bytes;

	while (lo < hi) {
		const uint64_t mid = lo + (hi - lo) / 2;
		int code;

		spec->store.ramp_bytes = mid * spec->geometry.line_bytes;
		code = simulate(row, spec, FOLIO_BYTES, &row->counts);
		if (code)
			return code;
		if (value_of(row->metric, &row->counts, spec) >= wanted)
			hi = mid;
		else
			lo = mid + 1;
	}
	spec->store.ramp_bytes = lo * spec->geometry.line_bytes;
	row->fitted = true;
	return 0;
}

/* The degree whose hits in level 2 come nearest to the contiguous row. */
static int fit_degree(struct table *table, struct fz_cache_spec *spec)
{
	struct row *row = find(table, "genoa-l2pf-contig");
	const double wanted = row->value / nr_folios(table, row);
	double nearest = INFINITY;
	unsigned int best = 0;

	for (unsigned int degree = 1; degree <= MAX_DEGREE; degree++) {
		struct fz_cache_counts counts;
		double error;
		int code;

		spec->geometry.prefetcher.degree = degree;
		code = simulate(row, spec, SMALL_FOLIO_BYTES, &counts);
		if (code)
			return code;
		error = fabs(value_of(row->metric, &counts, spec) *
				     (double)(FOLIO_BYTES / SMALL_FOLIO_BYTES) -
			     wanted);
		if (error < nearest) {
			nearest = error;
			best = degree;
		}
	}
	spec->geometry.prefetcher.degree = best;
	row->fitted = true;
	return 0;
}

static int fit(struct table *table, struct fz_cache_spec *spec)
{
	const struct fz_cache_prefetcher ahead = { 16, 1, 1 };
	int code;

	/* It changes no load, and long runs are quicker without it. */
	spec->geometry.prefetcher = (struct fz_cache_prefetcher){ 0 };
	code = fit_loads(table, spec);
	if (!code)
		code = fit_ramp(table, spec);
	spec->geometry.prefetcher = ahead;
	return code ? code : fit_degree(table, spec);
}

static bool same_run(const struct row *a, const struct row *b)
{
	return strcmp(a->cpu, b->cpu) == 0 &&
	       strcmp(a->strategy, b->strategy) == 0 &&
	       strcmp(a->chunk, b->chunk) == 0 &&
	       strcmp(a->preempt, b->preempt) == 0;
}

/* The row's caches, with what was fitted. */
static struct fz_cache_spec spec_of(const struct row *row,
				    const struct fz_cache_spec *fitted)
{
	struct fz_cache_spec spec;

	fz_cache_spec_parse(row->cpu, NULL, &spec, NULL);
	spec.store = fitted->store;
	spec.geometry.prefetcher = fitted->geometry.prefetcher;
	return spec;
}

static int predict(struct table *table, const struct fz_cache_spec *fitted)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct fz_cache_spec spec =
			spec_of(&table->row[i], fitted);
		size_t like = 0;
		int code;

		while (!same_run(&table->row[like], &table->row[i]))
			like++;
		table->row[i].counts = table->row[like].counts;
		if (like < i)
			continue;
		code = simulate(&table->row[i], &spec, FOLIO_BYTES,
				&table->row[i].counts);
		if (code)
			return code;
	}
	return 0;
}

static double predicted(struct table *table, const struct row *row,
			const struct fz_cache_spec *fitted)
{
	return value_of(row->metric, &row->counts, fitted) *
	       nr_folios(table, row);
}

static void print_table(struct table *table, const struct fz_cache_spec *fitted)
{
	printf("| row | counter | model | published | error |\n"
	       "|---|---|---:|---:|---:|\n");
	for (size_t i = 0; i < table->nr; i++) {
		const struct row *row = &table->row[i];
		const double value = predicted(table, row, fitted);

		printf("| %s | %s | %s %.0f | %.0f | %+.1f %% |\n", row->id,
		       row->metric, row->fitted ? "fitted" : "predicted", value,
		       row->value, 100 * (value / row->value - 1));
	}
	printf("\nFitted: %.3f loads a line, a ramp of %.2f MiB, prefetch degree "
	       "%u.\n\n",
	       fitted->store.loads_per_line,
	       (double)fitted->store.ramp_bytes / (1 << 20),
	       fitted->geometry.prefetcher.degree);
}

static bool require(bool holds, const char *what)
{
	printf("- required: %s: %s\n", what, holds ? "yes" : "NO");
	return holds;
}

static bool in_order(struct table *table, const struct fz_cache_spec *fitted,
		     const char *more, const char *less)
{
	const struct row *a = find(table, more), *b = find(table, less);

	return a->value > b->value &&
	       predicted(table, a, fitted) > predicted(table, b, fitted);
}

static bool all_in_order(struct table *table,
			 const struct fz_cache_spec *fitted)
{
	static const char *const pairs[][2] = {
		{ "genoa-l1loads-contig", "genoa-l1loads-32m" },
		{ "genoa-l1loads-32m", "genoa-l1loads-1g" },
		{ "genoa-l1miss-contig", "genoa-l1miss-32m" },
		{ "genoa-l1miss-32m", "genoa-l1miss-1g" },
		{ "genoa-l2pf-contig", "genoa-l2pf-32m" },
		{ "genoa-l2pf-32m", "genoa-l2pf-1g" },
		{ "milan-l1loads-before", "milan-l1loads-after" },
		{ "milan-l1miss-before", "milan-l1miss-after" },
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		good = in_order(table, fitted, pairs[i][0], pairs[i][1]) &&
		       good;
	return good;
}

static bool check(struct table *table, const struct fz_cache_spec *fitted)
{
	const struct row *one = find(table, "genoa-l1loads-1g");
	const double most =
		predicted(table, find(table, "genoa-l1loads-contig"), fitted);
	const double least = predicted(table, one, fitted);
	char drop[80];
	bool good;

	snprintf(drop, sizeof(drop),
		 "1 GiB calls load at least %d times less (%.0f times)",
		 LEAST_DROP, most / least);
	good = require(fabs(least / one->value - 1) <= LOADS_WITHIN,
		       "loads of 1 GiB calls within 15 %");
	good = require(most >= LEAST_DROP * least, drop) && good;
	return require(all_in_order(table, fitted),
		       "the order of the strategies") &&
	       good;
}

static bool is_complete(struct table *table)
{
	static const char *const ids[] = {
		"genoa-l1loads-contig", "genoa-l1loads-32m",
		"genoa-l1loads-1g",     "genoa-l1miss-contig",
		"genoa-l1miss-32m",     "genoa-l1miss-1g",
		"genoa-l2pf-contig",    "genoa-l2pf-32m",
		"genoa-l2pf-1g",        "milan-l1loads-before",
		"milan-l1loads-after",  "milan-l1miss-before",
		"milan-l1miss-after",
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (!find(table, ids[i]))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	static struct table table;
	struct fz_cache_spec fitted;
	struct fz_err err;

	if (argc != 2)
		return fail("usage", "published_counters CSV");
	if (table_read(&table, argv[1]))
		return EXIT_FAILURE;
	if (!is_complete(&table))
		return fail(argv[1], "a row is missing or has no model");
	if (fz_cache_spec_parse("genoa", NULL, &fitted, &err))
		return fail("genoa", err.msg);
	if (fit(&table, &fitted) || predict(&table, &fitted))
		return fail("the model", "no memory, or no plan for a row");
	print_table(&table, &fitted);
	return check(&table, &fitted) ? EXIT_SUCCESS : EXIT_FAILURE;
}
