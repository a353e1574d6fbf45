// SPDX-License-Identifier: GPL-2.0-or-later
/* Says when steal time, faults, a hot cache or a wide spread spoil a row. */
#include "row_warnings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <fz/units.h>
#include <fz/wake_watch.h>

/* Steal time of this share of the timed sections is worth a word. */
#define STEAL_WARN_SHARE 0.01

/* One wake-up missed for so many that were measured. */
#define MISSED_WARN_PART 10

/* Finding plans and keeping records between folios, in a span. */
#define SPAN_WARN_SHARE 0.05

/* Switches in this share of the rounds. */
#define SWITCHES_WARN_SHARE 0.1

/* The first touch of memory that the host has not backed yet is 10 to 40 times
 * slower than later ones; 8 is clear of noise. */
#define FIRST_TOUCH_WARN_FACTOR 8.0

/* What the kernel adds to clearing a page at its first touch, in ns: a fault
 * takes 1 to 2 us. Small buffers are all overhead. */
#define FIRST_TOUCH_PAGE_NS   4000.0
#define FIRST_TOUCH_MIN_BYTES ((uint64_t)16 << 20)

__attribute__((format(printf, 2, 3))) static void
warn(struct fz_figures *figures, const char *format, ...)
{
	va_list args;

	if (figures->nr_warnings == FZ_MAX_WARNINGS)
		return;
	va_start(args, format);
	vsnprintf(figures->warnings[figures->nr_warnings++], FZ_WARNING_BYTES,
		  format, args);
	va_end(args);
}

static double timed_seconds(const struct fz_row *data)
{
	double sum = 0.0;

	for (size_t i = 0; i < data->rounds; i++)
		sum += data->seconds[i];
	return sum;
}

static void warn_cache(const struct fz_row *row, uint64_t llc_bytes,
		       struct fz_figures *figures)
{
	/* A round may take only a part of the buffer at a time. */
	const uint64_t bytes = row->memory.bytes
				       ? row->memory.bytes
				       : fz_row_round_bytes(&row->config);
	char size[32], llc[32], enough[32];

	if (!llc_bytes || bytes >= FZ_COLD_LLC_MULTIPLE * llc_bytes)
		return;
	fz_format_bytes(size, sizeof(size), bytes);
	fz_format_bytes(llc, sizeof(llc), llc_bytes);
	fz_format_bytes(enough, sizeof(enough),
			FZ_COLD_LLC_MULTIPLE * llc_bytes /
				fz_row_nr_buffers(&row->config));
	warn(figures,
	     "cache-hot: %s is less than %u times the last-level cache of %s; "
	     "--size %s is not",
	     size, FZ_COLD_LLC_MULTIPLE, llc, enough);
}

static void warn_backing(const struct fz_row *row, struct fz_figures *figures)
{
	const struct fz_backing backing = row->memory.backing;

	if (!backing.verified_by[0])
		warn(figures,
		     "backing: %s, so the size of the pages is not verified",
		     row->config.page.kind == FZ_PAGES_MTHP
			     ? "neither the page map nor the counter of such "
			       "faults can be read"
			     : "smaps cannot be read");
	else if (backing.bytes_ok < row->memory.bytes)
		warn(figures,
		     "backing: only %.0f %% of the buffer is on the pages "
		     "asked for",
		     100.0 * (double)backing.bytes_ok /
			     (double)row->memory.bytes);
}

static void warn_first_touch(const struct fz_row *row,
			     struct fz_figures *figures)
{
	const double first =
		(double)row->memory.first_touch_ns / (double)row->memory.bytes;
	/* Of one thread, as the first pass was. */
	const double now =
		1e9 * fz_row_nr_buffers(&row->config) /
			figures->bandwidth.median_bps + /* ns a byte */
		FIRST_TOUCH_PAGE_NS / (double)row->config.page.bytes;

	if (row->memory.bytes >= FIRST_TOUCH_MIN_BYTES &&
	    first > FIRST_TOUCH_WARN_FACTOR * now)
		warn(figures,
		     "first-touch: the first pass over the buffer was %.0f "
		     "times slower, as on memory that a host has to provide; "
		     "it is not counted",
		     first / now);
}

