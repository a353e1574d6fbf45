/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happened on each CPU, as a file that trace viewers open. */
#ifndef FZ_TIMELINE_H
#define FZ_TIMELINE_H

#include <stddef.h>

#include <fz/simulate.h>

/**
 * DOC: timelines
 *
 * An array of trace events in JSON, as Perfetto and chrome://tracing read them:
 * for each thing that a CPU did for a while an event "X", for each wake-up one
 * "i" where the task was woken, which says how long it waited. pid 0 is the
 * machine, tid a CPU; ts and dur are in us. It is written while the simulation
 * goes on.
 */
struct fz_timeline;

/*
 * Begin a file, '-' is standard output; `title` names the machine. Return:
 * FZ_EXIT_DONE, or FZ_EXIT_FAILED after a complaint.
 */
int fz_timeline_open(struct fz_timeline **out, const char *path,
		     const char *title, const struct fz_sim_task *tasks);

/* Who writes it; the timeline must outlive the simulation. */
struct fz_sim_observer fz_timeline_observer(struct fz_timeline *timeline);

/*
 * End the array and close the file; NULL is fine. Return: FZ_EXIT_DONE, or
 * FZ_EXIT_FAILED after a complaint about anything that could not be written.
 */
int fz_timeline_close(struct fz_timeline *timeline);

#endif
