// SPDX-License-Identifier: GPL-2.0-or-later
/* Ticks are worked out within their second: 1/hz need not be whole ns. */
#include "kernel_tick.h"

#define NS_PER_S 1000000000ull

uint64_t fz_ns_after(uint64_t ns, uint64_t later_ns)
{
	return later_ns > FZ_NEVER_NS - ns ? FZ_NEVER_NS : ns + later_ns;
}

uint64_t fz_tick_after(unsigned int hz, uint64_t ns)
{
	const uint64_t in_second_ns = ns % NS_PER_S;
	const uint64_t tick = in_second_ns * hz / NS_PER_S + 1;

	return fz_ns_after(ns - in_second_ns, (tick * NS_PER_S + hz - 1) / hz);
}
