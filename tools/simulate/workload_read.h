/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads as JSON: docs/simulating.md has their grammar. */
#ifndef FZ_WORKLOAD_READ_H
#define FZ_WORKLOAD_READ_H

#include "workload.h"

#define FZ_WORKLOAD_SCHEMA "foliosim.workload/1"

/* What is read of a file at most. */
#define FZ_WORKLOAD_MAX_BYTES ((size_t)16 << 20)

/*
 * Read and check. workload->nr_cpus, if it is not 0, is used instead of what
 * the document says; fz_workload_fini() follows also after a failure. `path`
 * is for sentences, which name the member and the reason. Return: 0; -EBADMSG,
 * another -errno of the file, -ENOMEM.
 */
int fz_workload_parse(struct fz_workload *workload, const char *path,
		      const char *text, size_t bytes, struct fz_err *err);
int fz_workload_read(struct fz_workload *workload, const char *path,
		     struct fz_err *err);

#endif
