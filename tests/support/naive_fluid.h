/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fluid.h describes, done the slow way: every flow knows how many bytes it
 * has to go, and every change visits every flow. Functions are those of
 * fluid.h; running out of memory ends the process.
 */
#ifndef FZ_NAIVE_FLUID_H
#define FZ_NAIVE_FLUID_H

#include "fluid.h"

struct naive_fluid;

struct naive_fluid *naive_fluid_open(double bus_bps);
void naive_fluid_close(struct naive_fluid *fluid);
int naive_fluid_class(struct naive_fluid *fluid, double cap_bps, double cost);
fz_flow naive_fluid_begin(struct naive_fluid *fluid, uint64_t now_ns, int class,
			  double bytes, uint32_t owner);
double naive_fluid_moved(struct naive_fluid *fluid, uint64_t now_ns,
			 fz_flow flow);
void naive_fluid_retarget(struct naive_fluid *fluid, uint64_t now_ns,
			  fz_flow flow, double bytes);
double naive_fluid_stop(struct naive_fluid *fluid, uint64_t now_ns,
			fz_flow flow);
uint64_t naive_fluid_next(const struct naive_fluid *fluid);
bool naive_fluid_take(struct naive_fluid *fluid, uint64_t now_ns,
		      uint32_t *owner);
double naive_fluid_bus_bytes(struct naive_fluid *fluid, uint64_t now_ns);

#endif
