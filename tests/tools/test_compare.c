// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows are compared, what is said of them, and what differs besides. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "fz_test.h"
#include "made_document.h"

#define MAX_DOCUMENTS 12

/* Documents on two sides, and what became of them. */
struct trial {
	struct fz_random random;
	struct fz_document documents[2][MAX_DOCUMENTS];
	struct fz_side sides[2];
	struct fz_compare compare;
	struct fz_err err;
};

static struct trial *trial_new(uint64_t stream)
{
	struct trial *trial = calloc(1, sizeof(*trial));

	trial->random = fz_random_begin(1, stream);
	for (size_t i = 0; i < 2; i++)
		trial->sides[i].documents = trial->documents[i];
	trial->compare.sides = trial->sides;
	trial->compare.nr_sides = 2;
	trial->compare.between_runs = -1;
	trial->compare.command = "foliosim compare";
	return trial;
}

static void add_document(struct trial *trial, size_t side, json_t *document)
{
	made_read(&trial->documents[side][trial->sides[side].nr++], document);
}

static int compare(struct trial *trial)
{
	return fz_compare_make(&trial->compare, &trial->err);
}

static void trial_free(struct trial *trial)
{
	fz_compare_fini(&trial->compare);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < trial->sides[side].nr; i++)
			fz_document_fini(&trial->documents[side][i]);
	free(trial);
}

static json_t *quiet_row(struct trial *trial, json_t *document,
			 const char *policy, double seconds)
{
	return made_row(document, policy, 31, seconds, 0.01, &trial->random);
}

/* One document a side, a row each that a test may change. */
static void two_rows(struct trial *trial, json_t **a, json_t **b,
		     json_t **row_a, json_t **row_b)
{
	*a = made_document("6.12");
	*b = made_document("6.12");
	*row_a = quiet_row(trial, *a, "contiguous-page", 0.01);
	*row_b = quiet_row(trial, *b, "contiguous-page", 0.01);
}

/* Every setting: rows that differ in it alone are not compared. */
static const struct {
	const char *member, *value;
} settings[] = {
	{ "engine", "\"bare\"" },
	{ "policy", "\"init-pages\"" },
	{ "clear", "\"clzero\"" },
	{ "stream_clear", "\"stosb\"" },
	{ "page_size_bytes", "4096" },
	{ "backing", "{\"kind\":\"thp\"}" },
	{ "folio_bytes", "4096" },
	{ "fault_page", "0" },
	{ "preempt", "\"full\"" },
	{ "batch_bytes", "65536" },
	{ "radius_pages", "2" },
	{ "threads", "2" },
	{ "placement", "[{\"cpus\":[0,0]},{\"cpus\":[1,1]}]" },
	{ "timing", "\"span\"" },
	{ "faults", "1" },
	{ "bytes", "2097152" },
	{ "use", "\"near\"" },
	{ "highmem", "true" },
	{ "per_page_clear", "true" },
	{ "waker", "{\"by\":\"hrtimer\"}" },
	{ "waker", "{\"interval_ns\":1000}" },
};
#define NR_SETTINGS (sizeof(settings) / sizeof(settings[0]))

START_TEST(a_setting_tells_rows_apart)
{
	struct trial *trial = trial_new(1);
	json_t *a, *b, *row_a, *row_b;

	two_rows(trial, &a, &b, &row_a, &row_b);
	json_object_set_new(
		row_b, settings[_i].member,
		json_loads(settings[_i].value, JSON_DECODE_ANY, NULL));
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), -EBADMSG);
	ck_assert_msg(strstr(trial->err.msg, "r1 and r1, differ in") != NULL,
		      "%s", trial->err.msg);
	ck_assert_msg(strstr(trial->err.msg, settings[_i].member) != NULL, "%s",
		      trial->err.msg);
	trial_free(trial);
}
END_TEST

/* The same setting in both, whatever its value, and what is no setting. */
START_TEST(what_is_no_setting_does_not)
{
	struct trial *trial = trial_new(2);
	json_t *a, *b, *row_a, *row_b;

	two_rows(trial, &a, &b, &row_a, &row_b);
	json_object_set_new(
		row_a, settings[_i].member,
		json_loads(settings[_i].value, JSON_DECODE_ANY, NULL));
	json_object_set_new(
		row_b, settings[_i].member,
		json_loads(settings[_i].value, JSON_DECODE_ANY, NULL));
	json_object_set_new(row_b, "hypothetical", json_true());
	json_object_set_new(row_b, "warnings", json_null());
	json_object_set_new(row_b, "highmem_", json_true());
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_uint_eq(trial->compare.pairs[0].nr_rows, 1);
	ck_assert_uint_eq(trial->compare.pairs[0].nr_left, 0);
	trial_free(trial);
}
END_TEST

