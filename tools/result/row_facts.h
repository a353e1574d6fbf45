/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every view must say alike about a row. */
#ifndef FZ_ROW_FACTS_H
#define FZ_ROW_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/machine.h>
#include <fz/row.h>

#include "result.h"

/* An engine without plans shows the running kernel's; NULL = unknown. */
const char *fz_row_policy_name(const struct fz_machine *machine,
			       const struct fz_row *row);
const char *fz_row_preempt_name(const struct fz_machine *machine,
				const struct fz_row *row);

/* No kernel of its policy can run its model. */
bool fz_row_is_hypothetical(const struct fz_row *row);

/* A kernel might take another course than some plan of it does. */
bool fz_row_is_conditional(const struct fz_row *row);

/* Behind the name of its policy: "?" if it is conditional, else "". */
const char *fz_row_mark(const struct fz_row *row);

/* What the mark means. */
#define FZ_CONDITIONAL_MARK "?"
#define FZ_CONDITIONAL_WORDS                                           \
	"conditional: a kernel might take another course: the policy " \
	"asks what only a running one knows"

/* What its policy really uses; false if the policy has no such thing. */
bool fz_row_batch_bytes(const struct fz_row *row, uint64_t *bytes);
bool fz_row_radius_pages(const struct fz_row *row, uint64_t *pages);

/* A measured row: it has figures. */
bool fz_row_is_measured(const struct fz_result *result, size_t row);

/* Two rows whose figures are one measurement. */
bool fz_rows_are_twins(const struct fz_row *a, const struct fz_row *b);

/* Index of a row of the result: row i has the id "r<i+1>". */
size_t fz_row_index(const struct fz_result *result, const struct fz_row *row);

/* The figures of a row of the result. */
const struct fz_figures *fz_row_figures(const struct fz_result *result,
					const struct fz_row *row);

#endif
