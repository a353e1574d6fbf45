/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows of a result stand together, as the verdicts group them. */
#ifndef FZ_ROW_GROUPS_H
#define FZ_ROW_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

/*
 * Rows on like faults. A group is named by the first of its measured rows;
 * rows of policies that are told no faulting page are in every group on their
 * memory. Is the row the first of a group? Is it in the group of `lead`?
 */
bool fz_row_leads_group(const struct fz_result *result, size_t row);
bool fz_row_in_group(const struct fz_result *result, size_t lead, size_t row);

/* How many rows its rows are compared with, and is any of those elsewhere? */
struct fz_baselines {
	size_t nr;
	bool outside;
};

struct fz_baselines fz_group_baselines(const struct fz_result *result,
				       size_t lead);

/* Fewest and most rounds of its rows. */
struct fz_rounds {
	size_t min;
	size_t max;
};

struct fz_rounds fz_group_rounds(const struct fz_result *result, size_t lead);

/* The verdict on that group, or NULL. */
const struct fz_verdict *fz_group_verdict(const struct fz_result *result,
					  size_t lead);

#endif
