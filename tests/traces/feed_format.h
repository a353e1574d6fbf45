/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes through the reader of a format: for fuzzing. */
#ifndef FEED_FORMAT_H
#define FEED_FORMAT_H

#include <stddef.h>

#include <fz/trace_format.h>

/*
 * Reads the bytes with that format and through probing. NULL, or what came of
 * them that must come of nothing.
 */
const char *feed_format(const struct fz_trace_format *format, const char *bytes,
			size_t nr);

#endif
