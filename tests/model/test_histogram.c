// SPDX-License-Identifier: GPL-2.0-or-later
/* The histogram: error bound, exact sums, merging, quantiles, buckets. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/histogram.h>
#include <fz/random.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* A random value whose number of bits is uniform in 0 ... max_bits. */
static uint64_t random_value(struct fz_random *random, unsigned int max_bits)
{
	uint64_t bits = fz_random_below(random, max_bits + 1);

	return bits ? fz_random_next(random) >> (64 - bits) : 0;
}

static struct fz_bucket only_bucket(uint64_t value)
{
	struct fz_histogram h;
	struct fz_histogram_iter iter;
	struct fz_bucket b = { 0 }, second;

	fz_histogram_init(&h);
	fz_histogram_add(&h, value);
	fz_histogram_begin(&iter, &h);
	ck_assert(fz_histogram_next(&iter, &b));
	ck_assert(!fz_histogram_next(&iter, &second));
	ck_assert(!fz_histogram_next(&iter, &second));
	return b;
}

START_TEST(empty)
{
	struct fz_histogram h;
	struct fz_histogram_iter iter;
	struct fz_bucket b;

	memset(&h, 0xff, sizeof(h));
	fz_histogram_init(&h);
	fz_histogram_add_many(&h, 5, 0);
	ck_assert_uint_eq(h.count, 0);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0), 0);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.5), 0);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 1), 0);
	ck_assert_double_eq(fz_histogram_mean(&h), 0);
	ck_assert_double_eq(fz_histogram_sumsq(&h), 0);
	fz_histogram_begin(&iter, &h);
	ck_assert(!fz_histogram_next(&iter, &b));
}
END_TEST

/* The table in the header: lo, width and midpoint. */
static const struct {
	uint64_t value, lo, hi, mid;
} bucket_cases[] = {
	{ 0, 0, 1, 0 },
	{ 63, 63, 64, 63 },
	{ 64, 64, 65, 64 },
	{ 127, 127, 128, 127 },
	{ 128, 128, 130, 128 },
	{ 129, 128, 130, 128 },
	{ 255, 254, 256, 254 },
	{ 259, 256, 260, 257 },
	{ 1039, 1024, 1040, 1031 },
	{ 2047, 2032, 2048, 2039 },
	{ 1u << 20, 1u << 20, (1u << 20) + 16384, (1u << 20) + 8191 },
	{ 1u << 30, 1u << 30, (1u << 30) + (1u << 24),
	  (1u << 30) + (1u << 23) - 1 },
	{ UINT64_MAX, 127ull << 57, UINT64_MAX,
	  (127ull << 57) + (1ull << 56) - 1 },
};

START_TEST(buckets_as_documented)
{
	struct fz_bucket b = only_bucket(bucket_cases[_i].value);

	ck_assert_uint_eq(b.lo, bucket_cases[_i].lo);
	ck_assert_uint_eq(b.hi, bucket_cases[_i].hi);
	ck_assert_uint_eq(b.mid, bucket_cases[_i].mid);
	ck_assert_uint_eq(b.count, 1);
}
END_TEST

/* The largest error of what is reported, in units of 1/128 of the value. */
static double error_of(uint64_t value)
{
	struct fz_histogram h;
	uint64_t reported, off;

	/* 0 and the maximum keep the clamp to [min, max] out of it. */
	fz_histogram_init(&h);
	fz_histogram_add(&h, 0);
	fz_histogram_add(&h, value);
	fz_histogram_add(&h, UINT64_MAX);
	reported = fz_histogram_quantile(&h, 0.5);
	off = reported > value ? reported - value : value - reported;
	return off ? (double)off * 128 / (double)value : 0;
}

