// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How late a thread is woken: on an idle CPU, beside a spinning thread, while
 * the kernel zeroes huge pages, and at the points of a plan in user space
 * beside what its stretches predict. Wants free hugetlb pages; prints what it
 * finds without.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fz/clear.h>
#include <fz/resched_point.h>
#include <fz/stretches.h>
#include <fz/waker.h>

#define INTERVAL_NS  100000u
#define BASELINE_NS  1000000000u
#define MAX_WAKES    200000u
#define MAX_SPANS    100000u
#define ROUNDS_2M    60u
#define ROUNDS_1G    4u
#define BYTES_2M     ((size_t)2 << 20)
#define BYTES_1G     ((size_t)1 << 30)
#define NR_2M        64u
#define BUFFER_BYTES ((size_t)256 << 20)
#define PLAN_ROUNDS  12u

static const struct fz_hooks *const hooks = &fz_hooks_default;
static struct fz_tick_span spans[MAX_SPANS];

static uint64_t ticks(void)
{
	return hooks->ticks(hooks->state);
}

static void print_line(const char *title, const struct fz_histogram *h)
{
	printf("  %-34s %8" PRIu64 " %9.2f %9.2f %9.2f %9.2f %9.2f\n", title,
	       h->count, (double)fz_histogram_quantile(h, 0.01) / 1000,
	       fz_histogram_mean(h) / 1000,
	       (double)fz_histogram_quantile(h, 0.5) / 1000,
	       (double)fz_histogram_quantile(h, 0.99) / 1000,
	       h->count ? (double)h->max / 1000 : 0.0);
}

static struct fz_waker *open_waker(enum fz_waker_kind kind, unsigned int cpu,
				   struct fz_clock clock)
{
	const struct fz_waker_params params = {
		.kind = kind,
		.cpu = cpu,
		.interval_ns = INTERVAL_NS,
		.max_wakes = MAX_WAKES,
		.seed = 1,
		.clock = clock,
	};
	struct fz_waker *waker = NULL;
	struct fz_err err;

	if (fz_waker_open(&waker, hooks, &params, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		exit(1);
	}
	if (*fz_waker_reason(waker))
		printf("  (%s)\n", fz_waker_reason(waker));
	return waker;
}

static void print_baseline(struct fz_waker *waker, const char *title,
			   enum fz_waker_meanwhile meanwhile)
{
	struct fz_histogram h;

	fz_waker_baseline(waker, meanwhile, BASELINE_NS, &h);
	print_line(title, &h);
}

static void touch(char *page, size_t nr)
{
	spans[nr].begin = ticks();
	*(volatile char *)page = 1;
	spans[nr].end = ticks();
}

/* Faults of fresh huge pages: the running kernel zeroes them. */
static void print_faults(struct fz_waker *waker, struct fz_clock clock,
			 const char *title, size_t page_bytes, size_t nr,
			 unsigned int rounds)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
			  __builtin_ctzl(page_bytes) << MAP_HUGE_SHIFT;
	struct fz_histogram latency, fault;
	size_t nr_spans = 0;
	struct fz_wakes wakes;

	fz_histogram_init(&latency);
	fz_histogram_init(&fault);
	fz_waker_begin(waker);
	for (unsigned int r = 0; r < rounds; r++) {
		char *map = mmap(NULL, nr * page_bytes, PROT_READ | PROT_WRITE,
				 flags, -1, 0);

		if (map == MAP_FAILED)
			break;
		for (size_t i = 0; i < nr; i++)
			touch(map + i * page_bytes, nr_spans++);
		munmap(map, nr * page_bytes);
	}
	wakes = fz_waker_end(waker);
	fz_wakes_in(&wakes, spans, nr_spans, &clock, &latency);
	for (size_t i = 0; i < nr_spans; i++)
		fz_histogram_add(
			&fault,
			fz_clock_ns(&clock, spans[i].end - spans[i].begin));
	if (!nr_spans)
		printf("  %s: no free pages\n", title);
	print_line(title, &latency);
	print_line("  the faults themselves", &fault);
}

