// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Speed of the modelled cache. Prints a line for each measurement: the cache,
 * what is done, and millions of lines a second of CPU time, the median of some
 * laps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <fz/cache.h>

#include "cache_speed_stream.h"

#define LAPS      7u
#define LAP_LINES (1u << 22)

static const struct {
	const char *name;
	struct fz_cache_geometry geometry;
} caches[] = {
	{ "genoa",
	  { .line_bytes = STREAM_LINE_BYTES,
	    .nr_levels = 3,
	    .level = { { .bytes = 32u << 10, .ways = 8 },
		       { .bytes = 1u << 20,
			 .ways = 8,
			 .relation = FZ_CACHE_INCLUSIVE },
		       { .bytes = 32u << 20,
			 .ways = 16,
			 .relation = FZ_CACHE_VICTIM } } } },
	{ "xeon",
	  { .line_bytes = STREAM_LINE_BYTES,
	    .nr_levels = 3,
	    .level = { { .bytes = 48u << 10, .ways = 12 },
		       { .bytes = 2u << 20, .ways = 16 },
		       { .bytes = 480u << 20, .ways = 15 } } } },
};

/* nr lines by runs of run_lines, or single ones of a stream. */
static const struct work {
	const char *name;
	bool by_line;
	bool is_random;
	enum fz_cache_access access;
	uint64_t run_lines;
} works[] = {
	{ "contiguous", true, false, FZ_CACHE_LOAD, 1 },
	{ "contiguous-runs", false, false, FZ_CACHE_LOAD, 1u << 15 },
	{ "random", true, true, FZ_CACHE_LOAD, 1 },
	{ "zeroed", true, false, FZ_CACHE_ZERO, 1 },
	{ "2M", false, false, FZ_CACHE_ZERO, 1u << 15 },
	{ "32M", false, false, FZ_CACHE_ZERO, 1u << 19 },
	{ "256M", false, false, FZ_CACHE_ZERO, 1u << 22 },
	{ "1G", false, false, FZ_CACHE_ZERO, 1u << 24 },
};

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void by_line(struct fz_cache *cache, const struct work *work,
		    struct stream *stream)
{
	for (uint32_t i = 0; i < LAP_LINES; i++)
		fz_cache_run(cache, work->access, stream_next(stream), 1,
			     false);
}

/* On and on through all lines, so that each run is over lines that have left
 * the cache, or never were there. */
static uint64_t by_run(struct fz_cache *cache, const struct work *work,
		       uint64_t *next)
{
	uint64_t done = 0;

	while (done < LAP_LINES) {
		if (*next + work->run_lines > FZ_CACHE_NR_LINES)
			*next = 0;
		fz_cache_run(cache, work->access, *next, work->run_lines,
			     false);
		*next += work->run_lines;
		done += work->run_lines;
	}
	return done;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double mega_lines_per_s(struct fz_cache *cache, const struct work *work)
{
	struct stream stream = { .is_random = work->is_random };
	uint64_t next = 0;
	double speed[LAPS];

	for (unsigned int lap = 0; lap < LAPS; lap++) {
		const double begin = cpu_s();
		uint64_t lines = LAP_LINES;

		if (work->by_line)
			by_line(cache, work, &stream);
		else
			lines = by_run(cache, work, &next);
		speed[lap] = 1e-6 * (double)lines / (cpu_s() - begin);
	}
	qsort(speed, LAPS, sizeof(*speed), compare);
	return speed[LAPS / 2];
}

int main(void)
{
	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++)
		for (size_t k = 0; k < sizeof(works) / sizeof(*works); k++) {
			struct fz_cache *cache;

			if (fz_cache_open(&cache, &caches[i].geometry, NULL))
				return 1;
			printf("%s %s %.1f\n", caches[i].name, works[k].name,
			       mega_lines_per_s(cache, &works[k]));
			fz_cache_close(cache);
		}
	return 0;
}