/* Null and absent are the same. */
START_TEST(an_absent_setting_is_null)
{
	struct trial *trial = trial_new(3);
	json_t *a, *b, *row_a, *row_b;

	two_rows(trial, &a, &b, &row_a, &row_b);
	json_object_set_new(row_b, "use", json_null());
	json_object_set_new(row_b, "waker", json_null());
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	trial_free(trial);
}
END_TEST

/* Two kernels with other policies are what a kernel developer compares. */
START_TEST(a_kernels_policy_is_an_outcome)
{
	struct trial *trial = trial_new(4);
	json_t *a, *b, *row_a, *row_b;
	char label[160];

	two_rows(trial, &a, &b, &row_a, &row_b);
	json_object_set_new(row_a, "engine", json_string("kernel"));
	json_object_set_new(row_b, "engine", json_string("kernel"));
	json_object_set_new(row_b, "policy", json_string("batched-pages"));
	json_object_set_new(row_b, "preempt", json_string("lazy"));
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	fz_compared_label(label, sizeof(label), &trial->compare.pairs[0],
			  &trial->compare.pairs[0].rows[0]);
	ck_assert_str_eq(label, "kernel");
	trial_free(trial);
}
END_TEST

START_TEST(rows_that_are_left_out_are_listed)
{
	struct trial *trial = trial_new(5);
	json_t *a = made_document("6.12"), *b = made_document("6.12");
	const struct fz_left_row *left;

	quiet_row(trial, a, "contiguous-page", 0.01);
	quiet_row(trial, a, "only-here", 0.01);
	quiet_row(trial, a, "contiguous-page", 0.02);
	made_row(b, "contiguous-page", 0, 0, 0, &trial->random);
	quiet_row(trial, b, "contiguous-page", 0.01);
	quiet_row(trial, b, "only-there", 0.01);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_uint_eq(trial->compare.pairs[0].nr_rows, 1);
	/* The first of two counts. */
	ck_assert_str_eq(trial->compare.pairs[0].rows[0].base.row->id, "r1");
	ck_assert_str_eq(trial->compare.pairs[0].rows[0].other.row->id, "r2");
	left = trial->compare.pairs[0].left;
	ck_assert_uint_eq(trial->compare.pairs[0].nr_left, 4);
	ck_assert_int_eq(left[0].why, FZ_LEFT_UNMATCHED);
	ck_assert_str_eq(left[0].row->id, "r2");
	ck_assert_uint_eq(left[0].side, 0);
	ck_assert_int_eq(left[1].why, FZ_LEFT_UNMATCHED);
	ck_assert_str_eq(left[1].row->id, "r3");
	ck_assert_uint_eq(left[1].side, 1);
	ck_assert_int_eq(left[2].why, FZ_LEFT_NOT_MEASURED);
	ck_assert_str_eq(left[2].row->id, "r1");
	ck_assert_int_eq(left[3].why, FZ_LEFT_DUPLICATE);
	ck_assert_str_eq(left[3].row->id, "r3");
	ck_assert_str_eq(left[3].same->id, "r1");
	trial_free(trial);
}
END_TEST

START_TEST(no_measured_row)
{
	struct trial *trial = trial_new(6);
	json_t *a = made_document("6.12"), *b = made_document("6.12");

	quiet_row(trial, a, "contiguous-page", 0.01);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), -EBADMSG);
	ck_assert_str_eq(trial->err.msg, "'made.json' has no measured row");
	trial_free(trial);
}
END_TEST

