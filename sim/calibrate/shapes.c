// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans whose prices tell calls from bytes, and orders from each other. */
#include "shapes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/profile_price.h>
#include <fz/random.h>
#include <fz/streams.h>
#include <fz/units.h>

#define FOLIO_PAGES (SHAPE_FOLIO_BYTES / FZ_PAGE_BYTES)

enum order {
	UP,
	DOWN,
	SHUFFLED
};

static const struct {
	uint64_t bytes;
	enum order order;
} pieces[] = {
	{ 4 << 10, UP },        { 64 << 10, UP },        { 4 << 10, DOWN },
	{ 64 << 10, DOWN },     { 4 << 10, SHUFFLED },   { 16 << 10, SHUFFLED },
	{ 64 << 10, SHUFFLED }, { 256 << 10, SHUFFLED },
};

static const struct {
	const char *policy;
	uint64_t fault_page;
	uint64_t batch_pages; /* 0: of the policy, or none */
} checks[] = {
	{ "discontiguous-page", 0, 0 },   { "discontiguous-page", 256, 0 },
	{ "discontiguous-page", 511, 0 }, { "batched-pages", 0, 32 },
	{ "neighbourhood-last", 256, 8 },
};

/* Folios of one call; what one adds beside its call is most of a short one. */
static const struct {
	uint64_t bytes;
	bool fitted;
} folios[] = {
	{ 4 << 10, true },
	{ 8 << 10, false },
	{ 16 << 10, true },
	{ 64 << 10, false },
};

static void add_piece(struct fz_plan_builder *builder, uint64_t first,
		      uint64_t nr)
{
	fz_plan_add_run(builder, (struct fz_run){ .first = first,
						  .nr = nr,
						  .unit_pages = nr,
						  .call_pages = nr });
}

static void add_shuffled(struct fz_plan_builder *builder, uint64_t call_pages,
			 struct fz_random *random)
{
	unsigned int order[FOLIO_PAGES];
	const size_t nr = FOLIO_PAGES / call_pages;

	for (size_t i = 0; i < nr; i++)
		order[i] = (unsigned int)i;
	fz_random_shuffle(random, order, nr);
	for (size_t i = 0; i < nr; i++)
		add_piece(builder, order[i] * call_pages, call_pages);
}

/*
 * A price is linear in the prices of calls and bytes: what a plan is made of is
 * its price where one of them is 1 and the others are 0.
 */
static double term_of(const struct fz_plan *plan, size_t term)
{
	struct fz_profile profile = {
		.nr_clears = 1,
		/* A byte a ns, or none of it counts. */
		.clears = { { .bps = term == FZ_TERM_BYTES ? 1e9 : 1e300,
			      .drain_ns = term == FZ_TERM_FOLIO } },
	};
	struct fz_prices prices;

	if (term < FZ_NR_RELATIONS)
		profile.clears[0].call_ns[term] = 1;
	prices = fz_prices_of(&profile);
	return fz_profile_price(&prices, plan, SHAPE_PREEMPT, NULL, 0);
}

static int finish(struct shapes *shapes, struct shape *shape, int code)
{
	struct fz_step step;
	struct fz_walker walker;

	if (code)
		return code;
	shape->bytes =
		shape->nr_folios * (shape->plan.nr_pages << FZ_PAGE_SHIFT);
	fz_walker_begin(&walker, &shape->plan);
	while (fz_walker_next(&walker, &step))
		if (step.nr << FZ_PAGE_SHIFT > shape->call_bytes)
			shape->call_bytes = step.nr << FZ_PAGE_SHIFT;
	for (size_t i = 0; i < FZ_NR_CALL_TERMS; i++)
		shape->terms[i] =
			(double)shape->nr_folios * term_of(&shape->plan, i);
	shapes->nr++;
	return 0;
}

static int make_pieces(struct shapes *shapes, size_t i,
		       struct fz_random *random)
{
	static const char *const names[] = { "upwards", "downwards",
					     "shuffled" };
	struct shape *shape = &shapes->shape[shapes->nr];
	const uint64_t pages = pieces[i].bytes >> FZ_PAGE_SHIFT;
	struct fz_plan_builder *builder = fz_plan_builder_new(FOLIO_PAGES);
	char size[FZ_FORMAT_BYTES];

