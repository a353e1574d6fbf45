// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the shipped machine profiles say of published figures, as a table:
 *
 *   published_table PUBLISHED.csv
 *
 * Exit status 1 if the rows that were not fitted are not predicted as well as
 * required.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fz/statistics.h>

#include "published_rows.h"
#include "shipped_profiles.h"

#define MAX_MEDIAN_PCT 5.0
#define NEAR_PCT       10.0
#define MIN_NEAR_PCT   90.0

#define GIB 0x1p30

/* In per cent, without their sign. */
struct errors {
	double pct[PUBLISHED_MAX_ROWS]; /* [nr] */
	size_t nr;
};

/* Of rows that a prediction is required of, without those that were fitted. */
struct tally {
	struct errors counted;
	struct errors all; /* with exceptions */
};

static bool was_fitted(const struct fz_profile_document *document,
		       const char *id)
{
	for (size_t i = 0; i < document->nr_fitted_rows; i++)
		if (strcmp(document->fitted_rows[i], id) == 0)
			return true;
	return false;
}

/* Rows of which a prediction is required. */
static bool is_required(const struct published_row *row)
{
	return strcmp(row->workload, "perf-mmap-demand") == 0 ||
	       strcmp(row->workload, "perf-memset") == 0;
}

static void add_error(struct errors *errors, double pct)
{
	errors->pct[errors->nr++] = isnan(pct) ? INFINITY : fabs(pct);
}

static void print_row(const struct published_row *row,
		      const struct fz_profile_document *document,
		      struct tally *tally)
{
	const char *exception = published_exception(row);
	const bool fitted = was_fitted(document, row->id);
	const double said = published_bps(row);
	const double predicted = published_predict(row, &document->profile);
	const double pct = (predicted / said - 1) * 100;

	/* No -0.0. */
	printf("| %s | %s | %.2f | %.2f | %+.1f %% | %s%s |\n", row->id,
	       document->profile.name, predicted / GIB, said / GIB,
	       round(pct * 10) / 10 + 0.0,
	       fitted      ? "fitted"
	       : exception ? "not counted: "
			   : "predicted",
	       fitted || !exception ? "" : exception);
	if (fitted || !is_required(row))
		return;
	add_error(&tally->all, pct);
	if (!exception)
		add_error(&tally->counted, pct);
}

static bool print_rows(const struct published *published, struct tally *tally)
{
	puts("| row | profile | by profile, GiB/s | published, GiB/s | error | "
	     "row is |");
	puts("|---|---|--:|--:|--:|---|");
	for (size_t i = 0; i < published->nr; i++) {
		const struct published_row *row = &published->rows[i];
		const char *name = published_profile(row);
		static struct fz_profile_document document;

		if (!name || isnan(published_bps(row)))
			continue;
		if (fz_profile_find(&document, name))
			return false;
		print_row(row, &document, tally);
	}
	return true;
}

static double near_pct(const struct errors *errors)
{
	size_t near = 0;

	for (size_t i = 0; i < errors->nr; i++)
		near += errors->pct[i] <= NEAR_PCT;
	return 100.0 * (double)near / (double)errors->nr;
}

static bool print_summary(const struct tally *tally)
{
	const struct errors *counted = &tally->counted, *all = &tally->all;
	const double median = fz_median(counted->pct, counted->nr);
	const double near = near_pct(counted);

	printf("\n%zu rows predicted: median error %.1f %% (required: at most "
	       "%.0f %%), %.0f %% of them within %.0f %% (required: %.0f %%).\n",
	       counted->nr, median, MAX_MEDIAN_PCT, near, NEAR_PCT,
	       MIN_NEAR_PCT);
	printf("With the %zu rows of these workloads that are not counted: "
	       "median error %.1f %%, %.0f %% within %.0f %%.\n",
	       all->nr - counted->nr, fz_median(all->pct, all->nr),
	       near_pct(all), NEAR_PCT);
	return median <= MAX_MEDIAN_PCT && near >= MIN_NEAR_PCT;
}

int main(int argc, char **argv)
{
	static struct published published;
	static struct tally tally;

	if (argc != 2) {
		fprintf(stderr, "usage: published_table PUBLISHED.csv\n");
		return 2;
	}
	if (!published_read(&published, argv[1]) ||
	    !print_rows(&published, &tally))
		return 1;
	if (!tally.counted.nr) {
		fprintf(stderr, "published_table: no row to predict in '%s'\n",
			argv[1]);
		return 1;
	}
	return print_summary(&tally) ? 0 : 1;
}
