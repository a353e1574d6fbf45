// SPDX-License-Identifier: GPL-2.0-or-later
/* What all cores together get out of the memory, and one alone. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/team.h>
#include <fz/use.h>

#include "core_rates.h"
#include "memory_available.h"
#include "switches.h"
#include "ticks.h"

/* Of the budget, together with what was before. */
#define MEMORY_PART 0.95

#define MIN_ROUNDS 3u
#define MAX_ROUNDS 31u

/* Of each core. Within these bounds, all of them have four times the last
 * cache; and together at most a quarter of what is to be had. */
#define MIN_BYTES    ((uint64_t)16 << 20)
#define MAX_BYTES    ((uint64_t)128 << 20)
#define LLC_MULTIPLE 4u
#define MEMORY_SHARE 4u

/* Below every threshold. */
#define CALL_BYTES ((uint64_t)1 << 20)

/* Cores that reach less than this of what they would alone wait for each
 * other. */
#define FULL_BUS 0.8

struct core {
	struct fz_buffer *buffer;
	uint64_t begin;
	uint64_t end;
	bool disturbed; /* another task took the core meanwhile */
	int code;
};

struct crew {
	struct calibration *c;
	struct fz_team *team;
	struct core *cores; /* [nr] */
	unsigned int nr;
	uint64_t bytes;    /* of each core */
	enum core_use use; /* what is measured now */
	const struct fz_clear *clear[CORE_USES];
};

static uint64_t core_bytes(const struct calibration *c, unsigned int nr)
{
	const uint64_t spare =
		fz_memory_available(c->bench->hooks) / MEMORY_SHARE / nr;
	uint64_t bytes =
		LLC_MULTIPLE * c->params->machine->topology.llc_bytes / nr;

	bytes = bytes < MIN_BYTES ? MIN_BYTES : bytes;
	bytes = bytes > MAX_BYTES ? MAX_BYTES : bytes;
	bytes = bytes > spare ? spare : bytes;
	return bytes / SHAPE_FOLIO_BYTES * SHAPE_FOLIO_BYTES;
}

/* On the core that will use it, so that it is near. */
static void open_memory(void *arg, unsigned int i)
{
	struct crew *crew = arg;
	const uint64_t thp = crew->c->params->machine->thp_pmd_bytes;
	struct core *core = &crew->cores[i];

	/* Not more than its share. */
	core->code = fz_buffer_open_large(
		&core->buffer, crew->c->bench->hooks,
		thp && crew->bytes % thp == 0 ? thp : 0, crew->bytes, NULL);
}

static void dirty(void *arg, unsigned int i)
{
	struct crew *crew = arg;

	fz_buffer_dirty(crew->cores[i].buffer, false);
}

static void use(void *arg, unsigned int i)
{
	struct crew *crew = arg;
	struct core *core = &crew->cores[i];
	const struct fz_clear *clear = crew->clear[crew->use];
	const struct fz_hooks *hooks = crew->c->bench->hooks;
	char *base = fz_buffer_base(core->buffer);
	uint64_t switches;

	switches = switches_so_far(hooks);
	core->begin = ticks_after_stores(hooks);
	if (crew->use == CORE_READS)
		fz_use_all(base, crew->bytes >> FZ_PAGE_SHIFT);
	else
		for (uint64_t at = 0; at < crew->bytes; at += CALL_BYTES)
			clear->clear(base + at, CALL_BYTES);
	core->end = ticks_after_stores(hooks);
	core->disturbed = switches_so_far(hooks) != switches;
}

/* Bytes a second, from the first one's begin to the last one's end. NAN if
 * another task took part: that would look like a full bus. */
static double rate(struct crew *crew, unsigned int nr)
{
	const struct core *cores = crew->cores;
	uint64_t begin = UINT64_MAX, end = 0;

	fz_team_run(crew->team, nr, dirty, crew);
	fz_team_run(crew->team, nr, use, crew);
	for (unsigned int i = 0; i < nr; i++) {
		if (cores[i].disturbed)
			return NAN;
		begin = cores[i].begin < begin ? cores[i].begin : begin;
		end = cores[i].end > end ? cores[i].end : end;
	}
	return (double)nr * (double)crew->bytes * 1e9 /
	       ((double)(end - begin) * crew->c->bench->clock.ns_per_tick);
}

static int measure_rates(struct crew *crew, struct core_rates *rates)
{
	*rates = (struct core_rates){ { NAN, NAN, NAN }, { NAN, NAN, NAN } };
	for (size_t n = 0; n < MAX_ROUNDS; n++) {
		if (n >= MIN_ROUNDS &&
		    calibration_late(crew->c, MEMORY_PART, "memory"))
			break;
		for (crew->use = CORE_READS; crew->use < CORE_USES;
		     crew->use++) {
			double *alone = &rates->alone[crew->use];
			double *together = &rates->together[crew->use];

			if (calibration_stopped(crew->c))
				return -EINTR;
			calibration_late(crew->c, 1, "memory");
			if (crew->use != CORE_READS && !crew->clear[crew->use])
				continue;
			/* The greater of a number and NAN is the number. */
			*alone = fmax(*alone, rate(crew, 1));
			*together = fmax(*together, rate(crew, crew->nr));
		}
	}
	return 0;
}