START_TEST(error_bound_at_the_octaves)
{
	double worst = 0, worst_exact = 0;

	for (unsigned int shift = 0; shift < 64; shift++) {
		for (uint64_t sub = 64; sub < 128; sub += 21) {
			uint64_t edge =
				shift < 58 ? sub << shift : 1ull << shift;

			worst = fmax(worst, error_of(edge - 1));
			worst = fmax(worst, error_of(edge));
			worst = fmax(worst, error_of(edge + 1));
		}
	}
	for (uint64_t value = 0; value < 128; value++)
		worst_exact = fmax(worst_exact, error_of(value));
	ck_assert_double_eq(worst_exact, 0);
	ck_assert_double_le(worst, 1);
	ck_assert_double_gt(worst, 0.95);
}
END_TEST

START_TEST(error_bound_of_random_values)
{
	struct fz_random random = fz_random_begin(1, 0);
	double worst = 0;

	for (unsigned int i = 0; i < 3000; i++)
		worst = fmax(worst, error_of(random_value(&random, 64)));
	ck_assert_double_le(worst, 1);
}
END_TEST

/* Each bucket begins where the one before ends, and holds what it says. */
START_TEST(buckets_tile_all_values)
{
	struct fz_histogram h;
	struct fz_histogram_iter iter;
	struct fz_bucket b;
	uint64_t expected_lo = 0, wrong = 0, nr = 0;

	fz_histogram_init(&h);
	for (unsigned int i = 0; i < FZ_HISTOGRAM_BUCKETS; i++)
		h.buckets[i] = i + 1;
	fz_histogram_begin(&iter, &h);
	while (fz_histogram_next(&iter, &b)) {
		nr++;
		wrong += b.lo != expected_lo || b.hi <= b.lo || b.mid < b.lo ||
			 b.mid >= b.hi || b.count != nr;
		expected_lo = b.hi;
	}
	ck_assert_uint_eq(nr, FZ_HISTOGRAM_BUCKETS);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(expected_lo, UINT64_MAX);
	ck_assert_uint_eq(only_bucket((127ull << 57) - 1).hi, 127ull << 57);
}
END_TEST

/* What the histogram must agree with: all values, sorted. */
struct sample {
	uint64_t x[5000];
	size_t n;
	struct fz_histogram h;
};

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sample_init(struct sample *s, size_t n, unsigned int max_bits,
			uint64_t stream)
{
	struct fz_random random = fz_random_begin(2, stream);

	s->n = n;
	fz_histogram_init(&s->h);
	for (size_t i = 0; i < n; i++) {
		s->x[i] = random_value(&random, max_bits);
		fz_histogram_add(&s->h, s->x[i]);
	}
	qsort(s->x, n, sizeof(s->x[0]), compare_u64);
}

START_TEST(quantiles_of_random_values)
{
	static const size_t sizes[] = { 1, 2, 3, 10, 100, 5000 };
	static struct sample s;
	size_t n = sizes[_i];
	unsigned int wrong = 0, first_wrong = 0;

	sample_init(&s, n, 50, (uint64_t)_i);
	for (unsigned int i = 0; i <= 1000; i++) {
		/* ceil(i n / 1000) in integers. */
		size_t rank = (i * n + 999) / 1000;
		uint64_t exact = s.x[rank ? rank - 1 : 0];
		uint64_t got = fz_histogram_quantile(&s.h, i / 1000.0);
		uint64_t off = got > exact ? got - exact : exact - got;

		if (off <= exact / 128 && got >= s.x[0] && got <= s.x[n - 1])
			continue;
		if (!wrong++)
			first_wrong = i;
	}
	ck_assert_msg(wrong == 0, "%u wrong, first at %u/1000", wrong,
		      first_wrong);
	ck_assert_uint_eq(fz_histogram_quantile(&s.h, 0), s.x[0]);
	ck_assert_uint_eq(fz_histogram_quantile(&s.h, 1), s.x[n - 1]);
}
END_TEST

/* 1 ... 100: the p-th percentile by nearest rank is p, in floating point too,
 * where 0.07 * 100 is above 7. */
