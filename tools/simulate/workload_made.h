/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads that are built in. */
#ifndef FZ_WORKLOAD_MADE_H
#define FZ_WORKLOAD_MADE_H

#include "workload.h"

/* Names of the workloads; NULL behind the last. */
const char *fz_workload_name_at(size_t i);

/*
 * anon-w-seq of vm-scalability: on each of workload->nr_cpus CPUs a process
 * that writes so many bytes in order, a folio at a time: it faults at its first
 * page, then writes all of it. bytes is a multiple of folio_bytes. Return: 0 or
 * -ENOMEM.
 */
int fz_workload_make_anon(struct fz_workload *workload, uint64_t bytes,
			  uint64_t folio_bytes);

/*
 * On each CPU a task that is woken at random instants, interval_ns apart in the
 * mean, and computes for a moment; of real time with the highest priority. They
 * come before the tasks that there are, so that all begin by going to sleep.
 * Return: 0 or -ENOMEM.
 */
int fz_workload_add_wakers(struct fz_workload *workload,
			   enum fz_sim_class class, uint64_t interval_ns);

#endif
