/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which folios of which process are there, for several folio sizes at once. */
#ifndef FZ_POPULATION_H
#define FZ_POPULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/fault.h>

/**
 * DOC: populated folios
 *
 * A folio of a size is there from its first fault on. A fault in a folio that
 * is there is one that this size saves. So with one bit for each page that
 * faulted, a folio is there if any bit in it is set, whatever its size: one
 * bitmap serves all sizes, and one pass answers for all of them.
 *
 * Memory that was freed ends this. A fault on a page that faulted before says
 * that the page was freed meanwhile; nothing says how much around it. Each size
 * then forgets the folio around the page, the larger the more, and from there
 * on a 2 MiB region has a bitmap for each size.
 *
 * Memory: sixteen 2 MiB regions side by side share an element of a hash table,
 * which with its share of the table takes less than 160 bytes. If only one of
 * them is touched, its bitmap is in there; if more are, each has one of 64
 * bytes elsewhere, but for those of which one page, or all of them, were
 * touched. A region in which something was freed takes 64 bytes more for each
 * size that was asked for (`auto` counts twice), and so does one of an `auto`
 * size that is neither one folio nor all single pages. Sizes above 2 MiB take
 * as much again for each 1 GiB region. Processes take nothing by themselves.
 * Mappings have room of their own, and those that it does not suffice for are
 * counted.
 */

#define FZ_MAX_FOLIO_CHOICES 24

/* Memory for mappings: of 350000, or of 60000 processes that share those of
 * their parent. */
#define FZ_MAPPING_BYTES ((size_t)8 << 20)

/* Mappings of a process: what Linux allows by default is 65530
 * (vm.max_map_count). */
#define FZ_PROCESS_MAPPINGS ((size_t)1 << 16)

/* 1 GiB; of `auto` 2 MiB, the largest THP. */
#define FZ_MAX_FOLIO_ORDER 18u
#define FZ_MAX_AUTO_ORDER  9u

/**
 * struct fz_folio_choice - how large a fault makes a folio
 * @order: always of so many pages, log2
 * @auto_orders: bit o: a folio of order o may be made; the largest is, that
 *lies in the mapping and in which nothing is there yet, else a single page: as
 *	THP decides. 0 = always @order
 */
struct fz_folio_choice {
	unsigned int order;
	uint32_t auto_orders;
};

/**
 * enum fz_folio_outcome - what a fault comes to
 * @FZ_FOLIO_MADE: a folio is made, and zeroed
 * @FZ_FOLIO_THERE: its folio is there: saved
 * @FZ_FOLIO_REPEAT: its page faulted before, and nothing says why
 */
enum fz_folio_outcome {
	FZ_FOLIO_MADE,
	FZ_FOLIO_THERE,
	FZ_FOLIO_REPEAT,
};

/**
 * struct fz_folio_answer - of one choice
 * @outcome: enum fz_folio_outcome
 * @order: of the folio that is made
 * @freed: the page faulted before: its folio was forgotten first
 * @unmapped: of an `auto` choice: no mapping is known, so it is a single page
 */
struct fz_folio_answer {
	uint8_t outcome;
	uint8_t order;
	bool freed;
	bool unmapped;
};

struct fz_population;

/**
 * fz_population_open() - nothing is there
 * @out: written on success
 * @choices: [@nr], copied
 * @nr: 1 to FZ_MAX_FOLIO_CHOICES
 * @unit_bytes: what each recorded fault made, a power of two of at least a
 *	page: two faults in it are a repetition
 *
 * Return: 0 or -ENOMEM.
 */
int fz_population_open(struct fz_population **out,
		       const struct fz_folio_choice *choices, size_t nr,
		       uint64_t unit_bytes);

/**
 * fz_population_close() - free it
 * @population: may be NULL
 */
void fz_population_close(struct fz_population *population);

/**
 * fz_population_fault() - a page is not there
 * @population: the population
 * @pid: process
 * @addr: user address, below 2^63
 * @says_absent: the recording says so itself, by its error code
 * @answers: written on success, one for each choice
 *
 * Return: 0 or -ENOMEM.
 */
int fz_population_fault(struct fz_population *population, uint32_t pid,
			uint64_t addr, bool says_absent,
			struct fz_folio_answer *answers);

/**
 * fz_population_clear() - a process has nothing any more: exec, exit
 * @population: the population
 * @pid: process
 */
void fz_population_clear(struct fz_population *population, uint32_t pid);

/**
 * fz_population_map() - a mapping is there
 * @population: the population
 * @pid: process
 * @start: its first address
 * @bytes: its size
 * @backing: what it maps
 *
 * It replaces what was known of those addresses. What is populated in it stays:
 * the kernel reports a mapping that grew or was protected as well as a new one.
 * Without room for it nothing is known of those addresses.
 *
 * Return: 0 or -ENOMEM.
 */
int fz_population_map(struct fz_population *population, uint32_t pid,
		      uint64_t start, uint64_t bytes,
		      enum fz_fault_backing backing);

/**
 * fz_population_fork() - a process begins with the mappings of another one
 * @population: the population
 * @parent: that one
 * @child: the new one; the parent itself has a new thread, which changes
 * nothing
 *
 * The child begins without pages: what it shares with the parent it copies when
 * it writes to it, and copies are not replayed.
 *
 * Return: 0 or -ENOMEM.
 */
int fz_population_fork(struct fz_population *population, uint32_t parent,
		       uint32_t child);

/**
 * fz_population_backing() - what is mapped at an address
 * @population: the population
 * @pid: process
 * @addr: user address
 *
 * Return: as the mapping there says; FZ_BACKING_UNKNOWN where none is known.
 */
enum fz_fault_backing fz_population_backing(struct fz_population *population,
					    uint32_t pid, uint64_t addr);

/**
 * fz_population_mappings_not_kept() - mappings that there was no room for
 * @population: the population
 *
 * Return: how many so far, those of forked processes included.
 */
uint64_t
fz_population_mappings_not_kept(const struct fz_population *population);

/**
 * fz_population_regions() - 2 MiB regions in which something is there
 * @population: the population
 *
 * Return: their number, over all processes.
 */
uint64_t fz_population_regions(const struct fz_population *population);

/**
 * fz_population_bytes() - memory taken for regions
 * @population: the population
 *
 * Return: bytes, hash tables included.
 */
uint64_t fz_population_bytes(const struct fz_population *population);

#endif
