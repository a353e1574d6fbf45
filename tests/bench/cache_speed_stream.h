/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that cache_speed models and cache_speed_accesses touches. */
#ifndef CACHE_SPEED_STREAM_H
#define CACHE_SPEED_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#define STREAM_LINE_BYTES 64u
#define STREAM_LINES      (1u << 22) /* 256 MiB, which it goes round in */

struct stream {
	bool is_random;
	uint64_t state;
};

/* One after the other, or those of a linear congruential generator. */
static inline uint32_t stream_next(struct stream *stream)
{
	if (!stream->is_random)
		return (uint32_t)stream->state++ % STREAM_LINES;
	stream->state =
		stream->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(stream->state >> 33) % STREAM_LINES;
}

#endif
