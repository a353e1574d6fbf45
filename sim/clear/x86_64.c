// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUID, and the entry of an x86-64 clear primitive on other CPUs. */
#include "x86_64.h"

#ifdef __x86_64__
#include <cpuid.h>

#define LEAF_7_EBX_ERMS          (1u << 9)
#define LEAF_80000008_EBX_CLZERO (1u << 0)
#define LEAF_1_EBX_LINE(ebx)     (((ebx) >> 8 & 0xff) * 8) /* bytes */

bool fz_x86_64_has_erms(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
	       (ebx & LEAF_7_EBX_ERMS);
}

bool fz_x86_64_has_clzero(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(0x80000008, &eax, &ebx, &ecx, &edx) ||
	    !(ebx & LEAF_80000008_EBX_CLZERO))
		return false;
	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) &&
	       LEAF_1_EBX_LINE(ebx) == 64;
}

#else

bool fz_x86_64_has_erms(void)
{
	return false;
}

bool fz_x86_64_has_clzero(void)
{
	return false;
}

#endif

const char *fz_clear_needs_x86_64(void)
{
	return "needs x86-64";
}
