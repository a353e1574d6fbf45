// SPDX-License-Identifier: GPL-2.0-or-later
/* Wake-up latency against worked cases, raw samples and a simulation. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <fz/random.h>
#include <fz/stretches.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

START_TEST(no_answer)
{
	struct fz_histogram h;
	struct fz_wakeup w = { 1, 2, 3, 4 };

	fz_histogram_init(&h);
	ck_assert(!fz_wakeup_from_stretches(&h, &w));
	fz_histogram_add_many(&h, 0, 1000);
	ck_assert(!fz_wakeup_from_stretches(&h, &w));
	ck_assert_double_eq(w.mean_ns, 1);
	ck_assert_double_eq(w.max_ns, 4);
}
END_TEST

/* Worked by hand. Lengths below 128, and equal ones, are exact. */
static const struct {
	uint64_t lengths_ns[4];
	uint64_t counts[4];
	double mean, p50, p99, max;
} worked[] = {
	/* One stretch: uniform over it. */
	{ { 100 }, { 1 }, 50, 50, 99, 100 },
	{ { 100 }, { 123456789 }, 50, 50, 99, 100 },
	{ { 1 }, { 1 }, 0.5, 0.5, 0.99, 1 },
	/* Exact in a wide bucket too, left and right of its midpoint. */
	{ { 1000003 }, { 7 }, 500001.5, 500001.5, 990002.97, 1000003 },
	{ { 1007000 }, { 7 }, 503500, 503500, 996930, 1007000 },
	/* Stretches of length 0 are not seen. */
	{ { 100, 0 }, { 1, 1000 }, 50, 50, 99, 100 },
	/* 10 and 90: P(> x) = (100 - 2x)/100 up to 10, then (90 - x)/100.
	 * mean (100 + 8100)/200. */
	{ { 10, 90 }, { 1, 1 }, 41, 40, 89, 90 },
	/* Nine of 10 and one of 110: sum 200, squares 13000; 50 % at 110 - x
	 * = 100, which is where the tens end. */
	{ { 10, 110 }, { 9, 1 }, 32.5, 10, 108, 110 },
	/* 99 of 1 and one of 101: sum 200, squares 10300; 101 - x = 100. */
	{ { 1, 101 }, { 99, 1 }, 25.75, 1, 99, 101 },
	/* 20, 40, 60: sum 120; 60 = 120 - 3x. squares 5600. 1.2 = 60 - x. */
	{ { 20, 40, 60 }, { 1, 1, 1 }, 5600.0 / 240, 20, 58.8, 60 },
};

START_TEST(worked_by_hand)
{
	struct fz_histogram h;
	struct fz_wakeup w;

	fz_histogram_init(&h);
	for (unsigned int i = 0; i < 4; i++)
		fz_histogram_add_many(&h, worked[_i].lengths_ns[i],
				      worked[_i].counts[i]);
	ck_assert(fz_wakeup_from_stretches(&h, &w));
	ck_assert_double_eq_tol(w.mean_ns, worked[_i].mean, 1e-9);
	ck_assert_double_eq_tol(w.p50_ns, worked[_i].p50, 1e-9);
	ck_assert_double_eq_tol(w.p99_ns, worked[_i].p99, 1e-9);
	ck_assert_double_eq(w.max_ns, worked[_i].max);
}
END_TEST

/* The example in the header, in ns: its lengths fall into wide buckets. */
START_TEST(header_example)
{
	struct fz_histogram h;
	struct fz_wakeup w;

	fz_histogram_init(&h);
	fz_histogram_add_many(&h, 10000, 9);
	fz_histogram_add(&h, 910000);
	ck_assert(fz_wakeup_from_stretches(&h, &w));
	ck_assert_double_eq_tol(w.mean_ns, 414500, 1e-6);
	ck_assert_double_eq_tol(w.p50_ns, 410000, 410000.0 / 128);
	ck_assert_double_eq_tol(w.p99_ns, 900000, 900000.0 / 128);
	ck_assert_double_eq(w.max_ns, 910000);
}
END_TEST

/* Raw samples, of several shapes. */
#define NR_SAMPLES 4000

struct sample {
	double length[NR_SAMPLES]; /* ascending */
	double sum, sumsq;
	struct fz_histogram h;
};

static double shape_equal(double u)
{
	return 1234567 + 0 * u;
}

static double shape_uniform(double u)
{
	return 1e3 + 1e6 * u;
}

static double shape_exponential(double u)
{
	return -3e6 * log(1 - u);
}

/* Many short ones and a few that are a thousand times longer. */
static double shape_two_sorts(double u)
{
	return u < 0.95 ? 2e3 + 1e3 * u : 3e6 + 1e5 * u;
}

/* 200 ns ... 200 ms, heavy-tailed. */
static double shape_wide(double u)
{
	return 200 * pow(10, 6 * u);
}

