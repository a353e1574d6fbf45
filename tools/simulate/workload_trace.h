/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded faults as tasks: each process takes its own at their times. */
#ifndef FZ_WORKLOAD_TRACE_H
#define FZ_WORKLOAD_TRACE_H

#include <fz/replay.h>

#include "workload.h"

/*
 * Collects the folios that a replay makes. Each process becomes a task, in the
 * order of their first faults on one CPU after the other; it sleeps until the
 * recorded time of each fault, counted from the first one of all. Faults
 * without a time come one after the other.
 */
struct fz_workload_trace;

/* Return: 0 or -ENOMEM. */
int fz_workload_trace_open(struct fz_workload_trace **out);

/* May be NULL. */
void fz_workload_trace_close(struct fz_workload_trace *trace);

/* Where folios are collected. */
struct fz_folio_sink fz_workload_trace_sink(struct fz_workload_trace *trace);

/*
 * Make tasks of all that was collected, on workload->nr_cpus CPUs. first_ns is
 * the time that they begin at. Once. Return: 0 or -ENOMEM.
 */
int fz_workload_trace_finish(struct fz_workload_trace *trace,
			     struct fz_workload *workload, uint64_t first_ns);

#endif
