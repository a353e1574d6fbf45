/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clock readings that wait for what they are to include. */
#ifndef FZ_TICKS_H
#define FZ_TICKS_H

#include <stdint.h>

#include <fz/hooks.h>

/*
 * Loads before it are done, and what follows has not begun. On arm64 the clock
 * is a system register, whose reading a dsb does not hold back; an isb does.
 */
static inline void ticks_fence_loads(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_lfence();
#elif defined(__aarch64__)
	asm volatile("dsb ishld\n\tisb" ::: "memory");
#else
	__sync_synchronize();
#endif
}

/* The clock once all loads are done. */
static inline uint64_t ticks_after_loads(const struct fz_hooks *hooks)
{
	uint64_t ticks;

	ticks_fence_loads();
	ticks = hooks->ticks(hooks->state);
	ticks_fence_loads();
	return ticks;
}

/*
 * The clock once all stores have left the store buffer. Without it a 4 KiB
 * clear seems over when it has only been issued, 20 times too fast; a fault
 * would not gain, since the return from the kernel waits.
 */
static inline uint64_t ticks_after_stores(const struct fz_hooks *hooks)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_mfence();
#elif defined(__aarch64__)
	asm volatile("dsb ish" ::: "memory");
#else
	__sync_synchronize();
#endif
	return ticks_after_loads(hooks);
}

#endif
