/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A look at the beginning of a recording, before it is replayed. */
#ifndef FZ_SURVEY_H
#define FZ_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/fault_source.h>
#include <fz/granularity.h>

/**
 * DOC: survey
 *
 * Two things must be known before the first fault is replayed: which events to
 * use, since one fault can be recorded as several, and how much memory a fault
 * made. Both are read off the first records, which are kept and handed out
 * again.
 *
 * Of one recording a tracepoint is used rather than a software event, since it
 * says what kind of access it was, and page-faults rather than minor-faults and
 * major-faults, which tell of the same faults.
 */

/* Records that are looked at: 5 MiB. */
#define FZ_SURVEY_RECORDS ((size_t)1 << 16)

struct fz_survey;

/**
 * fz_survey_open() - read the first records
 * @out: written on success
 * @source: the recording; must outlive the survey
 * @max_records: look at no more; at least 1
 * @err: message on failure
 *
 * Return: 0, -ENOMEM, or what the source gave.
 */
int fz_survey_open(struct fz_survey **out, struct fz_fault_source source,
		   size_t max_records, struct fz_err *err);

/**
 * fz_survey_close() - free it
 * @survey: may be NULL
 */
void fz_survey_close(struct fz_survey *survey);

/**
 * fz_survey_source() - the recording, without what it tells twice
 * @survey: must outlive the source
 *
 * Return: the source, of which there is one.
 */
struct fz_fault_source fz_survey_source(struct fz_survey *survey);

/**
 * fz_survey_granularity() - how much memory a fault made
 * @survey: the survey
 *
 * Return: from faults that zeroed or may have zeroed.
 */
struct fz_granularity fz_survey_granularity(const struct fz_survey *survey);

/**
 * fz_survey_events() - which fault events are used
 * @survey: the survey
 *
 * Return: bit e stands for enum fz_event e.
 */
unsigned int fz_survey_events(const struct fz_survey *survey);

/**
 * fz_survey_dropped() - records left out so far
 * @survey: the survey
 * @event: a fault event that is not used
 *
 * Return: how many.
 */
uint64_t fz_survey_dropped(const struct fz_survey *survey, enum fz_event event);

#endif
