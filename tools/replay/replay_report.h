/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What views tell of a replay beside its rows. */
#ifndef FZ_REPLAY_REPORT_H
#define FZ_REPLAY_REPORT_H

#include <stdint.h>

#include <fz/price.h>
#include <fz/replay.h>

#include "replay_options.h"
#include "replay_traces.h"
#include "result.h"

/**
 * struct fz_replay_report - a replay that is done
 * @options: what was asked
 * @traces: what was read
 * @tally: what it came to
 * @prices: of rows of engine model; NULL = there are none
 */
struct fz_replay_report {
	const struct fz_replay_options *options;
	const struct fz_replay_traces *traces;
	const struct fz_replay_tally *tally;
	const struct fz_prices *prices;
};

/* Events lost while recording, whoever says so; UINT64_MAX = at least. */
uint64_t fz_replay_lost(const struct fz_replay_report *report);

/* Zeroed, not faulted; false where that cannot be known. */
bool fz_replay_row_not_faulted(const struct fz_replay_report *report,
			       const struct fz_row *row, uint64_t *bytes);

/* Views of a replay; 0 or -errno. JSON and CSV are those of result.h. */
int fz_replay_text(FILE *out, const struct fz_result *result);
int fz_replay_commit(FILE *out, const struct fz_result *result);

#endif
