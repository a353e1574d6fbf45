/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a result document has of a replay beyond that of a bench run. */
#ifndef FZ_REPLAY_JSON_H
#define FZ_REPLAY_JSON_H

#include <jansson.h>

#include "replay_report.h"

/* The member `trace` of the document; NULL without memory. */
json_t *fz_replay_trace_json(const struct fz_replay_report *report);

/* An object with the member `replay` of a row; NULL without memory. */
json_t *fz_replay_row_json(const struct fz_replay_report *report,
			   const struct fz_row *row);

#endif
