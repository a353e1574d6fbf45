// SPDX-License-Identifier: GPL-2.0-or-later
/* The arena as a jemalloc arena whose extents come from one populated map. */
#include <fz/arena.h>

#include <errno.h>
#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>

/* jemalloc takes its own metadata of a new arena from the same hooks, in 2 MiB
 * blocks, and rounds allocations up to a size class, a quarter at most. */
#define ARENA_SLACK_BYTES ((size_t)8 << 20)

struct fz_arena {
	extent_hooks_t hooks; /* first: the hooks find the arena through it */
	char *base;
	size_t bytes;
	size_t used;
	unsigned int index;
};

static void *extent_alloc(extent_hooks_t *hooks, void *wanted, size_t bytes,
			  size_t alignment, bool *zero, bool *commit,
			  unsigned int index)
{
	struct fz_arena *arena = (struct fz_arena *)hooks;
	const uintptr_t free_at = (uintptr_t)arena->base + arena->used;
	const size_t start = ((free_at + alignment - 1) & ~(alignment - 1)) -
			     (uintptr_t)arena->base;

	(void)index;
	if (wanted || start > arena->bytes || arena->bytes - start < bytes)
		return NULL;
	arena->used = start + bytes;
	*zero = true; /* never handed out before, and MAP_ANONYMOUS */
	*commit = true;
	return arena->base + start;
}

/* true tells jemalloc "not done": it keeps the extent, populated. */
static bool extent_keep(extent_hooks_t *hooks, void *addr, size_t bytes,
			bool committed, unsigned int index)
{
	(void)hooks, (void)addr, (void)bytes, (void)committed, (void)index;
	return true;
}

static bool extent_split(extent_hooks_t *hooks, void *addr, size_t bytes,
			 size_t bytes_a, size_t bytes_b, bool committed,
			 unsigned int index)
{
	(void)hooks, (void)addr, (void)bytes, (void)bytes_a, (void)bytes_b;
	(void)committed, (void)index;
	return false;
}

static bool extent_merge(extent_hooks_t *hooks, void *addr_a, size_t bytes_a,
			 void *addr_b, size_t bytes_b, bool committed,
			 unsigned int index)
{
	(void)hooks, (void)addr_a, (void)bytes_a, (void)addr_b, (void)bytes_b;
	(void)committed, (void)index;
	return false;
}

static int arena_create(struct fz_arena *arena)
{
	extent_hooks_t *hooks = &arena->hooks;
	size_t index_bytes = sizeof(arena->index);

	arena->hooks = (extent_hooks_t){
		.alloc = extent_alloc,
		.dalloc = extent_keep,
		.split = extent_split,
		.merge = extent_merge,
	};
	return -mallctl("arenas.create", &arena->index, &index_bytes, &hooks,
			sizeof(hooks));
}

/*
 * Plans are built with malloc() between timed sections. Pages that jemalloc
 * would hand back to the kernel after some seconds came back as page faults.
 * Once, by the first thread: jemalloc cannot do it while another thread is just
 * getting an arena. Those that come later are born so.
 */
static void keep_freed_pages(void)
{
	ssize_t never = -1;
	char dirty[64], muzzy[64];

	snprintf(dirty, sizeof(dirty), "arena.%u.dirty_decay_ms",
		 (unsigned int)MALLCTL_ARENAS_ALL);
	snprintf(muzzy, sizeof(muzzy), "arena.%u.muzzy_decay_ms",
		 (unsigned int)MALLCTL_ARENAS_ALL);
	mallctl(dirty, NULL, NULL, &never, sizeof(never));
	mallctl(muzzy, NULL, NULL, &never, sizeof(never));
	mallctl("arenas.dirty_decay_ms", NULL, NULL, &never, sizeof(never));
	mallctl("arenas.muzzy_decay_ms", NULL, NULL, &never, sizeof(never));
}

int fz_arena_open(struct fz_arena **out, size_t bytes, struct fz_err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct fz_arena *arena = calloc(1, sizeof(*arena));
	int code;

	if (!arena)
		return fz_err_set(err, -ENOMEM, "out of memory");
	arena->bytes = bytes + bytes / 4 + ARENA_SLACK_BYTES;
	arena->base = mmap(NULL, arena->bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (arena->base == MAP_FAILED) {
		code = fz_err_set(err, -ENOMEM,
				  "cannot map %zu bytes for records",
				  arena->bytes);
		goto out_free;
	}
	code = arena_create(arena);
	if (code) {
		fz_err_set(err, code, "jemalloc: cannot create an arena");
		goto out_unmap;
	}
	pthread_once(&once, keep_freed_pages);
	*out = arena;
	return 0;

out_unmap:
	munmap(arena->base, arena->bytes);
out_free:
	free(arena);
	return code;
}

void fz_arena_close(struct fz_arena *arena)
{
	char name[64];

	if (!arena)
		return;
	snprintf(name, sizeof(name), "arena.%u.destroy", arena->index);
	mallctl(name, NULL, NULL, NULL, 0);
	munmap(arena->base, arena->bytes);
	free(arena);
}

static int arena_flags(const struct fz_arena *arena)
{
	return (int)(MALLOCX_ARENA(arena->index)) | MALLOCX_TCACHE_NONE;
}

void *fz_arena_alloc(struct fz_arena *arena, size_t bytes)
{
	return mallocx(bytes, arena_flags(arena) | MALLOCX_ALIGN(64));
}

void fz_arena_free(struct fz_arena *arena, void *memory)
{
	if (memory)
		dallocx(memory, arena_flags(arena));
}
