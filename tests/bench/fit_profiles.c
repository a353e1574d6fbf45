// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fits machine profiles to published figures:
 *
 *   fit_profiles PUBLISHED.csv DIRECTORY
 *
 * Each number is fitted to one row, by bisection; what a row does not tell is
 * taken from another profile, as the lists below say, or stays unknown.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_json.h"
#include "published_rows.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Numbers depend on each other: the ramp on the bandwidth behind it. */
#define NR_PASSES 60

/* Digits of what is written; the rows have four. */
#define DIGITS "%.6g"

/* What rounding may take away from a fitted row. */
#define MAX_MISS 1e-4

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)

enum machine {
	MILAN,
	GENOA,
	GENOA_BOOST,
	ICELAKEX,
	NEOVERSE_N1,
	ZEN5,
	NR_MACHINES,
};

/* String stores: what they are called; 0 = no call is elided. */
struct machine_facts {
	const char *name;
	const char *cpu;
	const char *clear;
	uint64_t threshold_bytes;
	const char *streams[2];
	struct fz_cache_level levels[3];
};

/* Caches as the makers document them; a threshold is the last level's size. */
static const struct machine_facts facts[NR_MACHINES] = {
	[MILAN] = { "milan",
		    "AMD EPYC 7J13 (Milan), boost off",
		    "stosb",
		    MIB(32),
		    { "clzero", "movnti" },
		    { { KIB(32), 8, FZ_CACHE_PLAIN, 0 },
		      { KIB(512), 8, FZ_CACHE_INCLUSIVE, 0 },
		      { MIB(32), 16, FZ_CACHE_VICTIM, 0 } } },
	[GENOA] = { "genoa",
		    "AMD EPYC 9J13 (Genoa), boost off",
		    "stosb",
		    MIB(32),
		    { NULL },
		    { { KIB(32), 8, FZ_CACHE_PLAIN, 0 },
		      { MIB(1), 8, FZ_CACHE_INCLUSIVE, 0 },
		      { MIB(32), 16, FZ_CACHE_VICTIM, 0 } } },
	[GENOA_BOOST] = { "genoa-boost",
			  "AMD EPYC 9J13 (Genoa), boost on",
			  "stosb",
			  MIB(32),
			  { NULL },
			  { { KIB(32), 8, FZ_CACHE_PLAIN, 0 },
			    { MIB(1), 8, FZ_CACHE_INCLUSIVE, 0 },
			    { MIB(32), 16, FZ_CACHE_VICTIM, 0 } } },
	[ICELAKEX] = { "icelakex",
		       "Intel Xeon Platinum 8358 (Ice Lake), no turbo",
		       "stosb",
		       0,
		       { "movnti" },
		       { { KIB(48), 12, FZ_CACHE_PLAIN, 0 },
			 { KIB(1280), 20, FZ_CACHE_PLAIN, 0 },
			 { MIB(48), 12, FZ_CACHE_PLAIN, 0 } } },
	[NEOVERSE_N1] = { "neoverse-n1",
			  "ARM Neoverse-N1 (Altra)",
			  "dc-zva",
			  0,
			  { NULL },
			  { { KIB(64), 4, FZ_CACHE_PLAIN, 0 },
			    { MIB(1), 8, FZ_CACHE_INCLUSIVE, 0 },
			    { MIB(32), 16, FZ_CACHE_PLAIN, 0 } } },
	[ZEN5] = { "zen5",
		   "AMD Zen 5",
		   "stosb",
		   MIB(32),
		   { "clzero", "movnti" },
		   { { KIB(48), 12, FZ_CACHE_PLAIN, 0 },
		     { MIB(1), 16, FZ_CACHE_INCLUSIVE, 0 },
		     { MIB(32), 16, FZ_CACHE_VICTIM, 0 } } },
};

/* A number of a profile that can be fitted, and where it may be. */
struct parameter {
	size_t offset;
	double min;
	double max;
	bool whole; /* uint64_t */
};