static double (*const shapes[])(double u) = {
	shape_equal,     shape_uniform, shape_exponential,
	shape_two_sorts, shape_wide,
};

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sample_init(struct sample *s, int shape)
{
	struct fz_random random = fz_random_begin(1, (uint64_t)shape);

	s->sum = s->sumsq = 0;
	fz_histogram_init(&s->h);
	for (unsigned int i = 0; i < NR_SAMPLES; i++) {
		s->length[i] = floor(shapes[shape](fz_random_unit(&random)));
		s->sum += s->length[i];
		s->sumsq += s->length[i] * s->length[i];
		fz_histogram_add(&s->h, (uint64_t)s->length[i]);
	}
	qsort(s->length, NR_SAMPLES, sizeof(s->length[0]), compare_doubles);
}

/* E[(L - x)+] / E[L], straight from its definition. */
static double exceeds(const struct sample *s, double x)
{
	double excess = 0;

	for (unsigned int i = 0; i < NR_SAMPLES; i++)
		if (s->length[i] > x)
			excess += s->length[i] - x;
	return excess / s->sum;
}

static double exact_quantile(const struct sample *s, double p)
{
	double lo = 0, hi = s->length[NR_SAMPLES - 1];

	for (unsigned int i = 0; i < 100; i++) {
		double mid = (lo + hi) / 2;

		if (exceeds(s, mid) > 1 - p)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The bound in the header, and a hundredth of it for its higher orders. */
static double quantile_bound(const struct sample *s, double p, double x)
{
	double excess = 0, nr = 0;

	for (unsigned int i = 0; i < NR_SAMPLES; i++) {
		if (s->length[i] > x) {
			excess += s->length[i] - x;
			nr++;
		}
	}
	return 1.01 * ((2 * p - 1) * x + 2 * p * excess / nr) / 128;
}

START_TEST(against_raw_samples)
{
	static struct sample s;
	struct fz_wakeup w;
	double p50, p99;

	sample_init(&s, _i);
	ck_assert(fz_wakeup_from_stretches(&s.h, &w));
	p50 = exact_quantile(&s, 0.5);
	p99 = exact_quantile(&s, 0.99);
	ck_assert_double_eq_tol(w.mean_ns / (s.sumsq / (2 * s.sum)), 1, 1e-12);
	ck_assert_double_eq_tol(w.p50_ns, p50, quantile_bound(&s, 0.5, p50));
	ck_assert_double_eq_tol(w.p99_ns, p99, quantile_bound(&s, 0.99, p99));
	ck_assert_double_eq(w.max_ns, s.length[NR_SAMPLES - 1]);
	ck_assert_double_le(w.p50_ns, w.p99_ns);
	ck_assert_double_le(w.p99_ns, w.max_ns);
}
END_TEST

/* The latency of a wake-up at instant t of a time line on which the stretches
 * follow each other. ends: [NR_SAMPLES], ascending. */
static double latency_at(const double *ends, double t)
{
	size_t lo = 0, hi = NR_SAMPLES - 1;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (ends[mid] > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return ends[lo] - t;
}

/* Random instants, no formula. Loose: 100,000 of them. */
START_TEST(against_random_instants)
{
	enum {
		NR_WAKEUPS = 100000
	};
	static struct sample s;
	static double ends[NR_SAMPLES], latency[NR_WAKEUPS];
	struct fz_random random = fz_random_begin(2, (uint64_t)_i);
	struct fz_wakeup w;
	double end = 0, sum = 0;

	sample_init(&s, _i);
	ck_assert(fz_wakeup_from_stretches(&s.h, &w));
	for (unsigned int i = 0; i < NR_SAMPLES; i++)
		ends[i] = end += s.length[i];
	for (unsigned int i = 0; i < NR_WAKEUPS; i++) {
		latency[i] = latency_at(ends, end * fz_random_unit(&random));
		sum += latency[i];
	}
	qsort(latency, NR_WAKEUPS, sizeof(latency[0]), compare_doubles);
	ck_assert_double_eq_tol(w.mean_ns / (sum / NR_WAKEUPS), 1, 0.02);
	ck_assert_double_eq_tol(w.p50_ns / latency[NR_WAKEUPS / 2], 1, 0.03);
	ck_assert_double_eq_tol(w.p99_ns / latency[NR_WAKEUPS / 100 * 99], 1,
				0.03);
	ck_assert_double_ge(w.max_ns, latency[NR_WAKEUPS - 1]);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("stretches");
	TCase *tc = tcase_create("stretches");

	tcase_add_test(tc, no_answer);
	tcase_add_loop_test(tc, worked_by_hand, 0, NR(worked));
	tcase_add_test(tc, header_example);
	tcase_add_loop_test(tc, against_raw_samples, 0, NR(shapes));
	tcase_add_loop_test(tc, against_random_instants, 0, NR(shapes));
	suite_add_tcase(suite, tc);
	return suite;
}
