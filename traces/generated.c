// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks of threads, each with its own times, merged by time. */
#include <fz/generated.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals.h"
#include "generator_check.h"

/* Numbers of tasks that no trace of a real machine is surprised by. */
#define FIRST_PID 1000

/*
 * This many accesses a page, and some, without finding a new one: where all
 * pages are alike, the last one is missed so long once in e^32 traces.
 */
#define PATIENCE_A_PAGE 32u
#define PATIENCE        (1u << 20)

/* What Philox streams of a thread are for. */
enum {
	STREAM_ACCESSES,
	STREAM_SETUP,
	STREAM_ARRIVALS,
	NR_STREAMS
};

/**
 * struct worker - a thread
 * @walk: its pages
 * @arrivals: when the next fault is
 * @next_access: number of the next access
 * @nr_accesses: the walk ends there
 * @nr_touched: pages
 * @nr_in_vain: accesses since the last new page
 * @touched: bitmap of [walk.nr_pages]; NULL where accesses do not repeat
 * @record: its records; time and address are still missing
 */
struct worker {
	struct fz_walk walk;
	struct arrivals arrivals;
	uint64_t next_access;
	uint64_t nr_accesses;
	uint64_t nr_touched;
	uint64_t nr_in_vain;
	uint64_t *touched;
	uint64_t first_addr;
	struct fz_fault record;
};

/**
 * struct fz_generated - all of it
 * @nr_left: faults that are still wanted
 * @heap: [@nr_heap] threads that have not ended; the next fault is the first's
 */
struct fz_generated {
	const struct fz_generator *generator;
	struct fz_generator_params params;
	uint64_t nr_left;
	uint32_t nr_workers;
	uint32_t nr_heap;
	uint32_t *heap;
	struct worker *workers;
	char *states;
	uint64_t *bitmaps;
};

static bool is_earlier(const struct fz_generated *g, uint32_t a, uint32_t b)
{
	const uint64_t time_a = g->workers[a].arrivals.time_ns;
	const uint64_t time_b = g->workers[b].arrivals.time_ns;

	return time_a < time_b || (time_a == time_b && a < b);
}

static void sift_down(struct fz_generated *g, uint32_t at)
{
	const uint32_t worker = g->heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= g->nr_heap)
			break;
		if (child + 1 < g->nr_heap &&
		    is_earlier(g, g->heap[child + 1], g->heap[child]))
			child++;
		if (is_earlier(g, worker, g->heap[child]))
			break;
		g->heap[at] = g->heap[child];
		at = child;
	}
	g->heap[at] = worker;
}

static void heap_init(struct fz_generated *g)
{
	g->nr_heap = g->nr_workers;
	for (uint32_t i = 0; i < g->nr_workers; i++)
		g->heap[i] = i;
	for (uint32_t i = g->nr_workers / 2; i-- > 0;)
		sift_down(g, i);
}

static void heap_drop_first(struct fz_generated *g)
{
	g->heap[0] = g->heap[--g->nr_heap];
	if (g->nr_heap)
		sift_down(g, 0);
}

/* Was it new? */
static bool touch(uint64_t *touched, uint64_t page)
{
	const uint64_t bit = 1ull << (page & 63);
	const bool is_new = !(touched[page >> 6] & bit);

	touched[page >> 6] |= bit;
	return is_new;
}

static bool has_ended(const struct worker *w)
{
	return w->next_access == w->nr_accesses ||
	       w->nr_touched == w->walk.nr_pages;
}

static uint64_t patience(const struct worker *w)
{
	return PATIENCE_A_PAGE * w->walk.nr_pages + PATIENCE;
}

/* The next page that this thread touches first: 1, 0 = none is left. */
static int find_page(const struct fz_generator *generator, struct worker *w,
		     uint64_t *page)
{
	while (!has_ended(w)) {
		if (w->nr_in_vain == patience(w))
			return -ERANGE;
		*page = generator->page(&w->walk, w->next_access++);
		if (!w->touched || touch(w->touched, *page)) {
			w->nr_touched++;
			w->nr_in_vain = 0;
			return 1;
		}
		w->nr_in_vain++;
	}
	return 0;
}

static int tell_in_vain(const struct fz_generated *g, const struct worker *w,
			struct fz_err *err)
{
	return fz_err_set(err, -ERANGE,
			  "'%s' touched %" PRIu64 " of %" PRIu64
			  " pages, then none that is new in %" PRIu64
			  " accesses: give fewer faults, or how many accesses "
			  "there are",
			  g->generator->name, w->nr_touched, w->walk.nr_pages,
			  w->nr_in_vain);
}

static ssize_t generated_next(void *state, struct fz_fault *faults, size_t max,
			      struct fz_err *err)
{
	struct fz_generated *g = state;
	size_t nr = 0;

	while (nr < max && g->nr_left && g->nr_heap) {
		struct worker *w = &g->workers[g->heap[0]];
		uint64_t page;
		const int found = find_page(g->generator, w, &page);

		/* It is found out again when what came before is taken. */
		if (found < 0)
			return nr ? (ssize_t)nr : tell_in_vain(g, w, err);
		if (!found) {
			heap_drop_first(g);
			continue;
		}
		faults[nr] = w->record;
		faults[nr].time_ns = w->arrivals.time_ns;
		faults[nr++].addr = w->first_addr + page * g->params.page_bytes;
		g->nr_left--;
		arrivals_next(&w->arrivals, &g->params);
		sift_down(g, 0);
	}
	return (ssize_t)nr;
}

