/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings of all processes, as far as there is room for them. */
#ifndef FZ_MAPPINGS_H
#define FZ_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

#include "areas.h"

struct fz_mapped_process;

/**
 * struct fz_mappings - processes of which mappings are known
 * @table: those processes
 * @found: the one that was looked for last; NULL = it has none
 * @found_pid: which that was
 * @room: bytes that may still be taken
 * @nr_not_kept: mappings that there was no room for, so far
 *
 * A recording may tell of more mappings than a machine ever has: of processes
 * that never end, or whose end was lost. Those that there is no room for are
 * left out: nothing is known then of their addresses.
 */
struct fz_mappings {
	struct fz_mapped_process *table;
	struct fz_mapped_process *found;
	uint32_t found_pid;
	size_t room;
	uint64_t nr_not_kept;
};

/* None; they may take so many bytes. */
void fz_mappings_init(struct fz_mappings *mappings, size_t room);

/* Forget them all. */
void fz_mappings_fini(struct fz_mappings *mappings);

/* A process has that mapping, and none other below it; 0 or -ENOMEM. */
int fz_mappings_set(struct fz_mappings *mappings, uint32_t pid,
		    struct fz_area area);

/* A process begins with the mappings of another one, and with none if none of
 * that one are known; 0 or -ENOMEM. */
int fz_mappings_fork(struct fz_mappings *mappings, uint32_t parent,
		     uint32_t child);

/* A process has none any more. */
void fz_mappings_clear(struct fz_mappings *mappings, uint32_t pid);

/* The mapping of an address, valid until the next change; or NULL. */
const struct fz_area *fz_mappings_find(struct fz_mappings *mappings,
				       uint32_t pid, uint64_t addr);

#endif
