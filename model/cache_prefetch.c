// SPDX-License-Identifier: GPL-2.0-or-later
/* The prefetcher's table of streams. */
#include "cache_state.h"

#include <string.h>

#define PAGE_SHIFT 12

void fz_prefetch_init(struct fz_prefetch *prefetch,
		      const struct fz_cache_geometry *geometry)
{
	const unsigned int line_shift =
		(unsigned int)__builtin_ctz(geometry->line_bytes);

	prefetch->nr_streams = geometry->prefetcher.streams;
	prefetch->degree = geometry->prefetcher.degree;
	prefetch->distance = geometry->prefetcher.distance;
	prefetch->page_shift = PAGE_SHIFT - line_shift;
	for (unsigned int i = 0; i < FZ_CACHE_MAX_STREAMS; i++)
		prefetch->stream[i].page = UINT32_MAX;
}

/* The stream of the page, or the one used longest ago, comes first. */
static struct fz_stream *use_stream(struct fz_prefetch *prefetch, uint32_t page)
{
	struct fz_stream *const stream = prefetch->stream;
	struct fz_stream used;
	unsigned int i = 0;

	while (i + 1 < prefetch->nr_streams && stream[i].page != page)
		i++;
	used = stream[i];
	memmove(stream + 1, stream, i * sizeof(*stream));
	stream[0] = used;
	return stream;
}

static void follow(struct fz_stream *stream, uint32_t page, uint32_t line)
{
	const int32_t step = (int32_t)(line - stream->last);

	if (stream->page == page && (step == 1 || step == -1) &&
	    stream->direction != -step)
		stream->direction = step;
	else
		stream->direction = 0;
	stream->page = page;
	stream->last = line;
}

unsigned int fz_prefetch_requests(struct fz_prefetch *prefetch, uint32_t line,
				  uint32_t *lines)
{
	const uint32_t page = line >> prefetch->page_shift;
	struct fz_stream *const stream = use_stream(prefetch, page);
	unsigned int nr = 0;

	follow(stream, page, line);
	if (!stream->direction)
		return 0;
	for (unsigned int k = 0; k < prefetch->degree; k++) {
		const int64_t ahead = (int64_t)prefetch->distance + k;
		const int64_t wanted = line + stream->direction * ahead;

		if (wanted < 0 || wanted >> prefetch->page_shift != page)
			break;
		lines[nr++] = (uint32_t)wanted;
	}
	return nr;
}
