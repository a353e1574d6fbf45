// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes by number, and the memory that their mappings may take. */
#include "mappings.h"

#include <errno.h>
#include <stdlib.h>

#include "hash.h"

struct fz_mapped_process {
	uint32_t pid;
	struct fz_areas *areas;
	UT_hash_handle hh;
};

/* With its share of the hash table, and what malloc() adds. */
#define PROCESS_BYTES (sizeof(struct fz_mapped_process) + 64)

void fz_mappings_init(struct fz_mappings *mappings, size_t room)
{
	*mappings = (struct fz_mappings){ .room = room };
}

static void drop(struct fz_mappings *mappings,
		 struct fz_mapped_process *process)
{
	mappings->found = NULL;
	mappings->found_pid = process->pid;
	HASH_DEL(mappings->table, process);
	fz_areas_leave(&process->areas, &mappings->room);
	mappings->room += PROCESS_BYTES;
	free(process);
}

void fz_mappings_fini(struct fz_mappings *mappings)
{
	struct fz_mapped_process *process, *next;

	HASH_ITER (hh, mappings->table, process, next)
		drop(mappings, process);
}

static struct fz_mapped_process *find(struct fz_mappings *mappings,
				      uint32_t pid)
{
	if (pid == mappings->found_pid)
		return mappings->found;
	mappings->found_pid = pid;
	HASH_FIND(hh, mappings->table, &pid, sizeof(pid), mappings->found);
	return mappings->found;
}

/* The process, new if need be; 0, -ENOMEM, or -ENOSPC without room. */
static int get(struct fz_mappings *mappings, uint32_t pid,
	       struct fz_mapped_process **out)
{
	struct fz_mapped_process *process = find(mappings, pid);

	*out = process;
	if (process)
		return 0;
	if (mappings->room < PROCESS_BYTES)
		return -ENOSPC;
	process = calloc(1, sizeof(*process));
	if (!process)
		return -ENOMEM;
	process->pid = pid;
	HASH_ADD(hh, mappings->table, pid, sizeof(process->pid), process);
	if (!process->hh.tbl) {
		free(process);
		return -ENOMEM;
	}
	mappings->room -= PROCESS_BYTES;
	*out = mappings->found = process;
	return 0;
}

/* What was known of those addresses is not true any more. */
static void leave_out(struct fz_mappings *mappings,
		      struct fz_mapped_process *process, struct fz_area area)
{
	mappings->nr_not_kept++;
	if (!process)
		return;
	if (process->areas && process->areas->nr_users == 1) {
		fz_areas_cut(process->areas, area.start, area.end);
		return;
	}
	mappings->nr_not_kept += process->areas ? process->areas->nr : 0;
	drop(mappings, process);
}

int fz_mappings_set(struct fz_mappings *mappings, uint32_t pid,
		    struct fz_area area)
{
	struct fz_mapped_process *process;
	int code;

	if (area.start >= area.end)
		return 0;
	code = get(mappings, pid, &process);
	if (!code)
		code = fz_areas_set(&process->areas, area, &mappings->room);
	if (code != -ENOSPC)
		return code;
	leave_out(mappings, process, area);
	return 0;
}

/* A process has those of another one; 0 or -ENOMEM. */
static int share(struct fz_mappings *mappings, uint32_t pid,
		 struct fz_areas *areas)
{
	struct fz_mapped_process *process;
	const int code = get(mappings, pid, &process);

	if (code == -ENOSPC) {
		mappings->nr_not_kept += areas->nr;
		return 0;
	}
	if (code)
		return code;
	fz_areas_leave(&process->areas, &mappings->room);
	process->areas = fz_areas_share(areas);
	return 0;
}

int fz_mappings_fork(struct fz_mappings *mappings, uint32_t parent,
		     uint32_t child)
{
	const struct fz_mapped_process *from = find(mappings, parent);

	if (parent == child)
		return 0;
	if (from && from->areas)
		return share(mappings, child, from->areas);
	/* The end of the process that had the number before may be lost. */
	fz_mappings_clear(mappings, child);
	return 0;
}

void fz_mappings_clear(struct fz_mappings *mappings, uint32_t pid)
{
	struct fz_mapped_process *process = find(mappings, pid);

	if (process)
		drop(mappings, process);
}

const struct fz_area *fz_mappings_find(struct fz_mappings *mappings,
				       uint32_t pid, uint64_t addr)
{
	const struct fz_mapped_process *process = find(mappings, pid);

	return process ? fz_areas_find(process->areas, addr) : NULL;
}