/* A row that is 8 % faster, one that is slower, one that is neither. */
START_TEST(verdicts)
{
	struct trial *trial = trial_new(7);
	json_t *a = made_document("6.12"), *b = made_document("6.12");
	const struct fz_compared *rows;

	quiet_row(trial, a, "faster", 0.01);
	quiet_row(trial, a, "slower", 0.01);
	quiet_row(trial, a, "same", 0.01);
	made_row(a, "few", 10, 0.01, 0.01, &trial->random);
	made_row(b, "few", 31, 0.02, 0.01, &trial->random);
	quiet_row(trial, b, "same", 0.01);
	quiet_row(trial, b, "slower", 0.01 * 1.08);
	quiet_row(trial, b, "faster", 0.01 / 1.08);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	rows = trial->compare.pairs[0].rows;
	ck_assert_uint_eq(trial->compare.pairs[0].nr_rows, 4);
	ck_assert_int_eq(rows[0].verdict, FZ_COMPARE_FASTER);
	ck_assert_int_eq(rows[1].verdict, FZ_COMPARE_SLOWER);
	ck_assert_int_eq(rows[2].verdict, FZ_COMPARE_NO_DIFFERENCE);
	ck_assert_int_eq(rows[3].verdict, FZ_COMPARE_TOO_FEW_ROUNDS);
	ck_assert_double_eq_tol(exp(rows[0].change.log_ratio), 1.08, 0.02);
	ck_assert_double_eq_tol(rows[0].base.bps, (64 << 20) / 0.01, 2e8);
	/* Three tests: Holm's levels are 0.05 over 3, 2 and 1. */
	ck_assert_double_eq_tol(rows[0].level + rows[1].level + rows[2].level,
				0.05 / 3 + 0.05 / 2 + 0.05, 1e-12);
	ck_assert(isnan(rows[3].level) && isnan(rows[3].change.p));
	trial_free(trial);
}
END_TEST

/* The rounds tell them apart, two runs that differ by 1.5 % are no wonder. */
START_TEST(what_runs_differ_by_is_allowed_for)
{
	struct trial *trial = trial_new(8);
	json_t *a = made_document("6.12"), *b = made_document("6.12");
	const struct fz_compared *row;

	made_row(a, "p", 31, 0.01, 0.002, &trial->random);
	made_row(b, "p", 31, 0.01015, 0.002, &trial->random);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	row = &trial->compare.pairs[0].rows[0];
	ck_assert_double_lt(row->rounds_alone.p, 1e-6);
	ck_assert_int_eq(row->verdict, FZ_COMPARE_NO_DIFFERENCE);
	fz_compare_fini(&trial->compare);
	trial->compare.between_runs = 0.001;
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_int_eq(trial->compare.pairs[0].rows[0].verdict,
			 FZ_COMPARE_SLOWER);
	trial_free(trial);
}
END_TEST

static void add_switches(json_t *row, int nr)
{
	json_object_set_new(row, "noise",
			    json_pack("{s:i}", "involuntary_switches", nr));
}

/* Rounds of 31 times 10 ms: 13 switches are more than 40 a second, 12 less. */
START_TEST(a_run_that_shared_its_cpu)
{
	static const struct {
		size_t rounds;
		int switches;
		bool disturbed;
	} cases[] = {
		{ 31, 0, false },   { 31, 12, false }, { 31, 13, true },
		{ 31, 1000, true }, { 12, 9, false },  { 12, 10, true },
	};
	struct trial *trial = trial_new(16);
	json_t *a = made_document("6.12"), *b = made_document("6.12");
	const struct fz_compared *row;

	add_switches(
		made_row(a, "p", cases[_i].rounds, 0.01, 0, &trial->random),
		cases[_i].switches);
	made_row(b, "p", 31, 0.02, 0, &trial->random);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	row = &trial->compare.pairs[0].rows[0];
	ck_assert_int_eq(row->verdict, cases[_i].disturbed
					       ? FZ_COMPARE_DISTURBED
					       : FZ_COMPARE_SLOWER);
	ck_assert(isnan(row->change.p) == cases[_i].disturbed);
	fz_compare_fini(&trial->compare);
	/* Who says what runs differ by, decides. */
	trial->compare.between_runs = 0.02;
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_int_eq(trial->compare.pairs[0].rows[0].verdict,
			 FZ_COMPARE_SLOWER);
	trial_free(trial);
}
END_TEST

/* Threads that wait yield the CPU, and a waker is there to take it. */
START_TEST(switches_that_tell_nothing)
{
	struct trial *trial = trial_new(17);
	json_t *a = made_document("6.12"), *b = made_document("6.12"), *row;

	row = made_row(a, "p", 31, 0.01, 0, &trial->random);
	json_object_set_new(row, "threads", json_integer(2));
	add_switches(row, 1000);
	row = made_row(a, "q", 31, 0.01, 0, &trial->random);
	json_object_set_new(row, "waker", json_pack("{s:s}", "by", "fifo"));
	add_switches(row, 1000);
	row = made_row(a, "r", 31, 0.01, 0, &trial->random);
	add_switches(row, 12);
	made_row(b, "r", 31, 0.01, 0, &trial->random);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_double_eq_tol(trial->documents[0][0].switches_per_s,
				12 / (31 * 0.01), 1e-6);
	ck_assert_int_eq(trial->compare.pairs[0].rows[0].verdict,
			 FZ_COMPARE_NO_DIFFERENCE);
	trial_free(trial);
}
END_TEST

