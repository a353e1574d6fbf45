/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What mappings that were recorded tell of faults, as in a replay. */
#ifndef FZ_TRACE_MAPPINGS_H
#define FZ_TRACE_MAPPINGS_H

#include <stdbool.h>

#include <fz/fault.h>

struct fz_population;

/**
 * struct fz_trace_mappings - zero it at the start
 * @population: of processes with mappings, but without a page
 * @failed: there was no memory for some
 */
struct fz_trace_mappings {
	struct fz_population *population;
	bool failed;
};

/* A record that is no fault. */
void fz_trace_mappings_add(struct fz_trace_mappings *mappings,
			   const struct fz_fault *record);

/* The class of a fault with an address. */
enum fz_fault_class
fz_trace_mappings_class(const struct fz_trace_mappings *mappings,
			const struct fz_fault *fault);
void fz_trace_mappings_fini(struct fz_trace_mappings *mappings);

#endif
