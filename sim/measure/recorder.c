// SPDX-License-Identifier: GPL-2.0-or-later
/* Draining clock readings into histograms. */
#include <fz/recorder.h>

#include <errno.h>

int fz_recorder_init(struct fz_recorder *recorder, struct fz_arena *arena,
		     size_t max_marks, size_t max_folios)
{
	struct fz_recorder r = {
		.marks = fz_arena_alloc(arena, max_marks * sizeof(*r.marks)),
		.max_marks = max_marks,
		.folios = fz_arena_alloc(arena, max_folios * sizeof(*r.folios)),
		.max_folios = max_folios,
	};

	if (!r.marks || !r.folios) {
		fz_arena_free(arena, r.marks);
		fz_arena_free(arena, r.folios);
		return -ENOMEM;
	}
	*recorder = r;
	return 0;
}

bool fz_recorder_has_room(const struct fz_recorder *recorder, size_t nr_marks)
{
	return recorder->nr_folios < recorder->max_folios &&
	       recorder->max_marks - recorder->nr_marks >= nr_marks;
}

/*
 * Readings of two CPUs may be out of step, and an unfenced clock may be read
 * early: a span that would be negative is none.
 */
static uint64_t span_ticks(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

static void add_ticks(struct fz_histogram *histogram,
		      const struct fz_clock *clock, uint64_t ticks)
{
	fz_histogram_add(histogram, fz_clock_ns(clock, ticks));
}

static void add_use(struct fz_samples *samples, const struct fz_clock *clock,
		    const struct fz_use_ticks *use)
{
	if (use->line)
		add_ticks(&samples->line_ns, clock, use->line);
	if (use->near)
		add_ticks(&samples->near_ns, clock, use->near);
	if (use->folio)
		add_ticks(&samples->folio_ns, clock, use->folio);
}

static void add_folio(struct fz_samples *samples, const struct fz_clock *clock,
		      const struct fz_folio_record *folio,
		      const uint64_t *marks)
{
	add_ticks(&samples->fault_ns, clock,
		  span_ticks(folio->begin, folio->end));
	for (size_t m = 1; m < folio->nr_marks; m++)
		add_ticks(&samples->stretch_ns, clock,
			  span_ticks(marks[m - 1], marks[m]));
	add_use(samples, clock, &folio->use);
}

uint64_t fz_recorder_drain(struct fz_recorder *recorder,
			   const struct fz_clock *clock,
			   struct fz_samples *samples)
{
	const uint64_t *marks = recorder->marks;
	uint64_t total_ticks = 0;

	for (size_t f = 0; f < recorder->nr_folios; f++) {
		const struct fz_folio_record *folio = &recorder->folios[f];

		total_ticks += span_ticks(folio->begin, folio->end);
		if (samples)
			add_folio(samples, clock, folio, marks);
		marks += folio->nr_marks;
	}
	recorder->nr_folios = 0;
	recorder->nr_marks = 0;
	return total_ticks;
}

void fz_samples_init(struct fz_samples *samples)
{
	fz_histogram_init(&samples->fault_ns);
	fz_histogram_init(&samples->stretch_ns);
	fz_histogram_init(&samples->line_ns);
	fz_histogram_init(&samples->near_ns);
	fz_histogram_init(&samples->folio_ns);
	fz_histogram_init(&samples->wakeup_ns);
	samples->wakes_dropped = 0;
}

void fz_samples_merge(struct fz_samples *dst, const struct fz_samples *src)
{
	fz_histogram_merge(&dst->fault_ns, &src->fault_ns);
	fz_histogram_merge(&dst->stretch_ns, &src->stretch_ns);
	fz_histogram_merge(&dst->line_ns, &src->line_ns);
	fz_histogram_merge(&dst->near_ns, &src->near_ns);
	fz_histogram_merge(&dst->folio_ns, &src->folio_ns);
	fz_histogram_merge(&dst->wakeup_ns, &src->wakeup_ns);
	dst->wakes_dropped += src->wakes_dropped;
}
