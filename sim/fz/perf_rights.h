/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a counter is refused, in words. */
#ifndef FZ_PERF_RIGHTS_H
#define FZ_PERF_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/perf_event.h>

/**
 * struct fz_perf_rights - what a refusal is explained with
 * @paranoid: perf_event_paranoid; INT32_MIN = unknown
 * @virtualised: the CPU says it is a guest
 * @has_pmu: cycles can be counted
 */
struct fz_perf_rights {
	int paranoid;
	bool virtualised;
	bool has_pmu;
};

/**
 * fz_perf_needs() - what is missing for a right: "perf_event_paranoid is 3;
 * needs CAP_PERFMON"
 * @buf: written
 * @cap: its size in bytes
 * @rights: the rights there are
 */
void fz_perf_needs(char *buf, size_t cap, const struct fz_perf_rights *rights);

/**
 * fz_perf_refusal() - a sentence about a counter that could not be had
 * @buf: written; it begins with the name of the error
 * @cap: its size in bytes
 * @code: -errno of opening it
 * @source: who was to count
 * @rights: the rights there are
 */
void fz_perf_refusal(char *buf, size_t cap, int code,
		     enum fz_perf_source source,
		     const struct fz_perf_rights *rights);

#endif
