// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads curves of bandwidth and stretches against the batch size. */
#include <fz/tuning.h>

#include <fz/folio.h>

/* Closer sizes differ by less than machines do from day to day. */
#define RESOLUTION 16u

static bool is_enough(const struct fz_tuning_point *point,
		      struct fz_tuning_wish wish)
{
	return point->share >= wish.share;
}

static bool fits(const struct fz_tuning_point *point,
		 struct fz_tuning_wish wish)
{
	return point->stretch_ns <= wish.max_ns;
}

/* Points from i on that do both. */
static size_t run_length(const struct fz_tuning_point *points, size_t nr,
			 size_t i, struct fz_tuning_wish wish)
{
	size_t end = i;

	while (end < nr && is_enough(&points[end], wish) &&
	       fits(&points[end], wish))
		end++;
	return end - i;
}

struct fz_tuning_answer
fz_tuning_answer_of(const struct fz_tuning_point *points, size_t nr,
		    struct fz_tuning_wish wish)
{
	struct fz_tuning_answer answer = { 0 };
	size_t longest = 0;

	for (size_t i = 0; i < nr; i++) {
		const size_t run = run_length(points, nr, i, wish);

		if (is_enough(&points[i], wish) && !answer.enough_bytes)
			answer.enough_bytes = points[i].batch_bytes;
		if (fits(&points[i], wish))
			answer.fits_bytes = points[i].batch_bytes;
		if (run > longest) {
			longest = run;
			answer.from_bytes = points[i].batch_bytes;
			answer.to_bytes = points[i + run - 1].batch_bytes;
		}
	}
	return answer;
}

/* A size between two points; 0: they are close. */
static uint64_t between(const struct fz_tuning_point *low,
			const struct fz_tuning_point *high)
{
	const uint64_t gap = high->batch_bytes - low->batch_bytes;

	if (gap <= FZ_PAGE_BYTES || gap <= low->batch_bytes / RESOLUTION)
		return 0;
	return (low->batch_bytes + gap / 2) / FZ_PAGE_BYTES * FZ_PAGE_BYTES;
}

static size_t index_of(const struct fz_tuning_point *points, uint64_t bytes)
{
	size_t i = 0;

	while (points[i].batch_bytes != bytes)
		i++;
	return i;
}

size_t fz_tuning_next(const struct fz_tuning_point *points, size_t nr,
		      struct fz_tuning_wish wish,
		      uint64_t next[FZ_TUNING_MAX_NEXT])
{
	const struct fz_tuning_answer answer =
		fz_tuning_answer_of(points, nr, wish);
	uint64_t bytes;
	size_t found = 0, i;

	if (answer.enough_bytes) {
		i = index_of(points, answer.enough_bytes);
		bytes = i ? between(&points[i - 1], &points[i]) : 0;
		if (bytes)
			next[found++] = bytes;
	}
	if (answer.fits_bytes) {
		i = index_of(points, answer.fits_bytes);
		bytes = i + 1 < nr ? between(&points[i], &points[i + 1]) : 0;
		if (bytes && !(found && next[0] == bytes))
			next[found++] = bytes;
	}
	return found;
}