static bool fills_bus(const struct core_rates *rates, unsigned int nr,
		      enum core_use use)
{
	return rates->together[use] < FULL_BUS * nr * rates->alone[use];
}

/* Nothing moves more bytes than what fills the bus. */
static bool reading_is_fastest(const struct core_rates *rates)
{
	for (enum core_use u = CORE_READS; u < CORE_USES; u++)
		if (rates->together[u] > rates->together[CORE_READS])
			return false;
	return true;
}

/* A byte read is a byte on the bus, by definition: what else fills the bus
 * moves as many. */
static void keep_costs(struct calibration *c, unsigned int nr,
		       const struct core_rates *rates)
{
	static const char *const names[CORE_USES] = { "read_cost",
						      "allocate_cost",
						      "stream_cost" };
	struct fz_profile_memory *memory = &c->out->profile.memory;
	double *const cost[CORE_USES] = { &memory->read_cost,
					  &memory->allocate_cost,
					  &memory->stream_cost };

	for (enum core_use u = CORE_READS; u < CORE_USES; u++)
		if (isnan(rates->together[u]))
			calibration_unknown(c, names[u],
					    "no primitive, or no round without "
					    "other tasks");
		else if (fills_bus(rates, nr, u))
			*cost[u] = rates->together[CORE_READS] /
				   rates->together[u];
		else
			calibration_unknown(c, names[u],
					    "%u cores do not fill the bus with "
					    "that",
					    nr);
}

void core_rates_keep(struct calibration *c, unsigned int nr,
		     const struct core_rates *rates)
{
	const unsigned int nr_nodes = c->params->machine->topology.nr_nodes;
	const double alone = rates->alone[CORE_READS];
	const double together = rates->together[CORE_READS];
	struct fz_profile_memory *memory = &c->out->profile.memory;

	memory->read_bps = alone;
	if (isnan(alone) || isnan(together)) {
		calibration_unknown(c, "memory",
				    "other tasks took the cores in each round");
	} else if (!fills_bus(rates, nr, CORE_READS) ||
		   !reading_is_fastest(rates)) {
		calibration_unknown(
			c, "memory",
			"neither bandwidth nor costs: %u cores do not fill the "
			"bus, together they read %.2f times what one does",
			nr, together / alone);
	} else {
		memory->bps = together / (nr_nodes ? nr_nodes : 1);
		calibration_note(c, "memory.bps", "%u cores read", nr);
		keep_costs(c, nr, rates);
	}
}

/* The fastest of the kind; of cached ones the first, which the kernel takes. */
static const struct fz_clear *choose(const struct calibration *c,
				     bool streaming)
{
	for (size_t i = 0; i < c->params->nr_clears; i++)
		if (c->params->clears[i]->streaming == streaming)
			return c->params->clears[i];
	return NULL;
}

static void forget(struct fz_profile_memory *memory)
{
	*memory = (struct fz_profile_memory){ NAN, NAN, NAN, NAN, NAN };
}

static int run_crew(struct crew *crew)
{
	struct core_rates rates;
	int code = 0;

	fz_team_run(crew->team, crew->nr, open_memory, crew);
	for (unsigned int i = 0; i < crew->nr && !code; i++)
		code = crew->cores[i].code;
	if (code) {
		calibration_unknown(crew->c, "memory",
				    "no memory for all cores");
		return 0;
	}
	code = measure_rates(crew, &rates);
	if (!code)
		core_rates_keep(crew->c, crew->nr, &rates);
	return code;
}

int calibrate_memory(struct calibration *c)
{
	struct crew crew = {
		.c = c,
		.nr = c->params->nr_cpus,
		.bytes = core_bytes(c, c->params->nr_cpus),
		.clear = { NULL, choose(c, false), choose(c, true) },
	};
	struct fz_err err = { "no memory for all cores" };
	int code = 0;

	forget(&c->out->profile.memory);
	crew.cores = calloc(crew.nr, sizeof(*crew.cores));
	if (!crew.cores || !crew.bytes ||
	    fz_team_open(&crew.team, c->bench, c->params->cpus, crew.nr, 1,
			 &err))
		calibration_unknown(c, "memory", "%.200s", err.msg);
	else
		code = run_crew(&crew);
	fz_team_close(crew.team);
	for (unsigned int i = 0; crew.cores && i < crew.nr; i++)
		fz_buffer_close(crew.cores[i].buffer);
	free(crew.cores);
	return code;
}
