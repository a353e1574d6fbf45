/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several sources of faults as one, in order of time. */
#ifndef FZ_FAULT_MERGE_H
#define FZ_FAULT_MERGE_H

#include <stddef.h>

#include <fz/err.h>
#include <fz/fault_source.h>

struct fz_fault_merge;

/**
 * fz_fault_merge_open() - nothing is read yet
 * @out: written on success
 * @sources: [@nr], copied; their states must outlive the merge
 * @nr: at least 1
 *
 * Return: 0 or -ENOMEM.
 */
int fz_fault_merge_open(struct fz_fault_merge **out,
			const struct fz_fault_source *sources, size_t nr);

/**
 * fz_fault_merge_close() - free it
 * @merge: may be NULL
 */
void fz_fault_merge_close(struct fz_fault_merge *merge);

/**
 * fz_fault_merge_source() - all records in order of time
 * @merge: must outlive the source
 *
 * Each source's records keep their order; of those with the same time the ones
 * of the source named first come first. A record without a time follows the
 * one before it. An error of any source ends the merge.
 *
 * Return: the source.
 */
struct fz_fault_source fz_fault_merge_source(struct fz_fault_merge *merge);

#endif