START_TEST(percentiles_of_1_to_100)
{
	struct fz_histogram h;
	unsigned int wrong = 0;

	fz_histogram_init(&h);
	for (uint64_t v = 1; v <= 100; v++)
		fz_histogram_add(&h, v);
	for (unsigned int p = 1; p <= 100; p++)
		wrong += fz_histogram_quantile(&h, p / 100.0) != p;
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.501), 51);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.991), 100);
	ck_assert_double_eq(fz_histogram_mean(&h), 50.5);
}
END_TEST

START_TEST(ends_are_exact)
{
	struct fz_histogram h;

	fz_histogram_init(&h);
	fz_histogram_add(&h, 1000003);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.5), 1000003);
	fz_histogram_add_many(&h, 1000007, 3);
	ck_assert_uint_eq(h.min, 1000003);
	ck_assert_uint_eq(h.max, 1000007);
	ck_assert_uint_eq(h.count, 4);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.25), 1000003);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 1), 1000007);
	/* Rank 2: the bucket's midpoint is outside [min, max]. */
	ck_assert_uint_le(fz_histogram_quantile(&h, 0.5), 1000007);
	ck_assert_uint_ge(fz_histogram_quantile(&h, 0.5), 1000003);
	ck_assert_double_eq(fz_histogram_mean(&h), 1000006);
	/* The last of its bucket, 2^20 + 16383: above the midpoint. */
	fz_histogram_init(&h);
	fz_histogram_add(&h, 1);
	fz_histogram_add(&h, 1064959);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.5), 1);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.51), 1064959);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 1), 1064959);
}
END_TEST

