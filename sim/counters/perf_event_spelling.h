/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that libpfm's tables of this CPU do not have. */
#ifndef FZ_PERF_EVENT_SPELLING_H
#define FZ_PERF_EVENT_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Length of the part before the mask, or before "::". */
static inline size_t event_head_length(const char *name)
{
	return strcspn(name, ":.");
}

/* Room for an event with all of its masks. */
#define FZ_PERF_SPELLING_BYTES 256

/*
 * libpfm's spelling of a name that only perf has, with the masks that this CPU
 * knows. False: the name is none of these.
 */
bool fz_perf_event_respell(const char *name,
			   char spelling[FZ_PERF_SPELLING_BYTES]);

/* Does a CPU that is not this one have the event, whatever its masks? */
bool fz_perf_event_is_foreign(const char *name);

#endif