#define CLEAR(i, member) offsetof(struct fz_profile, clears[i].member)

static const struct parameter fault = { offsetof(struct fz_profile, fault_ns),
					0, 1e5, false };
static const struct parameter point = { offsetof(struct fz_profile, point_ns),
					0, 1e3, false };
static const struct parameter bps = { CLEAR(0, bps), 1e8, 1e12, false };
static const struct parameter elided = { CLEAR(0, elided_bps), 1e8, 1e12,
					 false };
static const struct parameter ramp = { CLEAR(0, ramp_bytes), 0, 0x1p25, true };
static const struct parameter call_up = { CLEAR(0, call_ns[FZ_RELATION_UP]), 0,
					  1e4, false };
static const struct parameter call_down = { CLEAR(0, call_ns[FZ_RELATION_DOWN]),
					    0, 1e4, false };
static const struct parameter stream0 = { CLEAR(1, bps), 1e8, 1e12, false };
static const struct parameter stream1 = { CLEAR(2, bps), 1e8, 1e12, false };

/* One number, one row. */
static const struct fit {
	enum machine machine;
	const struct parameter *parameter;
	const char *row;
} fits[] = {
	{ MILAN, &bps, "milan-1g-before-full" },
	{ MILAN, &elided, "milan-1g-after-full" },
	{ MILAN, &call_down, "milan-2m-before" },
	{ MILAN, &stream0, "lkml22-milan-clzero-1g" },
	{ MILAN, &stream1, "lkml22-milan-movnti-1g" },
	{ GENOA, &bps, "genoa-1g-before-full" },
	{ GENOA, &elided, "genoa-1g-after-full" },
	{ GENOA, &ramp, "genoa-1g-after-none" },
	{ GENOA, &point, "genoa-1g-before-none" },
	{ GENOA, &fault, "genoa-2m-before" },
	{ GENOA_BOOST, &bps, "genoa-boost-1g-before-full" },
	{ GENOA_BOOST, &elided, "genoa-boost-1g-after-full" },
	{ ICELAKEX, &bps, "v3-icx-1g-after" },
	{ ICELAKEX, &call_up, "v3-icx-1g-before" },
	{ ICELAKEX, &stream0, "lkml22-icx-movnti-1g" },
	{ NEOVERSE_N1, &bps, "altra-after" },
	{ NEOVERSE_N1, &call_up, "altra-before" },
	{ ZEN5, &bps, "zen5-2m-after" },
	{ ZEN5, &stream0, "zen5-2m-clzero" },
	{ ZEN5, &stream1, "zen5-2m-movnt" },
};

/* Told by the rows of another machine alone. */
static const struct transfer {
	enum machine from;
	const struct parameter *parameter;
	enum machine to;
} transfers[] = {
	{ GENOA, &fault, MILAN },       { GENOA, &fault, GENOA_BOOST },
	{ GENOA, &fault, ICELAKEX },    { GENOA, &fault, NEOVERSE_N1 },
	{ GENOA, &fault, ZEN5 },        { GENOA, &point, MILAN },
	{ GENOA, &point, GENOA_BOOST }, { GENOA, &point, ICELAKEX },
	{ GENOA, &point, NEOVERSE_N1 }, { GENOA, &point, ZEN5 },
	{ GENOA, &ramp, MILAN },        { GENOA, &ramp, GENOA_BOOST },
	{ MILAN, &call_down, GENOA },   { MILAN, &call_down, GENOA_BOOST },
	{ MILAN, &call_down, ZEN5 },
};

static bool is_fitted(enum machine machine, const struct parameter *parameter)
{
	for (size_t i = 0; i < NR(fits); i++)
		if (fits[i].machine == machine &&
		    fits[i].parameter == parameter)
			return true;
	for (size_t i = 0; i < NR(transfers); i++)
		if (transfers[i].to == machine &&
		    transfers[i].parameter == parameter)
			return true;
	return false;
}

