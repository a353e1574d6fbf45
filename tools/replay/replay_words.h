/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about a replay, for text and commit messages. */
#ifndef FZ_REPLAY_WORDS_H
#define FZ_REPLAY_WORDS_H

#include "note.h"
#include "replay_report.h"

/* What was read: files, records, events, time; its classes; what was assumed;
 * prices. Paragraphs. */
void fz_replay_print_trace(FILE *out, const struct fz_replay_report *report,
			   struct fz_margins margins);

/* "folios of 2M: 503 faults taken, 195 saved (27.9 %), ...". */
void fz_note_add_size(struct fz_note *note,
		      const struct fz_replay_report *report,
		      const struct fz_row *row);

/* "1.98G"; three digits of the largest unit; into [cap]. */
void fz_about_bytes(char *buf, size_t cap, uint64_t bytes);

#endif
