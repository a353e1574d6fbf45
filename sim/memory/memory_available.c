// SPDX-License-Identifier: GPL-2.0-or-later
/* How much memory the machine can spare. */
#include "memory_available.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "file_lines.h"

/*
 * What stays beside a raised pool. 256 MiB hold this program, which takes
 * about 20 MiB without its buffers, and what a small system runs. A large one
 * needs its share: the caches and the work of everybody grow with memory.
 */
#define MARGIN_MIN_BYTES ((uint64_t)256 << 20)
#define MARGIN_PART      20 /* 5 % */

static bool available_take(void *arg, char *line)
{
	uint64_t *available_bytes = arg;
	uint64_t kib;

	if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) != 1)
		return true;
	if (kib < UINT64_MAX / 1024)
		*available_bytes = kib * 1024;
	return false;
}

uint64_t fz_memory_available(const struct fz_hooks *hooks)
{
	uint64_t available_bytes = UINT64_MAX;

	fz_file_lines(hooks, "/proc/meminfo", available_take, &available_bytes);
	return available_bytes;
}

struct node_memory {
	uint64_t kib;
	bool found;
};

/* "Node 0 MemFree:       22179652 kB": nodes have no line of what is available.
 */
static bool node_take(void *arg, char *line)
{
	static const char *const names[] = { "MemFree:", "Active(file):",
					     "Inactive(file):" };
	struct node_memory *memory = arg;
	char name[32];
	uint64_t kib;

	if (sscanf(line, "Node %*u %31s %" SCNu64 " kB", name, &kib) != 2 ||
	    kib > UINT64_MAX / 4096)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) != 0)
			continue;
		memory->kib += kib;
		memory->found |= i == 0;
	}
	return true;
}

uint64_t fz_memory_available_on(const struct fz_hooks *hooks, unsigned int node)
{
	struct node_memory memory = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/meminfo",
		 node);
	if (fz_file_lines(hooks, path, node_take, &memory) || !memory.found)
		return UINT64_MAX;
	return memory.kib * 1024;
}

uint64_t fz_memory_reservable(const struct fz_hooks *hooks)
{
	const uint64_t available_bytes = fz_memory_available(hooks);
	uint64_t margin_bytes = available_bytes / MARGIN_PART;

	if (available_bytes == UINT64_MAX)
		return UINT64_MAX;
	if (margin_bytes < MARGIN_MIN_BYTES)
		margin_bytes = MARGIN_MIN_BYTES;
	return available_bytes > margin_bytes ? available_bytes - margin_bytes
					      : 0;
}
