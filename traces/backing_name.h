/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mapping is, from the name that perf prints for it. */
#ifndef BACKING_NAME_H
#define BACKING_NAME_H

#include <stddef.h>

#include <fz/fault.h>

/*
 * The backing of a mapping of that name, [bytes]. Anonymous is what the kernel
 * fills with zeroes: also shared memory without a file in a file system
 * (memfd, /dev/zero, System V) and huge pages of hugetlb.
 */
enum fz_fault_backing backing_of_name(const char *name, size_t bytes);

#endif
