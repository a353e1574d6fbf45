/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of perf script about processes, mappings and losses. */
#ifndef PERF_RECORD_H
#define PERF_RECORD_H

#include <fz/fault.h>

#include "text_scan.h"

/* What perf_record() found. */
enum perf_record {
	PERF_RECORD_USED,
	PERF_RECORD_USELESS,
	PERF_RECORD_BAD,
};

/*
 * Turns what stands behind PERF_RECORD_ into the record it is; @fault has what
 * stands before. Of FZ_EVENT_LOST @samples tells whether only samples count.
 */
enum perf_record perf_record(struct scan text, struct fz_fault *fault,
			     bool *samples);

#endif
