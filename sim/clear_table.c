// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of clear primitives, and the kernel's choice among them. */
#include <fz/clear.h>

#include <string.h>

#include "clear/x86_64.h"

#define X(word) extern const struct fz_clear fz_clear_##word;
#include "clear_list.h"
#undef X

#define X(word) &fz_clear_##word,
const struct fz_clear *const fz_clears[] = {
#include "clear_list.h"
	NULL,
};
#undef X

const struct fz_clear *fz_clear_find(const char *name)
{
	for (const struct fz_clear *const *clear = fz_clears; *clear; clear++) {
		if (strcmp((*clear)->name, name) == 0)
			return *clear;
	}
	return NULL;
}

const char *fz_clear_why_unsupported(const struct fz_clear *clear)
{
	return clear->unsupported ? clear->unsupported() : NULL;
}

/*
 * REP_GOOD is no CPUID bit but the kernel's own judgement. Of the x86-64 CPUs
 * only the NetBurst ones and the first steppings of K8 lack it and get the
 * unrolled loop; those are taken for REP_GOOD here. Nor does CPUID tell that
 * firmware switched fast strings off or that the command line says
 * clearcpuid=erms: then too the kernel does not pick rep stosb.
 */
static const struct fz_clear *x86_64_choice(void)
{
	return fz_x86_64_has_erms() ? &fz_clear_stosb : &fz_clear_stosq;
}

/*
 * DZP prohibits dc zva here if the hypervisor does, as for the kernel, or if
 * the kernel forbids it to user space, which Linux does not.
 */
static const struct fz_clear *arm64_choice(void)
{
	return fz_clear_why_unsupported(&fz_clear_dc_zva) ? &fz_clear_stnp
							  : &fz_clear_dc_zva;
}

const struct fz_clear *fz_clear_kernel_choice(void)
{
	if (!fz_clear_why_unsupported(&fz_clear_stosq))
		return x86_64_choice();
	if (!fz_clear_why_unsupported(&fz_clear_stnp))
		return arm64_choice();
	return &fz_clear_portable;
}