/* Several runs: their medians decide, their rounds do not. */
START_TEST(runs_are_the_unit)
{
	static const double levels[2][4] = { { 0.0100, 0.0103, 0.0098, 0.0101 },
					     { 0.0110, 0.0107, 0.0112,
					       0.0109 } };
	struct trial *trial = trial_new(9);
	const struct fz_compared *row;

	for (size_t side = 0; side < 2; side++)
		for (size_t run = 0; run < 4; run++) {
			json_t *document = made_document("6.12");

			made_row(document, "p", 11, levels[side][run], 0,
				 &trial->random);
			add_document(trial, side, document);
		}
	ck_assert_int_eq(compare(trial), 0);
	row = &trial->compare.pairs[0].rows[0];
	ck_assert(row->of_runs);
	ck_assert_uint_eq(row->base.runs, 4);
	ck_assert_uint_eq(row->base.rounds, 44);
	ck_assert_int_eq(row->verdict, FZ_COMPARE_SLOWER);
	ck_assert_double_eq_tol(row->base.bps, (64 << 20) / 0.01005, 1e3);
	ck_assert_double_eq_tol(row->change.p,
				fz_change_of_runs(levels[0], 4, levels[1], 4).p,
				1e-12);
	trial_free(trial);
}
END_TEST

/* Runs of one side, by their rounds; or a disturbed one with 31. */
#define DISTURBED (-1)

static void add_runs(struct trial *trial, size_t side, double seconds,
		     const int *rounds)
{
	for (; *rounds; rounds++) {
		json_t *document = made_document("6.12");
		const bool disturbed = *rounds == DISTURBED;

		add_switches(made_row(document, "p",
				      disturbed ? 31 : (size_t)*rounds, seconds,
				      0.01, &trial->random),
			     disturbed ? 1000 : 0);
		add_document(trial, side, document);
	}
}

static const struct {
	int base[5], other[5];
	enum fz_compare_verdict verdict;
	size_t runs[2], nr_short, nr_disturbed;
} counting[] = {
	/* Three partial runs: what they say is noise. */
	{ { 15, 15, 15 },
	  { 1, 1, 1 },
	  FZ_COMPARE_TOO_FEW_ROUNDS,
	  { 3, 3 },
	  0,
	  0 },
	{ { 15, 15, 15 }, { 10, 15, 11 }, FZ_COMPARE_SLOWER, { 3, 2 }, 1, 0 },
	{ { 15, DISTURBED, 15 },
	  { 1, 15, 15, DISTURBED },
	  FZ_COMPARE_SLOWER,
	  { 2, 2 },
	  1,
	  2 },
	{ { 15, 15 },
	  { DISTURBED, DISTURBED },
	  FZ_COMPARE_DISTURBED,
	  { 2, 2 },
	  0,
	  0 },
	{ { 15, 15 }, { DISTURBED, 1 }, FZ_COMPARE_DISTURBED, { 2, 2 }, 0, 0 },
	{ { 1, 1 },
	  { DISTURBED, 15 },
	  FZ_COMPARE_TOO_FEW_ROUNDS,
	  { 2, 2 },
	  0,
	  0 },
	/* One run a side is left. */
	{ { 31, 1 }, { DISTURBED, 31 }, FZ_COMPARE_SLOWER, { 1, 1 }, 1, 1 },
};
#define NR_COUNTING (sizeof(counting) / sizeof(counting[0]))

static size_t nr_left(const struct fz_pair *pair, enum fz_left_out why)
{
	size_t nr = 0;

	for (size_t i = 0; i < pair->nr_left; i++)
		nr += pair->left[i].why == why;
	return nr;
}

