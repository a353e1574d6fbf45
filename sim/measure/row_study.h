/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of a row on modelled caches. */
#ifndef FZ_ROW_STUDY_H
#define FZ_ROW_STUDY_H

#include <stdint.h>

#include <fz/cache_study.h>
#include <fz/err.h>
#include <fz/row.h>

/* Stands for all faulting pages of the row: of random ones the middle. */
uint64_t row_study_page(const struct fz_row_config *config);

/*
 * Study the row's plan for that page, as its primitives carry it out. Plan and
 * page of the question need not be filled in. Return: 0, or as
 * fz_policy_plan(), fz_row_check_plan() and fz_cache_study_plan().
 */
int row_study(const struct fz_row_config *config,
	      struct fz_cache_question question, struct fz_cache_study *study,
	      struct fz_err *err);

#endif
