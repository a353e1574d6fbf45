/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of perf script that are about the recording as a whole. */
#ifndef PERF_HEADER_H
#define PERF_HEADER_H

#include <fz/fault.h>

#include "text_scan.h"

/* A line of --header about an event. */
struct perf_header_event {
	enum fz_event event;
	bool has_addresses;
	bool has_every_fault; /* a period of 1, and no frequency */
};

/* False if it is no such line, or of an event that is no page fault. */
bool perf_header_event(struct scan text, struct perf_header_event *found);

/* What perf itself says; @no_addresses: that there are none to print. */
bool perf_header_is_message(struct scan text, bool *no_addresses);

#endif