static void print_timer(enum fz_waker_kind kind, const char *title,
			unsigned int cpu, struct fz_clock clock)
{
	struct fz_waker *waker = open_waker(kind, cpu, clock);

	printf("%s\n", title);
	print_baseline(waker, "idle", FZ_MEANWHILE_IDLE);
	print_baseline(waker, "beside a spinning thread", FZ_MEANWHILE_SPIN);
	print_faults(waker, clock, "while 2M pages are zeroed", BYTES_2M, NR_2M,
		     ROUNDS_2M);
	print_faults(waker, clock, "while a 1G page is zeroed", BYTES_1G, 1,
		     ROUNDS_1G);
	fz_waker_close(waker);
}

/* Stretches of these lengths in turn; a point behind each. */
static void run_plan(char *buffer, const size_t lengths[2],
		     const struct fz_clear *clear, struct fz_resched_flag *flag,
		     struct fz_clock clock, struct fz_histogram *stretches)
{
	uint64_t before = ticks();
	size_t at = 0;

	for (unsigned int i = 0; at < BUFFER_BYTES; i++) {
		const size_t bytes = lengths[i % 2] < BUFFER_BYTES - at
					     ? lengths[i % 2]
					     : BUFFER_BYTES - at;
		uint64_t now;

		clear->clear(buffer + at, bytes);
		at += bytes;
		if (fz_resched_point(&flag->need_resched))
			fz_resched_flag_answer(flag, hooks);
		now = ticks();
		fz_histogram_add(stretches, fz_clock_ns(&clock, now - before));
		before = now;
	}
}

static void print_plan(struct fz_waker *waker, struct fz_clock clock,
		       char *buffer, const size_t lengths[2])
{
	const struct fz_clear *clear = fz_clear_find("stosb");
	struct fz_histogram latency, stretches;
	struct fz_wakeup predicted;
	struct fz_wakes wakes;
	char title[64];

	fz_histogram_init(&latency);
	fz_histogram_init(&stretches);
	fz_waker_begin(waker);
	for (unsigned int r = 0; r < PLAN_ROUNDS; r++) {
		spans[r].begin = ticks();
		run_plan(buffer, lengths, clear, fz_waker_flag(waker), clock,
			 &stretches);
		spans[r].end = ticks();
	}
	wakes = fz_waker_end(waker);
	fz_wakes_in(&wakes, spans, PLAN_ROUNDS, &clock, &latency);
	snprintf(title, sizeof(title), "stretches of %zuK and %zuK",
		 lengths[0] >> 10, lengths[1] >> 10);
	print_line(title, &latency);
	if (fz_wakeup_from_stretches(&stretches, &predicted))
		printf("  %-34s %8s %9s %9.2f %9.2f %9.2f %9.2f\n",
		       "  predicted", "", "", predicted.mean_ns / 1000,
		       predicted.p50_ns / 1000, predicted.p99_ns / 1000,
		       predicted.max_ns / 1000);
}

static void print_flag(unsigned int cpu, struct fz_clock clock)
{
	static const size_t lengths[][2] = {
		{ 4 << 10, 4 << 10 },
		{ 256 << 10, 256 << 10 },
		{ 64 << 10, 4096 << 10 },
		{ 32768 << 10, 32768 << 10 },
	};
	struct fz_waker *waker = open_waker(FZ_WAKER_FLAG, cpu, clock);
	char *buffer = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (buffer == MAP_FAILED)
		exit(1);
	printf("flag, set from another CPU\n");
	print_baseline(waker, "polled", FZ_MEANWHILE_SPIN);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		print_plan(waker, clock, buffer, lengths[i]);
	munmap(buffer, BUFFER_BYTES);
	fz_waker_close(waker);
}

int main(void)
{
	const struct fz_clock clock = fz_clock_calibrate(hooks, 50000000);
	const unsigned int cpu = hooks->cpu(hooks->state);
	const long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	hooks->pin(hooks->state, cpu);
	printf("  %-34s %8s %9s %9s %9s %9s %9s\n", "us", "number", "p1",
	       "mean", "p50", "p99", "max");
	print_timer(FZ_WAKER_FIFO, "timer, SCHED_FIFO", cpu, clock);
	print_timer(FZ_WAKER_FAIR, "timer, fair", cpu, clock);
	if (nr_cpus > 1)
		print_flag((cpu + 1) % (unsigned int)nr_cpus, clock);
	return 0;
}
