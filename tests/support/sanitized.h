/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is this a build with a sanitizer that keeps shadow memory, or emulated? */
#ifndef FZ_SANITIZED_H
#define FZ_SANITIZED_H

/* Such a build is slow, takes page faults of its own, and adds code. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FZ_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FZ_SANITIZED 1
#endif
#endif
#ifndef FZ_SANITIZED
#define FZ_SANITIZED 0
#endif

/*
 * The build says 1 where an emulator runs the tests. It is slow too, and the
 * kernel's word on mappings and page faults is about the emulator.
 */
#ifndef FZ_EMULATED
#define FZ_EMULATED 0
#endif

#endif
