// SPDX-License-Identifier: GPL-2.0-or-later
/* The log-linear histogram. */
#include <fz/histogram.h>

#include <assert.h>
#include <float.h>
#include <math.h>

#define SUB_SHIFT   6
#define SUB_BUCKETS (1u << SUB_SHIFT)

_Static_assert(FZ_HISTOGRAM_BUCKETS ==
		       SUB_BUCKETS + (64 - SUB_SHIFT) * SUB_BUCKETS,
	       "64 values below the first octave, then 64 buckets an octave");
_Static_assert(sizeof(struct fz_histogram) == 30264, "the size in the header");

static const struct fz_u128 u128_max = { UINT64_MAX, UINT64_MAX };

static struct fz_u128 u128_add(struct fz_u128 a, struct fz_u128 b)
{
	struct fz_u128 r = { .lo = a.lo + b.lo };
	uint64_t carry = r.lo < a.lo;

	if (__builtin_add_overflow(a.hi, b.hi, &r.hi) ||
	    __builtin_add_overflow(r.hi, carry, &r.hi))
		return u128_max;
	return r;
}

/* Exact, by halves: 32-bit targets have no 128-bit type. */
static struct fz_u128 u64_mul(uint64_t a, uint64_t b)
{
	uint64_t a_lo = (uint32_t)a, a_hi = a >> 32;
	uint64_t b_lo = (uint32_t)b, b_hi = b >> 32;
	uint64_t low = a_lo * b_lo;
	/* At most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
	uint64_t mid = a_hi * b_lo + (low >> 32);
	uint64_t mid2 = a_lo * b_hi + (uint32_t)mid;

	return (struct fz_u128){
		.hi = a_hi * b_hi + (mid >> 32) + (mid2 >> 32),
		.lo = mid2 << 32 | (uint32_t)low,
	};
}

static struct fz_u128 u128_mul(struct fz_u128 a, uint64_t b)
{
	struct fz_u128 low = u64_mul(a.lo, b);
	struct fz_u128 high = u64_mul(a.hi, b);

	if (high.hi)
		return u128_max;
	return u128_add(low, (struct fz_u128){ .hi = high.lo });
}

static double u128_to_double(struct fz_u128 a)
{
	return (double)a.hi * 0x1p64 + (double)a.lo;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

static size_t bucket_of(uint64_t value)
{
	unsigned int octave; /* 0 for [64, 128) */

	if (value < SUB_BUCKETS)
		return (size_t)value;
	octave = 63 - SUB_SHIFT - (unsigned int)__builtin_clzll(value);
	return octave * SUB_BUCKETS + (size_t)(value >> octave);
}

static struct fz_bucket bucket_at(size_t index)
{
	struct fz_bucket b = { .lo = index, .hi = index + 1, .mid = index };
	uint64_t octave, width;

	if (index < SUB_BUCKETS)
		return b;
	octave = index / SUB_BUCKETS - 1;
	width = 1ull << octave;
	b.lo = (index - octave * SUB_BUCKETS) << octave;
	b.mid = b.lo + (width - 1) / 2;
	b.hi = add_saturating(b.lo, width);
	return b;
}

void fz_histogram_init(struct fz_histogram *h)
{
	*h = (struct fz_histogram){ 0 };
}

void fz_histogram_add(struct fz_histogram *h, uint64_t value)
{
	fz_histogram_add_many(h, value, 1);
}

static void extend(struct fz_histogram *h, uint64_t min, uint64_t max)
{
	if (h->count == 0 || min < h->min)
		h->min = min;
	if (h->count == 0 || max > h->max)
		h->max = max;
}

void fz_histogram_add_many(struct fz_histogram *h, uint64_t value, uint64_t nr)
{
	uint64_t *bucket = &h->buckets[bucket_of(value)];

	if (nr == 0)
		return;
	extend(h, value, value);
	*bucket = add_saturating(*bucket, nr);
	h->count = add_saturating(h->count, nr);
	h->sum = u128_add(h->sum, u64_mul(value, nr));
	h->sumsq = u128_add(h->sumsq, u128_mul(u64_mul(value, value), nr));
}

void fz_histogram_merge(struct fz_histogram *dst,
			const struct fz_histogram *src)
{
	if (src->count == 0)
		return;
	extend(dst, src->min, src->max);
	dst->count = add_saturating(dst->count, src->count);
	dst->sum = u128_add(dst->sum, src->sum);
	dst->sumsq = u128_add(dst->sumsq, src->sumsq);
	for (size_t i = 0; i < FZ_HISTOGRAM_BUCKETS; i++)
		dst->buckets[i] =
			add_saturating(dst->buckets[i], src->buckets[i]);
}

/* ceil(q * count), at least 1. A product that misses a whole number by its
 * own rounding alone counts as that number: 0.07 * 100 is 7.000...01. */
static uint64_t rank_of(double q, uint64_t count)
{
	double exact = q * (double)count;
	double whole = floor(exact);

	if (exact - whole > 4 * DBL_EPSILON * exact)
		whole += 1;
	if (whole < 1)
		return 1;
	return whole < (double)count ? (uint64_t)whole : count;
}

uint64_t fz_histogram_quantile(const struct fz_histogram *h, double q)
{
	struct fz_histogram_iter iter;
	struct fz_bucket b;
	uint64_t rank, seen = 0;

	assert(q >= 0 && q <= 1);
	rank = rank_of(q, h->count);
	if (h->count == 0 || rank == 1)
		return h->min;
	fz_histogram_begin(&iter, h);
	while (rank < h->count && fz_histogram_next(&iter, &b)) {
		seen = add_saturating(seen, b.count);
		if (seen < rank)
			continue;
		if (b.mid < h->min)
			return h->min;
		return b.mid < h->max ? b.mid : h->max;
	}
	return h->max;
}

double fz_histogram_mean(const struct fz_histogram *h)
{
	return h->count ? fz_histogram_sum(h) / (double)h->count : 0;
}

double fz_histogram_sum(const struct fz_histogram *h)
{
	return u128_to_double(h->sum);
}

double fz_histogram_sumsq(const struct fz_histogram *h)
{
	return u128_to_double(h->sumsq);
}

void fz_histogram_begin(struct fz_histogram_iter *iter,
			const struct fz_histogram *h)
{
	*iter = (struct fz_histogram_iter){ .h = h };
}

bool fz_histogram_next(struct fz_histogram_iter *iter, struct fz_bucket *bucket)
{
	const struct fz_histogram *h = iter->h;

	while (iter->next < FZ_HISTOGRAM_BUCKETS && !h->buckets[iter->next])
		iter->next++;
	if (iter->next == FZ_HISTOGRAM_BUCKETS)
		return false;
	*bucket = bucket_at(iter->next);
	bucket->count = h->buckets[iter->next++];
	return true;
}