START_TEST(runs_that_do_not_count)
{
	struct trial *trial = trial_new(23);
	const struct fz_compared *row;
	const struct fz_pair *pair;

	add_runs(trial, 0, 0.01, counting[_i].base);
	add_runs(trial, 1, 0.02, counting[_i].other);
	ck_assert_int_eq(compare(trial), 0);
	pair = &trial->compare.pairs[0];
	row = &pair->rows[0];
	ck_assert_int_eq(row->verdict, counting[_i].verdict);
	ck_assert_uint_eq(row->base.runs, counting[_i].runs[0]);
	ck_assert_uint_eq(row->other.runs, counting[_i].runs[1]);
	ck_assert_uint_eq(nr_left(pair, FZ_LEFT_TOO_SHORT),
			  counting[_i].nr_short);
	ck_assert_uint_eq(nr_left(pair, FZ_LEFT_DISTURBED),
			  counting[_i].nr_disturbed);
	ck_assert_uint_eq(pair->nr_left,
			  counting[_i].nr_short + counting[_i].nr_disturbed);
	ck_assert_int_eq(isnan(row->change.p), !fz_compared_is_tested(row));
	ck_assert_double_eq_tol(exp(row->change.log_ratio), 0.5, 0.05);
	fz_compare_fini(&trial->compare);
	/* Who says what runs differ by, takes disturbed ones. */
	trial->compare.between_runs = 0.02;
	ck_assert_int_eq(compare(trial), 0);
	pair = &trial->compare.pairs[0];
	ck_assert_uint_eq(nr_left(pair, FZ_LEFT_DISTURBED), 0);
	ck_assert_int_ne(pair->rows[0].verdict, FZ_COMPARE_DISTURBED);
	trial_free(trial);
}
END_TEST

START_TEST(swapping_the_sides_inverts_everything)
{
	struct trial *trial[2] = { trial_new(10), trial_new(10) };
	const struct fz_compared *ab, *ba;

	for (size_t swap = 0; swap < 2; swap++) {
		json_t *a = made_document("6.12"), *b = made_document("6.12");

		quiet_row(trial[swap], a, "p", 0.01);
		quiet_row(trial[swap], b, "p", 0.02);
		add_document(trial[swap], swap, a);
		add_document(trial[swap], !swap, b);
		ck_assert_int_eq(compare(trial[swap]), 0);
	}
	ab = &trial[0]->compare.pairs[0].rows[0];
	ba = &trial[1]->compare.pairs[0].rows[0];
	ck_assert_double_eq_tol(ab->change.log_ratio, -ba->change.log_ratio,
				1e-12);
	ck_assert_double_eq_tol(ab->change.log_se, ba->change.log_se, 1e-12);
	ck_assert_int_eq(ab->verdict, FZ_COMPARE_SLOWER);
	ck_assert_int_eq(ba->verdict, FZ_COMPARE_FASTER);
	trial_free(trial[0]);
	trial_free(trial[1]);
}
END_TEST

START_TEST(other_rows_are_looked_at)
{
	struct trial *trial = trial_new(11);
	json_t *a = made_document("6.12"), *b = made_document("6.12");

	made_row(a, "p", 11, 0.01, 0, &trial->random);
	made_row(a, "q", 11, 0.01, 0, &trial->random);
	made_row(a, "r", 11, 0.01, 0, &trial->random);
	made_row(b, "p", 11, 0.005, 0, &trial->random);
	made_row(b, "q", 11, 0.01, 0, &trial->random);
	made_row(b, "r", 11, 0.02, 0, &trial->random);
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_double_eq_tol(trial->compare.pairs[0].rows[0].others_ratio,
				0.75, 1e-9);
	ck_assert_double_eq_tol(trial->compare.pairs[0].rows[2].others_ratio,
				1.5, 1e-9);
	trial_free(trial);
}
END_TEST

static void set_twin(json_t *row, const char *id)
{
	json_object_set_new(row, "same_as", json_pack("[s]", id));
}

/* Rows p, q, its twin and r; in B q is twice as fast, and r half as fast.
 * Unless it is said, the twin is the same by chance. */
static struct trial *twins(uint64_t stream, bool is_said)
{
	struct trial *trial = trial_new(stream);

	for (size_t side = 0; side < 2; side++) {
		json_t *document = made_document("6.12");
		json_t *q, *twin;

		made_row(document, "p", 31, 0.01, 0, &trial->random);
		q = made_row(document, "q", 31, side ? 0.005 : 0.01, 0,
			     &trial->random);
		twin = made_row(document, "twin", 31, side ? 0.005 : 0.01, 0,
				&trial->random);
		made_row(document, "r", 31, side ? 0.02 : 0.01, 0,
			 &trial->random);
		add_switches(q, 40);
		add_switches(twin, 40);
		if (is_said) {
			set_twin(q, "r3");
			set_twin(twin, "r2");
		}
		add_document(trial, side, document);
	}
	trial->compare.between_runs = 0.01;
	return trial;
}

/* One measurement counts once: in Holm's correction, among the other rows, and
 * in what the run was disturbed by. */
