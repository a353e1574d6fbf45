// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans equal what unmodified kernels were seen to do. */
#include "fz_test.h"

#include <fz/folio.h>
#include <fz/policies.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CLEAR_ORDER FZ_TEST_DIR "/golden/clear-order.csv"
#define HEADER                                                                \
	"kernel,preempt,kind,folio_bytes,fault_page,seq,first_page,nr_pages," \
	"calls\n"

/* What the recording holds; a damaged copy must not pass. */
#define NR_FAULTS 41u
#define NR_ROWS   6005u

struct row {
	char kernel[16], preempt[16], kind[16];
	uint64_t folio_bytes, fault_page, seq, first_page, nr_pages, calls;
};

static bool row_parse(const char *line, struct row *row)
{
	return sscanf(line,
		      "%15[^,],%15[^,],%15[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu64
		      ",%" SCNu64 ",%" SCNu64 ",%" SCNu64,
		      row->kernel, row->preempt, row->kind, &row->folio_bytes,
		      &row->fault_page, &row->seq, &row->first_page,
		      &row->nr_pages, &row->calls) == 9;
}

/* The plan of the fault that the row is from. */
static bool row_plan(const struct row *row, struct fz_plan *plan)
{
	const bool is_old = strncmp(row->kernel, "6.", 2) == 0;
	const struct fz_policy *policy = fz_policy_find(
		is_old ? "discontiguous-page" : "neighbourhood-last");
	struct fz_zero_request request = {
		.nr_pages = row->folio_bytes / FZ_PAGE_BYTES,
		.fault_page = row->fault_page,
		.preempt = FZ_PREEMPT_NONE,
		.radius_pages = FZ_RADIUS_PAGES,
	};

	if (strcmp(row->preempt, "forced-none") != 0 &&
	    !fz_preempt_find(row->preempt, &request.preempt))
		return false;
	return fz_policy_plan(policy, &request, plan, NULL) == 0;
}

static bool next_clear(struct fz_walker *walker, struct fz_step *step)
{
	while (fz_walker_next(walker, step))
		if (step->op == FZ_OP_CLEAR)
			return true;
	return false;
}

/* A row of several calls is single pages, ascending, that were merged. */
static bool row_is_next(const struct row *row, struct fz_walker *walker)
{
	const uint64_t call_pages = row->nr_pages / row->calls;
	bool good = call_pages * row->calls == row->nr_pages;

	for (uint64_t i = 0; i < row->calls; i++) {
		struct fz_step step;

		good = next_clear(walker, &step) && good &&
		       step.first == row->first_page + i * call_pages &&
		       step.nr == call_pages && step.hint == FZ_HINT_CACHED;
	}
	return good;
}

struct tally {
	unsigned int nr_faults, nr_rows, bad;
	char first[160]; /* what went wrong first */
};

static void tally_bad(struct tally *tally, const char *line, const char *wrong)
{
	if (tally->bad++ == 0)
		snprintf(tally->first, sizeof(tally->first), "%s: %.100s",
			 wrong, line);
}

static void check_file(FILE *file, struct tally *tally)
{
	struct fz_plan plan = { .runs = NULL };
	struct fz_walker walker;
	struct fz_step step;
	struct row row;
	uint64_t seq = 0;
	char line[160];

	fz_walker_begin(&walker, &plan);
	while (fgets(line, sizeof(line), file)) {
		if (!row_parse(line, &row)) {
			tally_bad(tally, line, "not a row");
			continue;
		}
		if (row.seq == 0) {
			if (next_clear(&walker, &step))
				tally_bad(tally, line, "too few rows before");
			fz_plan_fini(&plan);
			if (!row_plan(&row, &plan))
				tally_bad(tally, line, "no plan");
			fz_walker_begin(&walker, &plan);
			tally->nr_faults++;
			seq = 0;
		}
		tally->nr_rows++;
		if (row.seq != seq++ || !row_is_next(&row, &walker))
			tally_bad(tally, line, "not what the plan has");
	}
	if (next_clear(&walker, &step))
		tally_bad(tally, "", "too few rows at the end");
	fz_plan_fini(&plan);
}

START_TEST(plans_equal_recording)
{
	struct tally tally = { .bad = 0 };
	FILE *file = fopen(CLEAR_ORDER, "r");
	char header[160];

	ck_assert_msg(file != NULL, "cannot open " CLEAR_ORDER);
	ck_assert_ptr_nonnull(fgets(header, sizeof(header), file));
	ck_assert_str_eq(header, HEADER);
	check_file(file, &tally);
	fclose(file);
	ck_assert_msg(tally.bad == 0, "%u rows, the first: %s", tally.bad,
		      tally.first);
	ck_assert_uint_eq(tally.nr_faults, NR_FAULTS);
	ck_assert_uint_eq(tally.nr_rows, NR_ROWS);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("policies.clear_order");
	TCase *tcase = tcase_create("clear_order");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, plans_equal_recording);
	suite_add_tcase(suite, tcase);
	return suite;
}
