/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay that really clears memory. */
#ifndef FZ_REPLAY_BUFFERS_H
#define FZ_REPLAY_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/err.h>
#include <fz/replay.h>
#include <fz/round.h>

/**
 * DOC: replay on buffers
 *
 * A recording may make far more folios than there is memory. So the folios of a
 * size are collected until they fill the buffer, and then zeroed in one round
 * of each row, which dirties the buffer first: see round.h. Rows take turns in
 * a new random order each time. What was collected last may fill less.
 *
 * At the pace of the recording each folio of a round waits until it is due,
 * counted from the first one. Rounds follow each other at once.
 */

struct fz_replay_buffers;

/**
 * fz_replay_buffers_open() - nothing is zeroed yet
 * @out: written on success
 * @bench: clock, recorder, plans
 * @rows: [@nr_rows] those of engines that zero, pending, and with a buffer, are
 *	measured; they must outlive it
 * @nr_rows: number of rows
 * @recorded_pace: wait until each fault is due
 * @err: message on failure
 *
 * Return: 0 or -ENOMEM.
 */
int fz_replay_buffers_open(struct fz_replay_buffers **out,
			   struct fz_bench *bench, struct fz_row *rows,
			   size_t nr_rows, bool recorded_pace,
			   struct fz_err *err);

/**
 * fz_replay_buffers_close() - free it
 * @replay: may be NULL
 */
void fz_replay_buffers_close(struct fz_replay_buffers *replay);

/**
 * fz_replay_buffers_sink() - where folios are zeroed
 * @replay: must outlive the sink
 *
 * A row that fails is left out from then on, with its reason. The sink returns
 * -EINTR if the bench was stopped.
 *
 * Return: the sink.
 */
struct fz_folio_sink fz_replay_buffers_sink(struct fz_replay_buffers *replay);

/**
 * fz_replay_buffers_finish() - zero what was collected last
 * @replay: the replay
 * @complete: the recording was read to its end; else rows become partial
 * @err: message on failure
 *
 * Rows have one round then, of all their folios.
 *
 * Return: 0 or -EINTR.
 */
int fz_replay_buffers_finish(struct fz_replay_buffers *replay, bool complete,
			     struct fz_err *err);

#endif
