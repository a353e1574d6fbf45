/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine profile: what zeroing costs on one machine, as numbers. */
#ifndef FZ_PROFILE_H
#define FZ_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/cache.h>
#include <fz/plan.h>

/**
 * DOC: machine profiles
 *
 * A profile prices the calls of a plan. A clear call of L bytes takes
 *
 *   call_ns[relation] + L / bps                          if it is not elided
 *   call_ns[relation] + ramp / bps + (L - ramp) / elided_bps       if it is
 *
 * where a division gives ns, relation is where the call starts beside the one
 * before it in the same folio, see enum fz_relation, and a ramp longer than the
 * call is as long as the call. A call is elided if the primitive has a
 * threshold and L reaches it: some CPUs stop allocating cache lines when a
 * string store of zeroes is long. elided_share says in how many of such calls
 * that happens; the others cost as if there were no threshold, and a price is
 * the mean.
 *
 * A folio takes drain_ns once, beside its calls: nothing overlaps with the wait
 * of its first stores for their lines, and it is over only when its last stores
 * are done. In the middle of a row of calls neither shows. It is that of the
 * primitive of the folio's last call. Where it is not known it counts as 0.
 *
 * Bandwidths are what one core reaches alone; how cores share the memory is
 * struct fz_profile_memory. Numbers that are not known are NAN.
 */

#define FZ_PROFILE_MAX_CLEARS 16
#define FZ_PROFILE_NAME_BYTES 32

/**
 * enum fz_relation - where a clear call starts, beside the one before it
 * @FZ_RELATION_UP: where that one ended
 * @FZ_RELATION_DOWN: it ends where that one started
 * @FZ_RELATION_OTHER: elsewhere; also the first call of a folio
 * @FZ_NR_RELATIONS: how many there are
 */
enum fz_relation {
	FZ_RELATION_UP,
	FZ_RELATION_DOWN,
	FZ_RELATION_OTHER,
	FZ_NR_RELATIONS,
};

/**
 * struct fz_profile_clear - a clear primitive
 * @name: as on the command line
 * @streaming: it goes around the caches
 * @call_ns: [FZ_NR_RELATIONS] of each call, whatever its length
 * @drain_ns: of each folio, beside its calls
 * @bps: bytes a second while it allocates cache lines (streaming: while it
 *	streams)
 * @threshold_bytes: a call at least this long is elided; 0 = none is
 * @ramp_bytes: of an elided call: bytes that still allocate
 * @elided_bps: behind the ramp
 * @elided_share: of calls that reach the threshold, 0 to 1
 * @interrupted_ns: what an interrupt in the middle of a call adds, beside its
 *	own time. An elided call goes on with the length that is left, so it may
 *	be below the threshold from then on
 */
struct fz_profile_clear {
	char name[FZ_PROFILE_NAME_BYTES];
	bool streaming;
	double call_ns[FZ_NR_RELATIONS];
	double drain_ns;
	double bps;
	uint64_t threshold_bytes;
	uint64_t ramp_bytes;
	double elided_bps;
	double elided_share;
	double interrupted_ns;
};

/**
 * struct fz_profile_memory - how cores share the memory
 * @bps: bytes a second over the bus of one NUMA node, reads and writes
 * @read_bps: of one core that reads alone
 * @read_cost: bytes on the bus for each byte read (1)
 * @allocate_cost: for each byte zeroed by allocating stores (2: read and
 *	written back)
 * @stream_cost: for each byte streamed, or elided (1)
 */
struct fz_profile_memory {
	double bps;
	double read_bps;
	double read_cost;
	double allocate_cost;
	double stream_cost;
};

/**
 * struct fz_profile - a machine
 * @name: as on the command line
 * @cpu: its processor, for people
 * @fault_ns: a fault without its zeroing
 * @point_ns: a resched point that has nothing to do
 * @switch_ns: a context switch
 * @irq_ns: from a wake-up to the interrupt's return, where a preemptible kernel
 *	reschedules
 * @hz: ticks a second
 * @nr_cores: in all
 * @smt: hardware threads of a core
 * @nr_nodes: NUMA nodes, between which cores are shared out evenly
 * @cycle_ns: a cycle of @cache
 * @clock_ns: what timing adds to what is timed by reading the clock before it
 *	and after it, once loads are done
 * @cache: of a core; see cache.h
 * @memory: see there
 * @nr_clears: entries of @clears
 * @clears: primitives
 */
struct fz_profile {
	char name[FZ_PROFILE_NAME_BYTES];
	char cpu[64];
	double fault_ns;
	double point_ns;
	double switch_ns;
	double irq_ns;
	unsigned int hz;
	unsigned int nr_cores;
	unsigned int smt;
	unsigned int nr_nodes;
	double cycle_ns;
	double clock_ns;
	struct fz_cache_geometry cache;
	struct fz_profile_memory memory;
	size_t nr_clears;
	struct fz_profile_clear clears[FZ_PROFILE_MAX_CLEARS];
};

/**
 * fz_profile_clear_find() - a primitive of that name
 * @profile: the machine
 * @name: exact name
 *
 * Return: the primitive, or NULL.
 */
const struct fz_profile_clear *
fz_profile_clear_find(const struct fz_profile *profile, const char *name);

/**
 * fz_profile_call_ns() - the price of one clear call
 * @clear: the primitive
 * @bytes: its length
 * @relation: to the call before it
 *
 * Return: ns; NAN if what it depends on is not known. It does not depend on the
 * bandwidth of no bytes, nor on one that no call has because of the share.
 */
double fz_profile_call_ns(const struct fz_profile_clear *clear, uint64_t bytes,
			  enum fz_relation relation);

#endif
