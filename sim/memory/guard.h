/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Touching memory that may turn out not to be there. */
#ifndef FZ_SIM_GUARD_H
#define FZ_SIM_GUARD_H

/**
 * fz_guarded() - run a function; a SIGBUS inside it becomes an error
 * @body: what to run; it is left in the middle of a memory access on failure,
 *	so it must hold no lock and no memory of its own
 * @arg: handed to @body
 *
 * mmap() of huge pages may succeed and the first touch still fail, when a
 * hugetlb cgroup limit is hit or a reserved page turns out to be lost: the
 * kernel then sends SIGBUS. Several threads may be guarded at once and guards
 * nest. The handler that was installed before is back when the last of them is
 * done; a SIGBUS of a thread that is not guarded still goes to it. Costs three
 * or four system calls: guard a round, not a touch.
 *
 * Return: 0, or -EFAULT when @body touched memory that the kernel could not
 * supply.
 */
int fz_guarded(void (*body)(void *), void *arg);

#endif
