/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay that prices plans instead of carrying them out. */
#ifndef FZ_REPLAY_MODEL_H
#define FZ_REPLAY_MODEL_H

#include <stddef.h>

#include <fz/err.h>
#include <fz/plan_cache.h>
#include <fz/price.h>
#include <fz/replay.h>
#include <fz/row.h>

/*
 * Faults at the same page of folios of the same size take the same plan. They
 * are counted while the recording is read; each plan is priced once, at the
 * end. So a policy more costs no time for each fault.
 */
struct fz_replay_model;

/**
 * fz_replay_model_open() - nothing is counted yet
 * @out: written on success
 *
 * Return: 0 or -ENOMEM.
 */
int fz_replay_model_open(struct fz_replay_model **out);

/**
 * fz_replay_model_close() - free it
 * @model: may be NULL
 */
void fz_replay_model_close(struct fz_replay_model *model);

/**
 * fz_replay_model_sink() - where folios are counted
 * @model: must outlive the sink
 *
 * Return: the sink.
 */
struct fz_folio_sink fz_replay_model_sink(struct fz_replay_model *model);

/**
 * fz_replay_model_price() - price all that a row would have zeroed
 * @model: the counts
 * @plans: where plans come from
 * @prices: the price list
 * @row: without rounds; has one afterwards, of all folios of its choice. If
 *	the prices do not tell what they cost, it is unsupported instead
 * @err: message on failure
 *
 * Return: 0; -EINTR if a signal stopped a policy object that made a plan: the
 * row is unsupported; -ENOMEM.
 */
int fz_replay_model_price(const struct fz_replay_model *model,
			  struct fz_plan_cache *plans,
			  const struct fz_prices *prices, struct fz_row *row,
			  struct fz_err *err);

#endif
