// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers of a profile. */
#include "profile_fields.h"

#include <fz/profile.h>

/* Beyond these a number is a mistake, and sums of prices stay within 2^63 ns.
 */
#define MAX_NS     FZ_PROFILE_MAX_NS
#define MIN_BPS    1e6
#define MAX_BPS    1e15
#define MIN_COST   1e-3
#define MAX_COST   1e3
#define MAX_CYCLES 1e6
/* 1 MHz to 1 THz; and a core has a few loads a cycle. */
#define MIN_CYCLE_NS    1e-3
#define MAX_CYCLE_NS    1e3
#define MIN_READ_CYCLES 0.01
#define MAX_NUMBER      1e6
#define MAX_BYTES       0x1p40

const struct fz_profile_field fz_profile_fields[] = {
	{ "fault_ns", FZ_PROFILE_REAL, offsetof(struct fz_profile, fault_ns), 0,
	  MAX_NS },
	{ "point_ns", FZ_PROFILE_REAL, offsetof(struct fz_profile, point_ns), 0,
	  MAX_NS },
	{ "switch_ns", FZ_PROFILE_REAL, offsetof(struct fz_profile, switch_ns),
	  0, MAX_NS },
	{ "irq_ns", FZ_PROFILE_REAL, offsetof(struct fz_profile, irq_ns), 0,
	  MAX_NS },
	{ "hz", FZ_PROFILE_NUMBER, offsetof(struct fz_profile, hz), 1,
	  MAX_NUMBER },
	{ "nr_cores", FZ_PROFILE_NUMBER, offsetof(struct fz_profile, nr_cores),
	  1, MAX_NUMBER },
	{ "smt", FZ_PROFILE_NUMBER, offsetof(struct fz_profile, smt), 1, 64 },
	{ "nr_nodes", FZ_PROFILE_NUMBER, offsetof(struct fz_profile, nr_nodes),
	  1, MAX_NUMBER },
	{ "cycle_ns", FZ_PROFILE_LATER, offsetof(struct fz_profile, cycle_ns),
	  MIN_CYCLE_NS, MAX_CYCLE_NS },
	{ "clock_ns", FZ_PROFILE_LATER, offsetof(struct fz_profile, clock_ns),
	  0, MAX_NS },
	{ .name = NULL },
};

const struct fz_profile_field fz_profile_cache_fields[] = {
	{ "line_bytes", FZ_PROFILE_COUNT,
	  offsetof(struct fz_cache_geometry, line_bytes), 16, 4096 },
	{ "memory_cycles", FZ_PROFILE_CYCLES,
	  offsetof(struct fz_cache_geometry, memory_cycles), 1, MAX_CYCLES },
	{ "memory_read_cycles", FZ_PROFILE_LATER_CYCLES,
	  offsetof(struct fz_cache_geometry, memory_read_cycles),
	  MIN_READ_CYCLES, MAX_CYCLES },
	{ .name = NULL },
};

const struct fz_profile_field fz_profile_level_fields[] = {
	{ "bytes", FZ_PROFILE_BYTES, offsetof(struct fz_cache_level, bytes), 16,
	  MAX_BYTES },
	{ "ways", FZ_PROFILE_COUNT, offsetof(struct fz_cache_level, ways), 1,
	  64 },
	{ "latency_cycles", FZ_PROFILE_CYCLES,
	  offsetof(struct fz_cache_level, latency_cycles), 1, MAX_CYCLES },
	{ "read_cycles", FZ_PROFILE_LATER_CYCLES,
	  offsetof(struct fz_cache_level, read_cycles), MIN_READ_CYCLES,
	  MAX_CYCLES },
	{ .name = NULL },
};

const struct fz_profile_field fz_profile_prefetcher_fields[] = {
	{ "streams", FZ_PROFILE_COUNT,
	  offsetof(struct fz_cache_prefetcher, streams), 1,
	  FZ_CACHE_MAX_STREAMS },
	{ "degree", FZ_PROFILE_COUNT,
	  offsetof(struct fz_cache_prefetcher, degree), 1,
	  FZ_CACHE_MAX_DEGREE },
	{ "distance", FZ_PROFILE_COUNT,
	  offsetof(struct fz_cache_prefetcher, distance), 1, 256 },
	{ .name = NULL },
};

const struct fz_profile_field fz_profile_memory_fields[] = {
	{ "bps", FZ_PROFILE_REAL, offsetof(struct fz_profile_memory, bps),
	  MIN_BPS, MAX_BPS },
	{ "read_bps", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_memory, read_bps), MIN_BPS, MAX_BPS },
	{ "read_cost", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_memory, read_cost), MIN_COST, MAX_COST },
	{ "allocate_cost", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_memory, allocate_cost), MIN_COST,
	  MAX_COST },
	{ "stream_cost", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_memory, stream_cost), MIN_COST, MAX_COST },
	{ .name = NULL },
};

#define CALL_OFFSET(relation) \
	offsetof(struct fz_profile_clear, call_ns[FZ_RELATION_##relation])

const struct fz_profile_field fz_profile_call_fields[] = {
	{ "up", FZ_PROFILE_REAL, CALL_OFFSET(UP), 0, MAX_NS },
	{ "down", FZ_PROFILE_REAL, CALL_OFFSET(DOWN), 0, MAX_NS },
	{ "other", FZ_PROFILE_REAL, CALL_OFFSET(OTHER), 0, MAX_NS },
	{ .name = NULL },
};

const struct fz_profile_field fz_profile_clear_fields[] = {
	{ "drain_ns", FZ_PROFILE_LATER,
	  offsetof(struct fz_profile_clear, drain_ns), 0, MAX_NS },
	{ "bps", FZ_PROFILE_REAL, offsetof(struct fz_profile_clear, bps),
	  MIN_BPS, MAX_BPS },
	{ "threshold_bytes", FZ_PROFILE_BYTES,
	  offsetof(struct fz_profile_clear, threshold_bytes), 0, MAX_BYTES },
	{ "ramp_bytes", FZ_PROFILE_BYTES,
	  offsetof(struct fz_profile_clear, ramp_bytes), 0, MAX_BYTES },
	{ "elided_bps", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_clear, elided_bps), MIN_BPS, MAX_BPS },
	{ "elided_share", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_clear, elided_share), 0, 1 },
	{ "interrupted_ns", FZ_PROFILE_REAL,
	  offsetof(struct fz_profile_clear, interrupted_ns), 0, MAX_NS },
	{ .name = NULL },
};

const char *const fz_profile_relations[] = {
	[FZ_CACHE_PLAIN] = "plain",
	[FZ_CACHE_INCLUSIVE] = "inclusive",
	[FZ_CACHE_VICTIM] = "victim",
	NULL,
};