	*shape = (struct shape){ .nr_folios = 1, .fitted = true };
	fz_format_bytes(size, sizeof(size), pieces[i].bytes);
	snprintf(shape->what, sizeof(shape->what), "%.15s pieces %s", size,
		 names[pieces[i].order]);
	if (pieces[i].order == SHUFFLED)
		add_shuffled(builder, pages, random);
	else
		fz_plan_add_run(
			builder,
			(struct fz_run){
				.nr = FOLIO_PAGES,
				.unit_pages = pages,
				.call_pages = pages,
				.direction = pieces[i].order == UP
						     ? FZ_DIRECTION_UP
						     : FZ_DIRECTION_DOWN,
			});
	return finish(shapes, shape, fz_plan_finish(builder, &shape->plan));
}

/* Of one call each. */
static int make_folios(struct shapes *shapes, const char *what, uint64_t bytes,
		       uint64_t nr_folios, bool fitted)
{
	struct shape *shape = &shapes->shape[shapes->nr];
	struct fz_plan_builder *builder =
		fz_plan_builder_new(bytes >> FZ_PAGE_SHIFT);
	char size[FZ_FORMAT_BYTES];

	*shape = (struct shape){ .nr_folios = nr_folios,
				 .small = bytes < SHAPE_FOLIO_BYTES,
				 .fitted = fitted };
	fz_format_bytes(size, sizeof(size), bytes);
	snprintf(shape->what, sizeof(shape->what), "%.16s of %.15s", what,
		 size);
	add_piece(builder, 0, bytes >> FZ_PAGE_SHIFT);
	return finish(shapes, shape, fz_plan_finish(builder, &shape->plan));
}

static int make_check(struct shapes *shapes, size_t i)
{
	struct shape *shape = &shapes->shape[shapes->nr];
	const struct fz_zero_request request = {
		.nr_pages = FOLIO_PAGES,
		.fault_page = checks[i].fault_page,
		/* One that cuts into batches. */
		.preempt = FZ_PREEMPT_NONE,
		.batch_pages = checks[i].batch_pages,
		.radius_pages = FZ_RADIUS_PAGES,
	};
	char batch[FZ_FORMAT_BYTES];

	*shape = (struct shape){ .nr_folios = 1 };
	fz_format_bytes(batch, sizeof(batch),
			checks[i].batch_pages << FZ_PAGE_SHIFT);
	if (checks[i].batch_pages)
		snprintf(shape->what, sizeof(shape->what), "%.24s, %.15s",
			 checks[i].policy, batch);
	else
		snprintf(shape->what, sizeof(shape->what), "%.24s, page %u",
			 checks[i].policy, (unsigned int)checks[i].fault_page);
	return finish(shapes, shape,
		      fz_policy_plan(fz_policy_find(checks[i].policy), &request,
				     &shape->plan, NULL));
}

int shapes_make(struct shapes *shapes, uint64_t max_extent_bytes, uint64_t seed)
{
	struct fz_random random = fz_random_begin(seed, FZ_STREAM_CALIBRATE);
	bool fitted = true;
	int code = 0;

	shapes->nr = 0;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]) && !code; i++)
		code = make_pieces(shapes, i, &random);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && !code; i++)
		code = make_check(shapes, i);
	for (size_t i = 0; i < sizeof(folios) / sizeof(folios[0]) && !code; i++)
		code = make_folios(shapes, "folios", folios[i].bytes,
				   SHAPE_FOLIO_BYTES / folios[i].bytes,
				   folios[i].fitted);
	for (uint64_t bytes = SHAPE_FOLIO_BYTES;
	     bytes <= max_extent_bytes && !code; bytes *= 2) {
		code = make_folios(shapes, "one call", bytes, 1,
				   fitted || bytes * 2 > max_extent_bytes);
		fitted = !fitted;
	}
	return code;
}

void shapes_fini(struct shapes *shapes)
{
	for (size_t i = 0; i < shapes->nr; i++)
		fz_plan_fini(&shapes->shape[i].plan);
}
