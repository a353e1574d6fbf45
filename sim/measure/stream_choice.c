// SPDX-License-Identifier: GPL-2.0-or-later
/* A short race between the streaming primitives. */
#include <fz/stream_choice.h>

#include <math.h>

#include <fz/folio.h>
#include <fz/statistics.h>

#define MAX_PIECE_BYTES ((uint64_t)2 << 20)
#define RACE_PIECES     8u
#define RACE_LAPS       3u
#define RACE_PRIMITIVES 16u
/* Those that finish within this of the fastest are alike: the first in the
 * table is taken, so that two runs on one machine choose alike too. */
#define RACE_TIE 1.1

struct racer {
	const struct fz_clear *clear;
	double ticks[RACE_LAPS * RACE_PIECES];
	size_t nr;
};

static size_t find_racers(struct racer *racers)
{
	size_t nr = 0;

	for (size_t i = 0; fz_clears[i] && nr < RACE_PRIMITIVES; i++)
		if (fz_clears[i]->streaming &&
		    !fz_clear_why_unsupported(fz_clears[i]))
			racers[nr++] = (struct racer){ .clear = fz_clears[i] };
	return nr;
}

/* Whole pages, so that every racer gets as many; 0 in too small a buffer. */
static uint64_t piece_bytes(const struct fz_buffer *buffer, size_t nr)
{
	const uint64_t share = fz_buffer_bytes(buffer) / (RACE_PIECES * nr);

	if (share > MAX_PIECE_BYTES)
		return MAX_PIECE_BYTES;
	return share / FZ_PAGE_BYTES * FZ_PAGE_BYTES;
}

/* Neighbouring pieces go to different racers, so that all see like memory. */
static void lap(const struct fz_hooks *hooks, struct fz_buffer *buffer,
		struct racer *racers, size_t nr)
{
	const uint64_t piece = piece_bytes(buffer, nr);
	char *base = fz_buffer_base(buffer);

	fz_buffer_dirty(buffer, false);
	for (size_t i = 0; i < RACE_PIECES * nr; i++) {
		struct racer *racer = &racers[i % nr];
		const uint64_t begin = hooks->ticks(hooks->state);

		racer->clear->clear(base + i * piece, piece);
		racer->ticks[racer->nr++] =
			(double)(hooks->ticks(hooks->state) - begin);
	}
}

const struct fz_clear *fz_stream_choice(const struct fz_hooks *hooks,
					struct fz_buffer *buffer,
					bool *measured)
{
	struct racer racers[RACE_PRIMITIVES];
	const size_t nr = find_racers(racers);
	double fastest = INFINITY;
	size_t first = 0;

	*measured = nr && piece_bytes(buffer, nr);
	if (!*measured)
		return nr ? racers[0].clear : NULL;
	for (unsigned int i = 0; i < RACE_LAPS; i++)
		lap(hooks, buffer, racers, nr);
	for (size_t i = 0; i < nr; i++)
		fastest =
			fmin(fastest, fz_median(racers[i].ticks, racers[i].nr));
	while (fz_median(racers[first].ticks, racers[first].nr) >
	       RACE_TIE * fastest)
		first++;
	return racers[first].clear;
}
