// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many events a second flows on a shared bus cost: the fluid, and the same
 * done flow by flow. Whenever a flow ends another one begins, so that their
 * number stays; the beginning and the end are an event each.
 */
#include <stdio.h>
#include <time.h>

#include <fz/random.h>
#include <fz/statistics.h>

#include "either_fluid.h"

#define ROUNDS   9u
#define ROUND_S  0.05
#define NR_BYTES 4096u
#define BUS_BPS  200e9
#define CHUNK    64u

static const unsigned int sizes[] = { 2, 16, 384, 1536 };

/* As cores that zero, allocating or streaming, and that read. */
static const struct {
	double cap_bps, cost;
} classes[] = { { 5e9, 2 }, { 12e9, 1 }, { 9e9, 1 } };

#define NR_CLASSES (sizeof(classes) / sizeof(classes[0]))

struct bench {
	struct either_fluid fluid;
	int class[NR_CLASSES];
	double bytes[NR_BYTES]; /* drawn beforehand */
	uint64_t nr_begun;
};

/* Of the CPU: others may use the machine too. */
static double cpu_seconds(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void begin(struct bench *bench, uint64_t now_ns, uint32_t owner)
{
	either_begin(bench->fluid, now_ns, bench->class[owner % NR_CLASSES],
		     bench -> bytes[bench->nr_begun++ % NR_BYTES], owner);
}

static void bench_open(struct bench *bench, bool fast, unsigned int nr_flows)
{
	struct fz_random random = fz_random_begin(1, 1);

	bench->fluid = either_open(fast, BUS_BPS);
	bench->nr_begun = 0;
	for (size_t i = 0; i < NR_CLASSES; i++)
		bench->class[i] = either_class(bench->fluid, classes[i].cap_bps,
					       classes[i].cost);
	for (size_t i = 0; i < NR_BYTES; i++)
		bench->bytes[i] =
			4096 * (double)(1 + fz_random_below(&random, 512));
	for (uint32_t i = 0; i < nr_flows; i++)
		begin(bench, 0, i);
}

/* Million events a second. */
static double round_speed(struct bench *bench)
{
	const double start = cpu_seconds();
	const uint64_t first = bench->nr_begun;
	double seconds;

	do {
		const uint64_t chunk_end = bench->nr_begun + CHUNK;

		while (bench->nr_begun < chunk_end) {
			const uint64_t now_ns = either_next(bench->fluid);
			uint32_t owner;

			while (either_take(bench->fluid, now_ns, &owner))
				begin(bench, now_ns, owner);
		}
		seconds = cpu_seconds() - start;
	} while (seconds < ROUND_S);
	return 2e-6 * (double)(bench->nr_begun - first) / seconds;
}

static void print_row(unsigned int nr_flows, double speed[2][ROUNDS])
{
	const double naive = fz_median(speed[false], ROUNDS);
	const double fast = fz_median(speed[true], ROUNDS);
	const struct fz_ratio ratio =
		fz_paired_ratio(speed[true], speed[false], ROUNDS, 1);

	printf("| %5u | %5.2f | %6.2f | %6.1f | %5.1f (%.1f-%.1f) |\n",
	       nr_flows, naive, fast, 1e3 / fast, ratio.median, ratio.ci95.lo,
	       ratio.ci95.hi);
}

static void compare(unsigned int nr_flows)
{
	static struct bench bench[2];
	double speed[2][ROUNDS]; /* [fast][round] */

	for (int fast = 0; fast < 2; fast++) {
		bench_open(&bench[fast], fast, nr_flows);
		round_speed(&bench[fast]); /* to warm up */
	}
	for (unsigned int i = 0; i < ROUNDS; i++)
		for (int fast = 0; fast < 2; fast++)
			speed[fast][i] = round_speed(&bench[fast]);
	for (int fast = 0; fast < 2; fast++)
		either_close(bench[fast].fluid);
	print_row(nr_flows, speed);
}

int main(void)
{
	printf("Million events a second, medians of %u rounds; ratio with its "
	       "95 %% interval\n\n"
	       "| flows | naive | fluid | ns an event | fluid / naive |\n"
	       "|---|---|---|---|---|\n",
	       ROUNDS);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		compare(sizes[i]);
	return 0;
}