START_TEST(twins_count_once)
{
	struct trial *trial = twins(20, _i);
	const struct fz_compared *rows;
	const double tests = _i ? 3 : 4;

	ck_assert_int_eq(compare(trial), 0);
	rows = trial->compare.pairs[0].rows;
	ck_assert_ptr_eq(rows[2].lead, &rows[_i ? 1 : 2]);
	ck_assert_double_eq_tol(fmin(rows[1].level, rows[3].level),
				0.05 / tests, 1e-12);
	ck_assert_double_eq_tol(rows[0].others_ratio, _i ? 1.25 : 2, 1e-9);
	ck_assert_double_eq_tol(trial->documents[0][0].switches, _i ? 40 : 80,
				1e-9);
	ck_assert_double_eq_tol(trial->documents[0][0].switches_per_s,
				_i ? 40 / 0.93 : 80 / 1.24, 1e-6);
	if (_i) {
		ck_assert_int_eq(rows[2].verdict, rows[1].verdict);
		ck_assert(rows[2].level == rows[1].level);
		ck_assert_double_eq_tol(rows[2].others_ratio, 0.75, 1e-9);
	}
	trial_free(trial);
}
END_TEST

/* Twins on one side only are two comparisons; and a
 * document that calls different seconds the same is not believed. */
START_TEST(twins_on_one_side)
{
	struct trial *trial = trial_new(21);

	for (size_t side = 0; side < 2; side++) {
		json_t *document = made_document("6.12");

		quiet_row(trial, document, "p", 0.01);
		set_twin(quiet_row(trial, document, "q", 0.01), "r1");
		made_row(document, "r", 31, 0.01, 0, &trial->random);
		set_twin(made_row(document, "s", 31, 0.01, 0, &trial->random),
			 side ? "r3" : "nothing");
		add_document(trial, side, document);
	}
	ck_assert_int_eq(compare(trial), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_ptr_eq(trial->compare.pairs[0].rows[i].lead,
				 &trial->compare.pairs[0].rows[i]);
	trial_free(trial);
}
END_TEST

/* What is told of two machines, and what is not. */
static const struct {
	const char *member, *value;
	const char *what, *base, *other; /* what NULL: nothing is told */
} machines[] = {
	{ "kernel", "\"6.13\"", "kernel", "6.12", "6.13" },
	{ "kernel", "null", "kernel", "6.12", NULL },
	{ "preempt_mode", "{\"value\":\"lazy\",\"basis\":\"debugfs\"}",
	  "preempt_mode", "none", "lazy" },
	{ "preempt_mode", "{\"value\":\"none\",\"basis\":\"debugfs\"}", NULL,
	  NULL, NULL },
	{ "virtualised", "true", "virtualised", "no", "yes" },
	{ "steal_ms", "8", NULL, NULL, NULL },
	{ "hugetlb_pools", "[{\"page_bytes\":1,\"free\":3}]", NULL, NULL,
	  NULL },
	{ "caches", "[{\"name\":\"L3\",\"bytes\":2097152}]", "caches L3 bytes",
	  "1M", "2M" },
	{ "caches", "[]", "caches L3", "{\"name\":\"L3\",\"bytes\":1048576}",
	  NULL },
	{ "features", "[\"avx2\"]", "features", NULL, "[\"avx2\"]" },
	{ "numa", "{\"nodes\":2}", "numa", NULL, "{\"nodes\":2}" },
	{ "governor", "null", NULL, NULL, NULL },
};
#define NR_MACHINES (sizeof(machines) / sizeof(machines[0]))

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

START_TEST(machines_that_differ_are_said_to)
{
	struct trial *trial = trial_new(12);
	json_t *a, *b, *row_a, *row_b;
	const struct fz_facts *facts;

	two_rows(trial, &a, &b, &row_a, &row_b);
	json_object_set_new(
		json_object_get(b, "machine"), machines[_i].member,
		json_loads(machines[_i].value, JSON_DECODE_ANY, NULL));
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	facts = &trial->compare.pairs[0].facts;
	ck_assert_uint_eq(facts->nr, machines[_i].what != NULL);
	if (facts->nr) {
		ck_assert_str_eq(facts->fact[0].what, machines[_i].what);
		ck_assert(same_text(facts->fact[0].base, machines[_i].base));
		ck_assert(same_text(facts->fact[0].other, machines[_i].other));
	}
	trial_free(trial);
}
END_TEST

START_TEST(features_and_seeds_and_versions)
{
	struct trial *trial = trial_new(13);
	json_t *a, *b, *row_a, *row_b;
	const struct fz_facts *facts;

	two_rows(trial, &a, &b, &row_a, &row_b);
	json_object_set_new(json_object_get(a, "machine"), "features",
			    json_pack("[s, s]", "avx2", "erms"));
	json_object_set_new(json_object_get(b, "machine"), "features",
			    json_pack("[s, s]", "erms", "clzero"));
	json_object_set_new(json_object_get(b, "tool"), "seed",
			    json_integer(2));
	json_object_set_new(json_object_get(b, "tool"), "version",
			    json_string("9"));
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	facts = &trial->compare.pairs[0].facts;
	ck_assert_uint_eq(facts->nr, 4);
	ck_assert_str_eq(facts->fact[0].what, "seed");
	ck_assert_str_eq(facts->fact[1].what, "version of foliosim");
	ck_assert_str_eq(facts->fact[2].what, "features avx2");
	ck_assert_str_eq(facts->fact[2].base, "yes");
	ck_assert_str_eq(facts->fact[2].other, "no");
	ck_assert_str_eq(facts->fact[3].what, "features clzero");
	trial_free(trial);
}
END_TEST

/* Two threads on two CPUs are not two threads on one; which CPUs they are, and
 * where they were in another round, is no setting. */
START_TEST(cpus_are_counted)
{
	static const struct {
		const char *a, *b;
		bool matched;
	} cases[] = {
		{ "[{'cpus':[0,0]},{'cpus':[1,1]}]",
		  "[{'cpus':[0,0]},{'cpus':[0,0]}]", false },
		{ "[{'cpus':[0,0]},{'cpus':[1,1]}]",
		  "[{'cpus':[3]},{'cpus':[2]}]", true },
		{ "[{'cpus':[0]}]", "[]", false },
		{ "[]", "null", true },
		{ "[{'cpus':[]}]", "null", true },
		{ "[{'cpus':['x']}]", "null", true },
		{ "[{'cpus':[0]},3]", "null", true },
		{ "[{'cpus':3}]", "null", true },
	};
	struct trial *trial = trial_new(18);
	json_t *a, *b, *row[2];

	two_rows(trial, &a, &b, &row[0], &row[1]);
	for (size_t side = 0; side < 2; side++) {
		char *text = strdup(side ? cases[_i].b : cases[_i].a);

		for (char *c = text; *c; c++)
			if (*c == '\'')
				*c = '"';
		json_object_set_new(row[side], "placement",
				    json_loads(text, JSON_DECODE_ANY, NULL));
		free(text);
	}
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), cases[_i].matched ? 0 : -EBADMSG);
	trial_free(trial);
}
END_TEST

