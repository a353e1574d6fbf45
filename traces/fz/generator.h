/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generator of traces: in which order an access pattern touches pages. */
#ifndef FZ_GENERATOR_H
#define FZ_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/fault.h>
#include <fz/random.h>

/**
 * DOC: generators
 *
 * A generated trace is what threads of processes do that each write to a region
 * of their own: the first write to a page is a fault, the others are none.
 * Processes have an address space each, with the region at the same address.
 * The threads of a process divide its region evenly.
 *
 * What one thread does is a *walk* over its pages: access number 0, 1, 2... A
 * generator says which page an access touches, as a pure function of its
 * number. Chance comes from Philox streams of the walk (random.h), so that a
 * walk is the same with any other number of processes beside it.
 */

/**
 * enum fz_arrival - when a thread faults
 * @FZ_ARRIVAL_FLAT_OUT: as fast as it can: a fault takes 500 ns and its zeroes
 *	10 bytes a ns
 * @FZ_ARRIVAL_FIXED: at a fixed rate
 * @FZ_ARRIVAL_POISSON: at random, at a mean rate
 */
enum fz_arrival {
	FZ_ARRIVAL_FLAT_OUT,
	FZ_ARRIVAL_FIXED,
	FZ_ARRIVAL_POISSON,
};

/**
 * struct fz_generator_params - what is to be generated
 * @region_bytes: of each process; a multiple of @page_bytes
 * @page_bytes: what one fault maps: a power of two, at least 4096
 * @base_addr: where the region begins; a multiple of @page_bytes
 * @stride_bytes: between accesses of a stride: a multiple of @page_bytes; 0 =
 *16 pages
 * @nr_faults: the trace ends there; 0 = where the walks end
 * @nr_accesses: of each thread. 0 = until every page is touched; where accesses
 *	repeat and there is no @nr_faults, as many as there are pages
 * @rate_per_s: faults of each thread in a second; not used flat out
 * @zipf_exponent: 0 = all pages are equally likely
 * @hot_share: share of the pages that are hot
 * @hot_weight: share of the accesses that go to them
 * @seed: of everything random
 * @nr_processes: at least 1
 * @nr_threads: of each process, at least 1
 * @arrival: when threads fault
 * @event: FZ_EVENT_USER_FAULT, or FZ_EVENT_PAGE_FAULTS: that one has no error
 *	code
 */
struct fz_generator_params {
	uint64_t region_bytes;
	uint64_t page_bytes;
	uint64_t base_addr;
	uint64_t stride_bytes;
	uint64_t nr_faults;
	uint64_t nr_accesses;
	uint64_t rate_per_s;
	double zipf_exponent;
	double hot_share;
	double hot_weight;
	uint64_t seed;
	uint32_t nr_processes;
	uint32_t nr_threads;
	enum fz_arrival arrival;
	enum fz_event event;
};

/**
 * struct fz_walk - one thread's pages
 * @nr_pages: at least 1
 * @params: checked
 * @stream: Philox stream of random numbers for accesses: fz_walk_random()
 * @setup_stream: of those that begin draws
 * @state: what begin wrote
 */
struct fz_walk {
	uint64_t nr_pages;
	const struct fz_generator_params *params;
	uint64_t stream;
	uint64_t setup_stream;
	const void *state;
};

/**
 * fz_walk_random() - what is random about an access
 * @walk: the walk
 * @access: number of the access
 *
 * Return: a place with 256 values before those of the next access.
 */
struct fz_random fz_walk_random(const struct fz_walk *walk, uint64_t access);

/**
 * enum fz_generator_uses - parameters that not every generator uses
 * @FZ_USES_STRIDE: stride_bytes
 * @FZ_USES_ZIPF: zipf_exponent
 * @FZ_USES_HOT: hot_share and hot_weight
 * @FZ_USES_SEED: seed, also where arrivals are not random
 */
enum fz_generator_uses {
	FZ_USES_STRIDE = 1 << 0,
	FZ_USES_ZIPF = 1 << 1,
	FZ_USES_HOT = 1 << 2,
	FZ_USES_SEED = 1 << 3,
};

/**
 * struct fz_generator - one access pattern
 * @name: name on the command line. Required.
 * @summary: one line. Required.
 * @comm: name of the tasks, at most 15 bytes; NULL = as much of @name
 * @uses: enum fz_generator_uses
 * @page_bytes: default size of a page; 0 = 4096
 * @nr_processes: default number; 0 = 1
 * @repeats: accesses may come back to a page, and all numbers are good;
 *	otherwise the numbers below nr_pages touch each page exactly once, and
 *	no others are asked for
 * @state_bytes: size of a walk's state
 * @begin: writes the zeroed @state of a walk; may be NULL
 * @page: the page, below nr_pages, that access number @access touches.
 *Required.
 */
struct fz_generator {
	const char *name;
	const char *summary;
	const char *comm;
	unsigned int uses;
	uint64_t page_bytes;
	uint32_t nr_processes;
	bool repeats;
	size_t state_bytes;
	void (*begin)(void *state, const struct fz_walk *walk);
	uint64_t (*page)(const struct fz_walk *walk, uint64_t access);
};

/* NULL-terminated, in the order of the list in CMakeLists.txt. */
extern const struct fz_generator *const fz_generators[];

/**
 * fz_generator_find() - the generator of that name
 * @name: exact name
 *
 * Return: the generator, or NULL.
 */
const struct fz_generator *fz_generator_find(const char *name);

/**
 * fz_generator_defaults() - what is generated when nothing is said
 * @generator: the generator
 *
 * Return: 1 GiB for each process at 16 TiB, by one thread each, flat out;
 * exponent 1; 90 % of the accesses to 10 % of the pages.
 */
struct fz_generator_params
fz_generator_defaults(const struct fz_generator *generator);

#endif