static bool is_same(const struct fz_histogram *a, const struct fz_histogram *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

START_TEST(merging_is_adding)
{
	static struct fz_histogram all, part[3], merged, empty_one;
	struct fz_random random = fz_random_begin(3, 0);

	fz_histogram_init(&all);
	fz_histogram_init(&merged);
	fz_histogram_init(&empty_one);
	for (unsigned int p = 0; p < 3; p++)
		fz_histogram_init(&part[p]);
	for (unsigned int i = 0; i < 3000; i++) {
		uint64_t value = random_value(&random, 64);

		fz_histogram_add(&all, value);
		fz_histogram_add(&part[fz_random_below(&random, 3)], value);
	}
	for (unsigned int p = 0; p < 3; p++)
		fz_histogram_merge(&merged, &part[p]);
	ck_assert(is_same(&merged, &all));
	fz_histogram_merge(&merged, &empty_one);
	ck_assert(is_same(&merged, &all));
	fz_histogram_merge(&empty_one, &all);
	ck_assert(is_same(&empty_one, &all));
}
END_TEST

START_TEST(adding_many_is_adding_each)
{
	static struct fz_histogram many, each;
	struct fz_random random = fz_random_begin(4, 0);

	fz_histogram_init(&many);
	fz_histogram_init(&each);
	for (unsigned int i = 0; i < 200; i++) {
		uint64_t value = random_value(&random, 64);
		uint64_t nr = fz_random_below(&random, 20);

		fz_histogram_add_many(&many, value, nr);
		while (nr--)
			fz_histogram_add(&each, value);
	}
	ck_assert(is_same(&many, &each));
}
END_TEST

#ifdef __SIZEOF_INT128__
START_TEST(sums_are_exact)
{
	static struct fz_histogram h;
	struct fz_random random = fz_random_begin(5, (uint64_t)_i);
	unsigned __int128 sum = 0, sumsq = 0;

	fz_histogram_init(&h);
	for (unsigned int i = 0; i < 2000; i++) {
		/* Below 2^128 altogether: 2000 * 2^(2 * 41 + 34). */
		uint64_t value = random_value(&random, 41);
		uint64_t nr = random_value(&random, 34);

		fz_histogram_add_many(&h, value, nr);
		sum += (unsigned __int128)value * nr;
		sumsq += (unsigned __int128)value * value * nr;
	}
	ck_assert_uint_eq(h.sum.hi, (uint64_t)(sum >> 64));
	ck_assert_uint_eq(h.sum.lo, (uint64_t)sum);
	ck_assert_uint_eq(h.sumsq.hi, (uint64_t)(sumsq >> 64));
	ck_assert_uint_eq(h.sumsq.lo, (uint64_t)sumsq);
	ck_assert_double_eq_tol(fz_histogram_sum(&h) / (double)sum, 1, 1e-15);
	ck_assert_double_eq_tol(fz_histogram_sumsq(&h) / (double)sumsq, 1,
				1e-15);
}
END_TEST

/* Products of full width: the halves' carries. */
START_TEST(wide_products_are_exact)
{
	static struct fz_histogram h;
	struct fz_random random = fz_random_begin(6, 0);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 2000; i++) {
		uint64_t value = random_value(&random, 64);
		unsigned __int128 square = (unsigned __int128)value * value;
		uint64_t nr = fz_random_next(&random);
		unsigned __int128 product = (unsigned __int128)value * nr;

		fz_histogram_init(&h);
		fz_histogram_add(&h, i ? value : UINT64_MAX);
		if (!i)
			square = -((unsigned __int128)1 << 65) + 1;
		wrong += h.sumsq.hi != (uint64_t)(square >> 64) ||
			 h.sumsq.lo != (uint64_t)square;
		fz_histogram_init(&h);
		fz_histogram_add_many(&h, value, nr);
		wrong += h.sum.hi != (uint64_t)(product >> 64) ||
			 h.sum.lo != (uint64_t)product;
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST
#endif

/* 2^40 values of 2^40 ns are what the header promises room for. */
START_TEST(room_for_the_promised)
{
	struct fz_histogram h;

	fz_histogram_init(&h);
	fz_histogram_add_many(&h, 1ull << 40, 1ull << 40);
	ck_assert_double_eq(fz_histogram_sum(&h), 0x1p80);
	ck_assert_double_eq(fz_histogram_sumsq(&h), 0x1p120);
	ck_assert_double_eq(fz_histogram_mean(&h), 0x1p40);
}
END_TEST

START_TEST(saturates_instead_of_wrapping)
{
	struct fz_histogram h;

	fz_histogram_init(&h);
	fz_histogram_add_many(&h, UINT64_MAX, UINT64_MAX);
	ck_assert_uint_eq(h.sum.hi, UINT64_MAX - 1);
	ck_assert_uint_eq(h.sumsq.hi, UINT64_MAX);
	ck_assert_uint_eq(h.sumsq.lo, UINT64_MAX);
	fz_histogram_add_many(&h, UINT64_MAX, UINT64_MAX);
	ck_assert_uint_eq(h.count, UINT64_MAX);
	ck_assert_uint_eq(h.sum.hi, UINT64_MAX);
	ck_assert_uint_eq(h.sum.lo, UINT64_MAX);
	fz_histogram_merge(&h, &h);
	ck_assert_uint_eq(h.count, UINT64_MAX);
	ck_assert_uint_eq(h.sum.hi, UINT64_MAX);
	ck_assert_uint_eq(fz_histogram_quantile(&h, 0.5), UINT64_MAX);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("histogram");
	TCase *tc = tcase_create("histogram");

	tcase_add_test(tc, empty);
	tcase_add_loop_test(tc, buckets_as_documented, 0, NR(bucket_cases));
	tcase_add_test(tc, error_bound_at_the_octaves);
	tcase_add_test(tc, error_bound_of_random_values);
	tcase_add_test(tc, buckets_tile_all_values);
	tcase_add_loop_test(tc, quantiles_of_random_values, 0, 6);
	tcase_add_test(tc, percentiles_of_1_to_100);
	tcase_add_test(tc, ends_are_exact);
	tcase_add_test(tc, merging_is_adding);
	tcase_add_test(tc, adding_many_is_adding_each);
#ifdef __SIZEOF_INT128__
	tcase_add_loop_test(tc, sums_are_exact, 0, 5);
	tcase_add_test(tc, wide_products_are_exact);
#endif
	tcase_add_test(tc, room_for_the_promised);
	tcase_add_test(tc, saturates_instead_of_wrapping);
	suite_add_tcase(suite, tc);
	return suite;
}
