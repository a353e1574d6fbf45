/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording that perf makes and prints. */
#ifndef FZ_PERF_RECORDING_H
#define FZ_PERF_RECORDING_H

#include <stdbool.h>

#include <fz/fault_source.h>

struct fz_perf_recording;

/* NULL after a complaint. */
struct fz_perf_recording *fz_perf_recording_new(void);
void fz_perf_recording_free(struct fz_perf_recording *recording);

/* Can perf record page faults here? If not, says why. */
bool fz_perf_recording_is_possible(struct fz_perf_recording *recording);

/*
 * Run a command and record its faults; its standard output goes to `out_fd`,
 * -1 = to ours. Return: true if there is a recording, whatever became of the
 * command, which is told; false after a complaint.
 */
bool fz_perf_recording_make(struct fz_perf_recording *recording,
			    const char *const *argv, int out_fd);

/* Let perf print it; a source of its records, or false after a complaint. */
bool fz_perf_recording_read(struct fz_perf_recording *recording,
			    struct fz_fault_source *source);

/* What was not used of what perf printed, to standard error. */
void fz_perf_recording_complain(const struct fz_perf_recording *recording);

#endif
