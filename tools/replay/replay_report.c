// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about a replay that all views tell alike. */
#include "replay_report.h"

uint64_t fz_replay_lost(const struct fz_replay_report *report)
{
	uint64_t told = 0;

	for (size_t i = 0; i < report->traces->nr; i++) {
		const uint64_t nr =
			fz_trace_file_problems(report->traces->trace[i].file)
				->nr_lost;

		if (__builtin_add_overflow(told, nr, &told))
			told = UINT64_MAX;
	}
	/* A reader may pass on what it counts as well. */
	return told > report->tally->lost ? told : report->tally->lost;
}

bool fz_replay_row_not_faulted(const struct fz_replay_report *report,
			       const struct fz_row *row, uint64_t *bytes)
{
	return fz_replay_not_faulted(&report->tally->sizes[row->choice],
				     report->traces->recorded_bytes, bytes);
}
