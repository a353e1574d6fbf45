/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every clear primitive must keep, checked against a byte-by-byte loop. */
#ifndef CLEAR_CONTRACT_H
#define CLEAR_CONTRACT_H

#include <stddef.h>

#include <fz/clear.h>

/**
 * clear_contract_entry() - is the entry well formed?
 * @clear: the primitive; need not be supported
 *
 * Return: NULL, or what is wrong.
 */
const char *clear_contract_entry(const struct fz_clear *clear);

/**
 * clear_contract_run() - does it zero what it is given and nothing else?
 * @clear: the primitive; it must run here
 * @first: [first_bytes], says what went wrong first; empty if nothing did
 * @first_bytes: its size
 *
 * Every alignment that unit_bytes allows in a window of 128 bytes, every
 * length up to ten cache lines, some around a page, a whole huge page, and
 * random ones; every alignment within a page with lengths of 0, a unit, and
 * about those of the blocks of dc zva, 16 to 2048; with guard bytes on both
 * sides.
 *
 * Return: how many calls went wrong.
 */
unsigned int clear_contract_run(const struct fz_clear *clear, char *first,
				size_t first_bytes);

/**
 * clear_contract_fences() - does it stay inside its pages?
 * @clear: the primitive; it must run here
 *
 * Clears up to the bounds of pages beside which there is nothing mapped: one
 * that reads or writes beyond is killed by SIGSEGV.
 *
 * Return: how many bytes were wrong.
 */
unsigned int clear_contract_fences(const struct fz_clear *clear);

#endif