static void set_nodes(json_t *row, int first, int second)
{
	json_object_set_new(row, "placement",
			    json_pack("[{s:[i], s:[{s:i}, {s:i}]}]", "cpus", 0,
				      "nodes", "node", first, "node", second));
}

/* Of any run; and the same ones in another order are the same. */
START_TEST(nodes_are_told)
{
	struct trial *trial = trial_new(19);
	const struct fz_facts *facts;

	for (size_t run = 0; run < 4; run++) {
		json_t *document = made_document("6.12");

		set_nodes(quiet_row(trial, document, "p", 0.01), 0, 1);
		set_nodes(quiet_row(trial, document, "q", 0.01), run == 3, 0);
		set_nodes(quiet_row(trial, document, "r", 0.01), run & 1,
			  !(run & 1));
		quiet_row(trial, document, "no nodes", 0.01);
		add_document(trial, run / 2, document);
	}
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_uint_eq(trial->compare.pairs[0].nr_rows, 4);
	facts = &trial->compare.pairs[0].facts;
	ck_assert_uint_eq(facts->nr, 1);
	ck_assert_str_eq(facts->fact[0].what, "NUMA nodes of r2");
	ck_assert_str_eq(facts->fact[0].base, "0");
	ck_assert_str_eq(facts->fact[0].other, "0,1");
	trial_free(trial);
}
END_TEST

static char *print(const struct trial *trial,
		   int (*view)(FILE *out, const struct fz_compare *compare))
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_int_eq(view(out, &trial->compare), 0);
	fclose(out);
	return text;
}

static size_t nr_not_ascii(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += (*text < ' ' || *text > '~') && *text != '\n';
	return nr;
}