struct fz_fault_source fz_generated_source(struct fz_generated *generated)
{
	return (struct fz_fault_source){ .state = generated,
					 .next = generated_next };
}

static struct fz_fault record_of(const struct fz_generated *g, uint32_t worker)
{
	const struct fz_generator_params *params = &g->params;
	const char *comm =
		g->generator->comm ? g->generator->comm : g->generator->name;
	struct fz_fault record = {
		.pid = FIRST_PID + worker - worker % params->nr_threads,
		.tid = FIRST_PID + worker,
		.cpu = worker,
		.event = (uint8_t)params->event,
		.knows = FZ_KNOWS_TIME | FZ_KNOWS_ADDR | FZ_KNOWS_PID |
			 FZ_KNOWS_TID | FZ_KNOWS_CPU,
		.comm_bytes = (uint8_t)strnlen(comm, FZ_COMM_BYTES - 1),
	};

	memcpy(record.comm, comm, record.comm_bytes);
	if (params->event == FZ_EVENT_USER_FAULT) {
		record.knows |= FZ_KNOWS_ERROR_CODE;
		record.error_code = FZ_FAULT_WRITE | FZ_FAULT_USER;
	}
	return record;
}

/* First page of a thread's part of the region; of nr_threads: the end. */
static uint64_t first_page(const struct fz_generator_params *params,
			   uint32_t thread)
{
	const uint64_t nr_pages = params->region_bytes / params->page_bytes;

	return nr_pages / params->nr_threads * thread +
	       nr_pages % params->nr_threads * thread / params->nr_threads;
}

/* How many accesses a thread makes. */
static uint64_t nr_accesses(const struct fz_generated *g, uint64_t nr_pages)
{
	const uint64_t asked = g->params.nr_accesses;

	if (!g->generator->repeats)
		return asked && asked < nr_pages ? asked : nr_pages;
	if (!asked)
		return g->params.nr_faults ? UINT64_MAX : nr_pages;
	return asked;
}

/*
 * Streams are numbered by process and thread, so that neither the number of the
 * one nor that of the other changes what they are.
 */
static uint64_t stream_of(uint32_t process, uint32_t thread, unsigned int what)
{
	return (uint64_t)process << 32 | (uint64_t)thread * NR_STREAMS | what;
}

static void worker_init(struct fz_generated *g, uint32_t index)
{
	const uint32_t process = index / g->params.nr_threads;
	const uint32_t thread = index % g->params.nr_threads;
	const uint64_t first = first_page(&g->params, thread);
	struct worker *w = &g->workers[index];
	char *state = g->states + index * g->generator->state_bytes;

	w->walk = (struct fz_walk){
		.nr_pages = first_page(&g->params, thread + 1) - first,
		.params = &g->params,
		.stream = stream_of(process, thread, STREAM_ACCESSES),
		.setup_stream = stream_of(process, thread, STREAM_SETUP),
		.state = state,
	};
	if (g->generator->begin)
		g->generator->begin(state, &w->walk);
	w->arrivals = arrivals_begin(
		&g->params, stream_of(process, thread, STREAM_ARRIVALS));
	w->nr_accesses = nr_accesses(g, w->walk.nr_pages);
	w->first_addr = g->params.base_addr + first * g->params.page_bytes;
	w->record = record_of(g, index);
}

static size_t bitmap_words(uint64_t nr_pages)
{
	return (size_t)((nr_pages + 63) / 64);
}

static int bitmaps_init(struct fz_generated *g)
{
	size_t nr_words = 0;

	for (uint32_t i = 0; i < g->nr_workers; i++)
		nr_words += bitmap_words(g->workers[i].walk.nr_pages);
	g->bitmaps = calloc(nr_words, sizeof(*g->bitmaps));
	if (!g->bitmaps)
		return -ENOMEM;
	nr_words = 0;
	for (uint32_t i = 0; i < g->nr_workers; i++) {
		g->workers[i].touched = g->bitmaps + nr_words;
		nr_words += bitmap_words(g->workers[i].walk.nr_pages);
	}
	return 0;
}

static int workers_init(struct fz_generated *g)
{
	const size_t nr = (size_t)g->params.nr_processes * g->params.nr_threads;

	g->nr_workers = (uint32_t)nr;
	g->workers = calloc(nr, sizeof(*g->workers));
	g->heap = calloc(nr, sizeof(*g->heap));
	g->states = calloc(nr, g->generator->state_bytes + 1);
	if (!g->workers || !g->heap || !g->states)
		return -ENOMEM;
	for (uint32_t i = 0; i < g->nr_workers; i++)
		worker_init(g, i);
	heap_init(g);
	return g->generator->repeats ? bitmaps_init(g) : 0;
}

int fz_generated_open(struct fz_generated **out,
		      const struct fz_generator *generator,
		      const struct fz_generator_params *params,
		      struct fz_err *err)
{
	struct fz_generated *g;
	int code = generator_check(generator, params, err);

	if (code)
		return code;
	g = calloc(1, sizeof(*g));
	if (!g)
		return fz_err_set(err, -ENOMEM, "out of memory");
	g->generator = generator;
	g->params = *params;
	g->nr_left = params->nr_faults ? params->nr_faults : UINT64_MAX;
	if (workers_init(g)) {
		fz_generated_close(g);
		return fz_err_set(err, -ENOMEM, "out of memory");
	}
	*out = g;
	return 0;
}

void fz_generated_close(struct fz_generated *generated)
{
	if (!generated)
		return;
	free(generated->workers);
	free(generated->heap);
	free(generated->states);
	free(generated->bitmaps);
	free(generated);
}