static double get(const struct fz_profile *profile, const struct parameter *p)
{
	const char *at = (const char *)profile + p->offset;

	return p->whole ? (double)*(const uint64_t *)at : *(const double *)at;
}

static void set(struct fz_profile *profile, const struct parameter *p,
		double value)
{
	char *at = (char *)profile + p->offset;

	if (p->whole)
		*(uint64_t *)at = (uint64_t)value;
	else
		*(double *)at = value;
}

static struct fz_profile_clear unknown_clear(const char *name, bool streaming)
{
	struct fz_profile_clear clear = {
		.streaming = streaming,
		.drain_ns = NAN,
		.bps = NAN,
		.elided_bps = NAN,
		.elided_share = NAN,
		.interrupted_ns = NAN,
	};

	snprintf(clear.name, sizeof(clear.name), "%s", name);
	return clear;
}

/* What is known of a machine without any row. */
static void begin(struct fz_profile *profile, enum machine machine)
{
	const struct machine_facts *known = &facts[machine];

	*profile = (struct fz_profile){
		.fault_ns = NAN,
		.point_ns = NAN,
		.switch_ns = NAN,
		.irq_ns = NAN,
		.cycle_ns = NAN,
		.clock_ns = NAN,
		.cache = { .line_bytes = 64, .nr_levels = 3 },
		/* What such stores do, whatever the machine. */
		.memory = { .bps = NAN,
			    .read_bps = NAN,
			    .read_cost = 1,
			    .allocate_cost = 2,
			    .stream_cost = 1 },
		.nr_clears = 1,
	};
	snprintf(profile->name, sizeof(profile->name), "%s", known->name);
	snprintf(profile->cpu, sizeof(profile->cpu), "%s", known->cpu);
	memcpy(profile->cache.level, known->levels, sizeof(known->levels));
	profile->clears[0] = unknown_clear(known->clear, false);
	profile->clears[0].threshold_bytes = known->threshold_bytes;
	/* The ramp alone tells calls of 32 MiB from longer ones. */
	if (is_fitted(machine, &elided))
		profile->clears[0].elided_share = 1;
	for (size_t i = 0; i < NR(known->streams) && known->streams[i]; i++)
		profile->clears[profile->nr_clears++] =
			unknown_clear(known->streams[i], true);
}

/* So that rows have a price before all is fitted. */
static void guess(struct fz_profile *profile, enum machine machine)
{
	for (size_t i = 0; i < NR(fits); i++)
		if (fits[i].machine == machine)
			set(profile, fits[i].parameter,
			    sqrt((fits[i].parameter->min + 1) *
				 fits[i].parameter->max));
}

/* What follows from what is fitted. */
static void derive(struct fz_profile profiles[NR_MACHINES])
{
	for (size_t i = 0; i < NR(transfers); i++)
		set(&profiles[transfers[i].to], transfers[i].parameter,
		    get(&profiles[transfers[i].from], transfers[i].parameter));
	for (int m = 0; m < NR_MACHINES; m++) {
		double *call_ns = profiles[m].clears[0].call_ns;

		/* No order is known to cost more. */
		if (!is_fitted((enum machine)m, &call_down))
			call_ns[FZ_RELATION_DOWN] = call_ns[FZ_RELATION_UP];
		/* Going from side to side is half a way up, half a way down. */
		call_ns[FZ_RELATION_OTHER] =
			(call_ns[FZ_RELATION_UP] + call_ns[FZ_RELATION_DOWN]) /
			2;
	}
}

static double miss(const struct published_row *row, struct fz_profile *profile,
		   const struct parameter *p, double value)
{
	set(profile, p, value);
	return published_predict(row, profile) / published_bps(row) - 1;
}

/* More of it makes a row faster, or slower, everywhere between the bounds. */
static void solve(const struct published_row *row, struct fz_profile *profile,
		  const struct parameter *p)
{
	double low = p->min, high = p->max;
	const bool rises = miss(row, profile, p, high) > 0;

	for (int i = 0; i < 100; i++) {
		const double middle = low + (high - low) / 2;

		if ((miss(row, profile, p, middle) > 0) == rises)
			high = middle;
		else
			low = middle;
	}
	set(profile, p, high);
}

