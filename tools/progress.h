/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress bar on a terminal. */
#ifndef FZ_PROGRESS_H
#define FZ_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/row.h>

/* Quiet unless stderr is a terminal. */
struct fz_progress {
	bool is_terminal;
	unsigned int percent; /* shown last */
	bool shown;
};

void fz_progress_init(struct fz_progress *progress);

/* So much of a whole is done, at most all of it; at what. */
void fz_progress_show(struct fz_progress *progress, uint64_t done,
		      uint64_t total, const char *what);

/* Suits struct fz_experiment's progress; state is a struct fz_progress. */
void fz_progress_step(void *state, size_t done, size_t total,
		      const struct fz_row *row);

/* Wipe the bar. */
void fz_progress_end(struct fz_progress *progress);

#endif
