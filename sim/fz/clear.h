/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clear primitives: the ways a CPU can zero memory. */
#ifndef FZ_CLEAR_H
#define FZ_CLEAR_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct fz_clear - one clear primitive
 * @name: name on the command line. Required.
 * @summary: one line: the instruction and who uses it. Required.
 * @unit_bytes: destination and length must be multiples of this
 * @streaming: asks for no cache lines, which on arm64 is a hint that a core may
 *	ignore; weakly ordered, so it fences once at the end of each call
 * @unsupported: NULL where it runs everywhere; else returns NULL if this CPU
 *	can run it, or a sentence why not ("the CPU has no clzero"); it may ask
 *	CPUID, which traps in a guest
 * @clear: zero [dst, dst + len_bytes); only called where supported. Required.
 */
struct fz_clear {
	const char *name;
	const char *summary;
	size_t unit_bytes;
	bool streaming;
	const char *(*unsupported)(void);
	void (*clear)(void *dst, size_t len_bytes);
};

/* NULL-terminated, in the order of the list in CMakeLists.txt. */
extern const struct fz_clear *const fz_clears[];

/**
 * fz_clear_find() - the primitive of that name
 * @name: exact name
 *
 * Return: the primitive, or NULL.
 */
const struct fz_clear *fz_clear_find(const char *name);

/**
 * fz_clear_why_unsupported() - can it run here?
 * @clear: the primitive
 *
 * Return: NULL if it can, else a sentence why not.
 */
const char *fz_clear_why_unsupported(const struct fz_clear *clear);

/**
 * fz_clear_kernel_choice() - the primitive that the kernel picks on this CPU
 *
 * x86-64 kernels pick at boot: rep stosb with ERMS, else rep stosq with
 * REP_GOOD, else the unrolled loop. REP_GOOD cannot be seen from user space,
 * and only CPUs of the first 64-bit years lack it, so the unrolled loop is
 * never the answer here.
 *
 * arm64 kernels ask in every call of clear_page(): dc zva, a block of the CPU's
 * own size each, or stnp where DCZID_EL0 prohibits that (since 5.17; older ones
 * did not look). Since 6.13 they have a third way, the set instructions of
 * FEAT_MOPS, on the CPUs with these; no primitive here does that, and the
 * answer stays dc zva.
 *
 * Elsewhere it is the portable one.
 *
 * Return: a supported primitive.
 */
const struct fz_clear *fz_clear_kernel_choice(void);

#endif
