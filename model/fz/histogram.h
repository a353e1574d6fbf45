/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A histogram of times: fixed size, bounded relative error, exact sums. */
#ifndef FZ_HISTOGRAM_H
#define FZ_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: histogram
 *
 * In short: any uint64_t value can be recorded, in constant time and without
 * an allocation; whatever is reported for it is within 1/128 (0.8 %) of it;
 * count, minimum, maximum, sum and sum of squares are exact; two histograms
 * can be merged without loss; one takes 30 KiB.
 *
 * How: values are cut into octaves [2^e, 2^(e+1)), and every octave into 64
 * buckets of equal width. A value needs no search: its octave is the position
 * of its highest set bit, its bucket the six bits behind that.
 *
 *   values                 bucket width     buckets  largest error of a value
 *   0 ... 127                         1         128  none
 *   128 ... 255                       2          64  1 in 129
 *   256 ... 511                       4          64  2 in 259
 *   1,024 ... 2,047 (1-2 us)         16          64  8 in 1,039
 *   2^20 ... 2^21 - 1 (1-2 ms)   16,384          64  8 us in 1.06 ms
 *   2^30 ... 2^31 - 1 (1-2 s)      2^24          64  8.4 ms in 1.09 s
 *   2^63 ... 2^64 - 1              2^57          64  1 in 128
 *
 * Error bound: what is reported for a bucket [lo, lo + w) is its midpoint,
 * rounded down to a whole number, lo + (w - 1) / 2. No value in it is further
 * away than w / 2, and a bucket of width w > 1 starts at or above 64 w; the
 * value w / 2 away is the last one, lo + w - 1. So the error is at most
 * 1 in 128. Quantiles are moreover kept inside [min, max], and the first and
 * last rank are min and max themselves.
 *
 * Memory: 64 + 58 * 64 = 3,776 buckets of 8 bytes; 30,264 bytes in all. It is
 * a plain value without pointers: it may be copied, sent and zeroed.
 *
 * Sums are 128 bits wide, enough for 2^40 values of 2^40 ns (18 minutes): their
 * sum of squares is 2^120. Beyond that, sums and counts stay at their largest
 * value instead of wrapping.
 */

#define FZ_HISTOGRAM_BUCKETS 3776

/**
 * struct fz_u128 - an unsigned 128-bit number, also where C has none
 * @hi: upper half
 * @lo: lower half
 */
struct fz_u128 {
	uint64_t hi;
	uint64_t lo;
};

/**
 * struct fz_histogram - see DOC: histogram
 * @count: number of values; the other members mean nothing while it is 0
 * @min: smallest value
 * @max: largest value
 * @sum: of the values
 * @sumsq: of their squares
 * @buckets: [FZ_HISTOGRAM_BUCKETS], number of values in each
 */
struct fz_histogram {
	uint64_t count;
	uint64_t min;
	uint64_t max;
	struct fz_u128 sum;
	struct fz_u128 sumsq;
	uint64_t buckets[FZ_HISTOGRAM_BUCKETS];
};

/**
 * fz_histogram_init() - make it empty
 * @h: the histogram; needs no fini
 */
void fz_histogram_init(struct fz_histogram *h);

/**
 * fz_histogram_add() - record a value
 * @h: the histogram
 * @value: any
 */
void fz_histogram_add(struct fz_histogram *h, uint64_t value);

/**
 * fz_histogram_add_many() - record a value several times
 * @h: the histogram
 * @value: any
 * @nr: how often; 0 changes nothing
 */
void fz_histogram_add_many(struct fz_histogram *h, uint64_t value, uint64_t nr);

/**
 * fz_histogram_merge() - record all that another one holds
 * @dst: changed as if the values of @src had been added to it
 * @src: the other one
 */
void fz_histogram_merge(struct fz_histogram *dst,
			const struct fz_histogram *src);

/**
 * fz_histogram_quantile() - the value at a fraction of the sorted values
 * @h: the histogram
 * @q: in [0, 1]: 0 is the minimum, 0.5 the median, 1 the maximum
 *
 * Nearest rank: the smallest value that at least @q of all are not above.
 *
 * Return: that value within 1/128, in [min, max], exact for the smallest and
 * the largest; 0 if empty.
 */
uint64_t fz_histogram_quantile(const struct fz_histogram *h, double q);

/**
 * fz_histogram_mean() - mean of the recorded values
 * @h: the histogram
 *
 * Return: the mean from the exact sum; 0 if empty.
 */
double fz_histogram_mean(const struct fz_histogram *h);

/**
 * fz_histogram_sum() - sum of the recorded values
 * @h: the histogram
 *
 * Return: the exact sum, rounded to a double.
 */
double fz_histogram_sum(const struct fz_histogram *h);

/**
 * fz_histogram_sumsq() - sum of the squares of the recorded values
 * @h: the histogram
 *
 * Return: the exact sum of squares, rounded to a double.
 */
double fz_histogram_sumsq(const struct fz_histogram *h);

/**
 * struct fz_bucket - values that share a bucket
 * @lo: smallest value that would be counted here
 * @hi: one past the largest; UINT64_MAX in the last bucket, which ends there
 *	and holds it
 * @mid: what is reported for each of them
 * @count: how many there are, at least 1
 */
struct fz_bucket {
	uint64_t lo;
	uint64_t hi;
	uint64_t mid;
	uint64_t count;
};

/**
 * struct fz_histogram_iter - walks over the buckets that hold something
 *
 * In the caller's memory; needs no fini.
 */
struct fz_histogram_iter {
	/* private: */
	const struct fz_histogram *h;
	size_t next; /* index of the bucket to look at next */
};

/**
 * fz_histogram_begin() - stand before the first bucket
 * @iter: the walk
 * @h: must outlive it, unchanged
 */
void fz_histogram_begin(struct fz_histogram_iter *iter,
			const struct fz_histogram *h);

/**
 * fz_histogram_next() - the next bucket that holds something, ascending
 * @iter: the walk
 * @bucket: written when there is one
 *
 * Return: true if there was one, false at the end.
 */
bool fz_histogram_next(struct fz_histogram_iter *iter,
		       struct fz_bucket *bucket);

#endif