/* Without plans each folio is one fault; with them there must be none. */
static void warn_faults(const struct fz_row *row, const struct fz_row *data,
			struct fz_figures *figures)
{
	const uint64_t faults = data->noise.minor_faults;
	const uint64_t expected = row->config.engine->runs_plans
					  ? 0
					  : figures->faults * data->rounds;

	if (faults == expected || faults == UINT64_MAX)
		return;
	if (row->config.engine->runs_plans)
		warn(figures,
		     "faults: %" PRIu64 " page faults while folios "
		     "were cleared",
		     faults);
	else
		warn(figures,
		     "faults: %" PRIu64 " page faults for %" PRIu64
		     " folios: not every folio came in one fault",
		     faults, expected);
}

/* Threads are timed from the first start to the last end. */
static void warn_span(const struct fz_row *data, struct fz_figures *figures)
{
	const size_t nr = data->rounds * fz_row_nr_buffers(&data->config);
	double sections = 0.0, spans = 0.0;

	if (!data->config.threads)
		return;
	for (size_t i = 0; i < nr; i++) {
		sections += data->threads[i].sections_seconds;
		spans += data->threads[i].zero_seconds;
	}
	if (spans > 0.0 && sections < (1.0 - SPAN_WARN_SHARE) * spans)
		warn(figures,
		     "span: %.0f %% of the threads' time is between folios, not "
		     "in them; larger folios have less of it",
		     100.0 * (1.0 - sections / spans));
}

static void warn_noise(const struct fz_row *data, struct fz_figures *figures)
{
	const struct fz_noise *noise = &data->noise;

	if (noise->steal_ms != UINT64_MAX &&
	    (double)noise->steal_ms / 1e3 >
		    STEAL_WARN_SHARE * timed_seconds(data))
		warn(figures,
		     "steal: the host took %" PRIu64 " ms from the CPUs while "
		     "%.0f ms were timed",
		     noise->steal_ms, 1e3 * timed_seconds(data));
	if (fz_row_is_interrupted(data))
		warn(figures, "waker: the times hold the wake-ups of a timer, "
			      "so they are compared with nothing");
	if (data->woken && data->samples->wakes_dropped * MISSED_WARN_PART >
				   data->samples->wakeup_ns.count)
		warn(figures,
		     "missed: %" PRIu64 " wake-ups, beside %" PRIu64
		     " that were measured: other tasks took the waker's CPU",
		     data->samples->wakes_dropped,
		     data->samples->wakeup_ns.count);
	/* A timer's switches were asked for. */
	if (noise->involuntary_switches != UINT64_MAX &&
	    !fz_row_is_interrupted(data) &&
	    (double)noise->involuntary_switches >
		    SWITCHES_WARN_SHARE * (double)data->rounds)
		warn(figures,
		     "switches: other tasks took the CPU %" PRIu64 " times in "
		     "%zu round%s; the longest stretches and faults are theirs",
		     noise->involuntary_switches, data->rounds,
		     data->rounds == 1 ? "" : "s");
	if (noise->migrations)
		warn(figures, "migrations: %" PRIu64 " rounds changed the CPU",
		     noise->migrations);
	if (figures->bandwidth.stdev_pct > FZ_SPREAD_WARN_PCT)
		warn(figures, "spread: rounds differ by %.0f %% (stdev)",
		     figures->bandwidth.stdev_pct);
}

void fz_row_warnings(const struct fz_row *row, uint64_t llc_bytes,
		     struct fz_figures *figures)
{
	const struct fz_row *data = fz_row_data(row);

	if (row->status == FZ_ROW_MODELLED) {
		if (data->no_use[0])
			warn(figures, "use: %s", data->no_use);
		return;
	}
	warn_cache(row, llc_bytes, figures);
	if (row->memory.bytes) {
		warn_backing(row, figures);
		warn_first_touch(row, figures);
	}
	warn_faults(row, data, figures);
	warn_span(data, figures);
	warn_noise(data, figures);
}
