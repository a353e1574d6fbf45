// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws progress on standard error. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define BAR_COLUMNS 40u

void fz_progress_init(struct fz_progress *progress)
{
	*progress = (struct fz_progress){ .is_terminal = isatty(2) };
}

void fz_progress_show(struct fz_progress *progress, uint64_t done,
		      uint64_t total, const char *what)
{
	const unsigned int percent =
		total ? (unsigned int)(100.0 * (double)done / (double)total)
		      : 0;
	const unsigned int filled = percent * BAR_COLUMNS / 100;

	if (!progress->is_terminal ||
	    (progress->shown && percent == progress->percent))
		return;
	progress->percent = percent;
	progress->shown = true;
	fprintf(stderr, "\r[%.*s%*s] %3u%%  %-30.30s", (int)filled,
		"########################################",
		(int)(BAR_COLUMNS - filled), "", percent, what);
}

void fz_progress_step(void *state, size_t done, size_t total,
		      const struct fz_row *row)
{
	fz_progress_show(state, done, total,
			 row->config.policy ? row->config.policy->name
					    : row->config.engine->name);
}

void fz_progress_end(struct fz_progress *progress)
{
	if (progress->shown)
		fprintf(stderr, "\r%80s\r", "");
}