static double rounded(double value)
{
	char text[32];

	snprintf(text, sizeof(text), DIGITS, value);
	return strtod(text, NULL);
}

static void round_fitted(struct fz_profile profiles[NR_MACHINES])
{
	for (size_t i = 0; i < NR(fits); i++) {
		struct fz_profile *profile = &profiles[fits[i].machine];
		const struct parameter *p = fits[i].parameter;

		set(profile, p, rounded(get(profile, p)));
	}
	derive(profiles);
}

static bool check_fits(struct fz_profile profiles[NR_MACHINES],
		       const struct published *published)
{
	bool ok = true;

	for (size_t i = 0; i < NR(fits); i++) {
		struct fz_profile *profile = &profiles[fits[i].machine];
		const double off = miss(published_find(published, fits[i].row),
					profile, fits[i].parameter,
					get(profile, fits[i].parameter));

		if (fabs(off) < MAX_MISS)
			continue;
		fprintf(stderr, "fit_profiles: cannot fit '%s': off by %g\n",
			fits[i].row, off);
		ok = false;
	}
	return ok;
}

static bool fit(struct fz_profile profiles[NR_MACHINES],
		const struct published *published)
{
	for (size_t i = 0; i < NR(fits); i++) {
		if (published_find(published, fits[i].row))
			continue;
		fprintf(stderr, "fit_profiles: no row '%s'\n", fits[i].row);
		return false;
	}
	for (int m = 0; m < NR_MACHINES; m++) {
		begin(&profiles[m], (enum machine)m);
		guess(&profiles[m], (enum machine)m);
	}
	for (int pass = 0; pass < NR_PASSES; pass++) {
		derive(profiles);
		for (size_t i = 0; i < NR(fits); i++)
			solve(published_find(published, fits[i].row),
			      &profiles[fits[i].machine], fits[i].parameter);
	}
	round_fitted(profiles);
	return check_fits(profiles, published);
}

static void add_row(struct fz_profile_document *document, const char *row)
{
	snprintf(document->fitted_rows[document->nr_fitted_rows++],
		 FZ_PROFILE_ROW_BYTES, "%s", row);
}

/* Its own rows, then those that told what it took from others. */
static void add_rows(struct fz_profile_document *document, enum machine machine)
{
	for (size_t i = 0; i < NR(fits); i++)
		if (fits[i].machine == machine)
			add_row(document, fits[i].row);
	for (size_t t = 0; t < NR(transfers); t++)
		for (size_t i = 0; i < NR(fits); i++)
			if (transfers[t].to == machine &&
			    transfers[t].from == fits[i].machine &&
			    transfers[t].parameter == fits[i].parameter)
				add_row(document, fits[i].row);
}

static bool write_profile(const char *directory,
			  const struct fz_profile *profile,
			  enum machine machine)
{
	struct fz_profile_document document = { .profile = *profile };
	char path[4096];
	FILE *out;
	bool ok;

	add_rows(&document, machine);
	snprintf(path, sizeof(path), "%s/%s.json", directory, profile->name);
	out = fopen(path, "we");
	ok = out && fz_profile_print(out, &document) == 0;
	if (out && fclose(out))
		ok = false;
	if (!ok)
		fprintf(stderr, "fit_profiles: cannot write '%s': %s\n", path,
			strerror(errno));
	return ok;
}

int main(int argc, char **argv)
{
	static struct fz_profile profiles[NR_MACHINES];
	static struct published published;

	if (argc != 3) {
		fprintf(stderr,
			"usage: fit_profiles PUBLISHED.csv DIRECTORY\n");
		return 2;
	}
	if (!published_read(&published, argv[1]) || !fit(profiles, &published))
		return 1;
	for (int m = 0; m < NR_MACHINES; m++)
		if (!write_profile(argv[2], &profiles[m], (enum machine)m))
			return 1;
	return 0;
}
