/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory bandwidth that flows share like a fluid. */
#ifndef FZ_FLUID_H
#define FZ_FLUID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: the fluid
 *
 * Flows move bytes through one bus. Each belongs to a class, which says how
 * fast one flow is alone (cap, bytes/s) and how many bytes on the bus each of
 * its bytes costs. All flows of a class are equally fast at any time. If all at
 * their cap fit on the bus they run at their cap. Else the bus is shared
 * max-min fairly: there is a level w so that a flow uses min(cap * cost, w) of
 * the bus, and the bus is full.
 *
 * Each class has one virtual clock: bytes that a flow of it moved since the
 * start. A flow that begins with r bytes to go ends when the clock of its class
 * has advanced by r; what the clock shows then is its tag. So a change (a flow
 * begins, ends, is stopped) costs O(classes + log flows): clocks advance,
 * speeds are worked out anew, and one heap changes.
 *
 * Times are ns and whole. A flow ends at the first ns at which all of its bytes
 * are moved, and has its share of the bus until then, though it moves no byte
 * too many. FZ_FLUID_ROUNDING bytes to go are none: a clock is a double, and
 * 1000 bytes at 1 byte a ns take 1000 ns whenever they begin. The clock is not
 * set to the tag then, which would make the rounding of one flow a loss or a
 * gift to the others; it starts at 0 again when its class has no flow.
 *
 * Time does not go back, nor beyond fz_fluid_next(): who ends is taken first.
 * Changes, and nothing else, decide what follows, to the last bit; questions
 * (moved, next, bus_bytes) may be asked at any time in between.
 */

/*
 * 2^-10. Clocks have finer steps up to 2^42 bytes (4 TiB). Less than 1 ns of a
 * flow that has at least 1 MB/s.
 */
#define FZ_FLUID_ROUNDING 0x1p-10

#define FZ_FLUID_MAX_CLASSES 64

struct fz_fluid;

/* Handles of flows are small numbers, used again after their end. */
typedef uint32_t fz_flow;

#define FZ_NO_FLOW UINT32_MAX

/**
 * fz_fluid_open() - a bus without flows, at time 0
 * @out: written on success
 * @bus_bps: bytes a second
 *
 * Return: 0 or -ENOMEM.
 */
int fz_fluid_open(struct fz_fluid **out, double bus_bps);

/**
 * fz_fluid_close() - free it
 * @fluid: may be NULL
 */
void fz_fluid_close(struct fz_fluid *fluid);

/**
 * fz_fluid_class() - the class with that cap and cost
 * @fluid: the bus
 * @cap_bps: bytes a second of one flow alone, above 0
 * @cost: bytes on the bus a byte, above 0
 *
 * Return: its index, new if need be; -ENOSPC with FZ_FLUID_MAX_CLASSES others.
 */
int fz_fluid_class(struct fz_fluid *fluid, double cap_bps, double cost);

/**
 * fz_fluid_begin() - a flow begins
 * @fluid: the bus
 * @now_ns: the time, never before an earlier one
 * @class: its class
 * @bytes: to move, above 0
 * @owner: what fz_fluid_take() says when it ends
 * @flow: written on success
 *
 * Return: 0 or -ENOMEM.
 */
int fz_fluid_begin(struct fz_fluid *fluid, uint64_t now_ns, int class,
		   double bytes, uint32_t owner, fz_flow *flow);

/**
 * fz_fluid_moved() - what a flow has moved since it began
 * @fluid: the bus
 * @now_ns: the time
 * @flow: the flow
 *
 * Return: bytes.
 */
double fz_fluid_moved(struct fz_fluid *fluid, uint64_t now_ns, fz_flow flow);

/**
 * fz_fluid_retarget() - let a flow end earlier or later
 * @fluid: the bus
 * @now_ns: the time
 * @flow: the flow, which may have ended at @now_ns as long as it is not taken
 * @bytes: to move in all since it began; not above what it has moved: it ends
 *	now
 */
void fz_fluid_retarget(struct fz_fluid *fluid, uint64_t now_ns, fz_flow flow,
		       double bytes);

/**
 * fz_fluid_stop() - a flow stops before its end
 * @fluid: the bus
 * @now_ns: the time
 * @flow: the flow, gone afterwards; it may have ended at @now_ns as long as it
 *	is not taken
 *
 * Return: bytes that it moved.
 */
double fz_fluid_stop(struct fz_fluid *fluid, uint64_t now_ns, fz_flow flow);

/**
 * fz_fluid_next() - when does a flow end next?
 * @fluid: the bus
 *
 * Return: the time in ns; UINT64_MAX without flows, or if it is 292 years away.
 * It holds until the next change.
 */
uint64_t fz_fluid_next(const struct fz_fluid *fluid);

/**
 * fz_fluid_take() - a flow that has ended by now
 * @fluid: the bus
 * @now_ns: the time
 * @owner: written if there is one; of several the one that began first
 *
 * The flow is gone then. Call it until there is none; flows may begin, stop and
 * get another target in between.
 *
 * Return: true if there was one.
 */
bool fz_fluid_take(struct fz_fluid *fluid, uint64_t now_ns, uint32_t *owner);

/**
 * fz_fluid_bus_bytes() - bytes on the bus so far
 * @fluid: the bus
 * @now_ns: the time
 *
 * Return: bytes, never more than bus_bps times the time, but for rounding.
 */
double fz_fluid_bus_bytes(struct fz_fluid *fluid, uint64_t now_ns);

#endif
