/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes a row unreliable. */
#ifndef FZ_ROW_WARNINGS_H
#define FZ_ROW_WARNINGS_H

#include <fz/figures.h>

/* Append the row's warnings to its figures, which are worked out already. */
void fz_row_warnings(const struct fz_row *row, uint64_t llc_bytes,
		     struct fz_figures *figures);

#endif