/* What a file says may be anything; what is for a terminal or a mail is not. */
START_TEST(views_are_printable)
{
	static const char wild[] = "a \x1b[31m \xc3\xa9 \x7f end";
	struct trial *trial = trial_new(22);
	json_t *a, *b, *row_a, *row_b, *machine;
	char *text;

	two_rows(trial, &a, &b, &row_a, &row_b);
	machine = json_object_get(a, "machine");
	json_object_set_new(machine, "cpu", json_string(wild));
	json_object_set_new(machine, "kernel", json_string(wild));
	json_object_set_new(json_object_get(machine, "preempt_mode"), "value",
			    json_string(wild));
	json_object_set_new(json_object_get(a, "tool"), "command",
			    json_string(wild));
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	text = print(trial, _i ? fz_compare_text : fz_compare_commit);
	ck_assert_msg(nr_not_ascii(text) == 0, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "a ?[31m ?? ? end"));
	free(text);
	trial_free(trial);
}
END_TEST

/* A thousand facts are cut, counted, and given back. */
START_TEST(many_facts)
{
	struct trial *trial = trial_new(14);
	json_t *a, *b, *row_a, *row_b;
	char *text;

	two_rows(trial, &a, &b, &row_a, &row_b);
	for (unsigned int i = 0; i < 1000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "fact%u", i);
		json_object_set_new(json_object_get(b, "machine"), name,
				    json_integer(i));
	}
	add_document(trial, 0, a);
	add_document(trial, 1, b);
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_uint_eq(trial->compare.pairs[0].facts.nr, FZ_FACTS_MAX);
	ck_assert_uint_eq(trial->compare.pairs[0].facts.more,
			  1000 - FZ_FACTS_MAX);
	text = print(trial, fz_compare_commit);
	ck_assert_ptr_nonnull(strstr(text, "\n  and 936 more\n"));
	free(text);
	trial_free(trial);
}
END_TEST

/* As many rows as are read, all of them doubled: it takes no time to speak of.
 */
START_TEST(many_rows)
{
	struct trial *trial = trial_new(15);

	for (size_t side = 0; side < 2; side++) {
		json_t *document = made_document("6.12");

		for (unsigned int i = 0; i < FZ_RESULT_MAX_ROWS; i++) {
			char policy[16];

			snprintf(policy, sizeof(policy), "p%u", i / 2);
			made_row(document, policy, 1, 0.01, 0, &trial->random);
		}
		add_document(trial, side, document);
	}
	ck_assert_int_eq(compare(trial), 0);
	ck_assert_uint_eq(trial->compare.pairs[0].nr_rows,
			  FZ_RESULT_MAX_ROWS / 2);
	ck_assert_uint_eq(trial->compare.pairs[0].nr_left, FZ_RESULT_MAX_ROWS);
	trial_free(trial);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("compare");
	TCase *tcase = tcase_create("compare");

	tcase_add_loop_test(tcase, a_setting_tells_rows_apart, 0, NR_SETTINGS);
	tcase_add_loop_test(tcase, what_is_no_setting_does_not, 0, NR_SETTINGS);
	tcase_add_test(tcase, an_absent_setting_is_null);
	tcase_add_test(tcase, a_kernels_policy_is_an_outcome);
	tcase_add_test(tcase, rows_that_are_left_out_are_listed);
	tcase_add_test(tcase, no_measured_row);
	tcase_add_test(tcase, verdicts);
	tcase_add_test(tcase, what_runs_differ_by_is_allowed_for);
	tcase_add_loop_test(tcase, a_run_that_shared_its_cpu, 0, 6);
	tcase_add_test(tcase, switches_that_tell_nothing);
	tcase_add_test(tcase, runs_are_the_unit);
	tcase_add_loop_test(tcase, runs_that_do_not_count, 0, NR_COUNTING);
	tcase_add_test(tcase, swapping_the_sides_inverts_everything);
	tcase_add_test(tcase, other_rows_are_looked_at);
	tcase_add_loop_test(tcase, machines_that_differ_are_said_to, 0,
			    NR_MACHINES);
	tcase_add_test(tcase, features_and_seeds_and_versions);
	tcase_add_loop_test(tcase, twins_count_once, 0, 2);
	tcase_add_test(tcase, twins_on_one_side);
	tcase_add_loop_test(tcase, cpus_are_counted, 0, 8);
	tcase_add_test(tcase, nodes_are_told);
	tcase_add_loop_test(tcase, views_are_printable, 0, 2);
	tcase_add_test(tcase, many_facts);
	tcase_add_test(tcase, many_rows);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	return suite;
}
