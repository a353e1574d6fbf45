/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes from a process what a policy does not need. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdint.h>
#include <sys/types.h>

/*
 * For a process just forked by `parent`: its own session, ended with its
 * parent, no signal handlers, no descriptors but `wire`, which becomes
 * FZ_WIRE_FD, and what it prints goes nowhere. If that fails it says so on the
 * wire and ends.
 */
void fz_confine_alone(pid_t parent, int wire);

/*
 * From here on no more than `memory_bytes` beyond what is mapped (0: no limit),
 * no core files, nothing written to files, no new processes (which does not
 * hold for root), and the system calls of call_filter.h.
 */
void fz_confine_limits(uint64_t memory_bytes);

/* After loading: nothing that was opened, and nothing is opened any more. */
void fz_confine_planning(void);

#endif
