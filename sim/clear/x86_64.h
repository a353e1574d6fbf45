/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the x86-64 clear primitives share: CPUID, and their entry elsewhere. */
#ifndef FZ_CLEAR_X86_64_H
#define FZ_CLEAR_X86_64_H

#include <stdbool.h>

#include "foreign.h"

/**
 * FZ_CLEAR_X86_64() - .unsupported and .clear of an x86-64 primitive
 * @unsupported_fn: as in struct fz_clear, on x86-64; may be NULL
 * @clear_fn: as in struct fz_clear, on x86-64
 *
 * Elsewhere neither function need exist and the entry says "needs x86-64", so
 * that one #ifdef around a file's functions is enough.
 */
#ifdef __x86_64__
#define FZ_CLEAR_X86_64(unsupported_fn, clear_fn) \
	.unsupported = (unsupported_fn), .clear = (clear_fn)
#else
#define FZ_CLEAR_X86_64(unsupported_fn, clear_fn) \
	FZ_CLEAR_FOREIGN(fz_clear_needs_x86_64)
#endif

/**
 * fz_clear_needs_x86_64() - why an x86-64 primitive does not run elsewhere
 *
 * Return: the sentence.
 */
const char *fz_clear_needs_x86_64(void);

/**
 * fz_x86_64_has_erms() - are rep movsb and rep stosb fast?
 *
 * ERMS: CPUID leaf 7, EBX bit 9. A hypervisor may hide it; rep stosb works all
 * the same. Costs up to two CPUID instructions, each of which traps on most
 * virtual machines (1 to 100 us).
 *
 * Return: false also where this is not x86-64.
 */
bool fz_x86_64_has_erms(void);

/**
 * fz_x86_64_has_clzero() - is there clzero, and does it clear 64 bytes?
 *
 * CPUID leaf 0x80000008, EBX bit 0; the line size is the one of clflush: leaf
 * 1, EBX bits 8 to 15, in units of 8 bytes. Costs up to four CPUID
 * instructions; see fz_x86_64_has_erms().
 *
 * Return: false also where this is not x86-64.
 */
bool fz_x86_64_has_clzero(void);

#endif
