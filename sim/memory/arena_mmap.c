// SPDX-License-Identifier: GPL-2.0-or-later
/* The arena without jemalloc: power-of-two free lists over one mapping. */
#include <fz/arena.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Block sizes 2^6 … 2^47 bytes, header included. */
#define ARENA_MIN_SHIFT 6
#define ARENA_MAX_SHIFT 47

/* Stands before each allocation; its size keeps the 64-byte alignment. */
struct block {
	struct block *next;
	unsigned int shift;
	char pad[64 - sizeof(struct block *) - sizeof(unsigned int)];
};
_Static_assert(sizeof(struct block) == 64, "header breaks the alignment");

struct fz_arena {
	char *base;
	size_t bytes;
	size_t used;
	struct block *free[ARENA_MAX_SHIFT + 1];
};

int fz_arena_open(struct fz_arena **out, size_t bytes, struct fz_err *err)
{
	struct fz_arena *arena = calloc(1, sizeof(*arena));

	if (!arena)
		return fz_err_set(err, -ENOMEM, "out of memory");
	/* Rounding up to a power of two can double what is asked for. */
	arena->bytes = 2 * bytes + ((size_t)1 << 20);
	arena->base = mmap(NULL, arena->bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (arena->base == MAP_FAILED) {
		fz_err_set(err, -ENOMEM, "cannot map %zu bytes for records",
			   arena->bytes);
		free(arena);
		return -ENOMEM;
	}
	*out = arena;
	return 0;
}

void fz_arena_close(struct fz_arena *arena)
{
	if (!arena)
		return;
	munmap(arena->base, arena->bytes);
	free(arena);
}

static unsigned int block_shift(size_t bytes)
{
	unsigned int shift = ARENA_MIN_SHIFT;

	while (((size_t)1 << shift) < bytes + sizeof(struct block))
		shift++;
	return shift;
}

void *fz_arena_alloc(struct fz_arena *arena, size_t bytes)
{
	const unsigned int shift = block_shift(bytes);
	struct block *block = arena->free[shift];

	if (block) {
		arena->free[shift] = block->next;
		return block + 1;
	}
	if (arena->bytes - arena->used < (size_t)1 << shift)
		return NULL;
	block = (struct block *)(arena->base + arena->used);
	block->shift = shift;
	arena->used += (size_t)1 << shift;
	return block + 1;
}

void fz_arena_free(struct fz_arena *arena, void *memory)
{
	struct block *block = memory;

	if (!block)
		return;
	block--;
	block->next = arena->free[block->shift];
	arena->free[block->shift] = block;
}
