/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One of the two fluids, so that the same code can drive both. */
#ifndef FZ_EITHER_FLUID_H
#define FZ_EITHER_FLUID_H

#include <stdlib.h>

#include "fluid.h"
#include "naive_fluid.h"

/* Exactly one of them is there. Out of memory ends the process. */
struct either_fluid {
	struct fz_fluid *fast;
	struct naive_fluid *naive;
};

static inline struct either_fluid either_open(bool fast, double bus_bps)
{
	struct either_fluid fluid = { 0 };

	if (!fast)
		fluid.naive = naive_fluid_open(bus_bps);
	else if (fz_fluid_open(&fluid.fast, bus_bps))
		abort();
	return fluid;
}

static inline void either_close(struct either_fluid fluid)
{
	if (fluid.fast)
		fz_fluid_close(fluid.fast);
	else
		naive_fluid_close(fluid.naive);
}

static inline int either_class(struct either_fluid fluid, double cap_bps,
			       double cost)
{
	return fluid.fast ? fz_fluid_class(fluid.fast, cap_bps, cost)
			  : naive_fluid_class(fluid.naive, cap_bps, cost);
}

static inline fz_flow either_begin(struct either_fluid fluid, uint64_t now_ns,
				   int class, double bytes, uint32_t owner)
{
	fz_flow flow;

	if (!fluid.fast)
		return naive_fluid_begin(fluid.naive, now_ns, class, bytes,
					 owner);
	if (fz_fluid_begin(fluid.fast, now_ns, class, bytes, owner, &flow))
		abort();
	return flow;
}

static inline double either_moved(struct either_fluid fluid, uint64_t now_ns,
				  fz_flow flow)
{
	return fluid.fast ? fz_fluid_moved(fluid.fast, now_ns, flow)
			  : naive_fluid_moved(fluid.naive, now_ns, flow);
}

static inline void either_retarget(struct either_fluid fluid, uint64_t now_ns,
				   fz_flow flow, double bytes)
{
	if (fluid.fast)
		fz_fluid_retarget(fluid.fast, now_ns, flow, bytes);
	else
		naive_fluid_retarget(fluid.naive, now_ns, flow, bytes);
}

static inline double either_stop(struct either_fluid fluid, uint64_t now_ns,
				 fz_flow flow)
{
	return fluid.fast ? fz_fluid_stop(fluid.fast, now_ns, flow)
			  : naive_fluid_stop(fluid.naive, now_ns, flow);
}

static inline uint64_t either_next(struct either_fluid fluid)
{
	return fluid.fast ? fz_fluid_next(fluid.fast)
			  : naive_fluid_next(fluid.naive);
}

static inline bool either_take(struct either_fluid fluid, uint64_t now_ns,
			       uint32_t *owner)
{
	return fluid.fast ? fz_fluid_take(fluid.fast, now_ns, owner)
			  : naive_fluid_take(fluid.naive, now_ns, owner);
}

static inline double either_bus_bytes(struct either_fluid fluid,
				      uint64_t now_ns)
{
	return fluid.fast ? fz_fluid_bus_bytes(fluid.fast, now_ns)
			  : naive_fluid_bus_bytes(fluid.naive, now_ns);
}

#endif
