/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A supply of folios that no cache holds, as in a round. */
#ifndef FZ_PROBE_COLD_FOLIO_H
#define FZ_PROBE_COLD_FOLIO_H

#include <stdbool.h>
#include <stdint.h>

#include <fz/engine.h>
#include <fz/round.h>

/*
 * A walk through a buffer that was dirtied: ascending, each folio once; at the
 * end the buffer is dirtied again. An engine that faults pages in walks through
 * unmapped ones, so that changing between the two kinds begins a new walk.
 */
struct cold_folios {
	struct fz_buffer *buffer;
	uint64_t next;
	uint64_t nr; /* 0 = the walk has not begun */
	uint64_t folio_bytes;
	bool unmapped; /* pages that were not reached are not there */
};

/*
 * The next folio, its plan included; `repeat` stands for the round that random
 * faulting pages come from. Return: 0; -ENOMEM or -EINVAL as fz_round_run().
 */
int cold_folio_next(struct cold_folios *folios, struct fz_bench *bench,
		    const struct fz_row_config *config, uint64_t repeat,
		    struct fz_zero_job *job, struct fz_err *err);

/* Zero it. Return: 0, or -ENOMEM if huge pages were missing. */
int cold_folio_zero(const struct fz_row_config *config, struct fz_zero_job *job,
		    struct fz_err *err);

/* Bring all pages back. Return: 0 or -ENOMEM. */
int cold_folios_restore(struct cold_folios *folios, struct fz_err *err);

#endif
