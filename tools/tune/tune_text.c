// SPDX-License-Identifier: GPL-2.0-or-later
/* Curves as bars, and what they say. */
#include "tune.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/preempt.h>
#include <fz/units.h>

#include "note.h"
#include "row_label.h"
#include "text_parts.h"
#include "view.h"

#define WIDTH        80
#define BAND_COLUMNS 24
#define WAIT_COLUMNS 12
#define BAR          "########################"

static const struct fz_margins margins = { WIDTH, 0, 2 };

static bool is_power(uint64_t bytes)
{
	return !(bytes & (bytes - 1));
}

static bool answers(const struct fz_tuning_answer *answer, uint64_t bytes)
{
	return bytes == answer->enough_bytes || bytes == answer->fits_bytes ||
	       bytes == answer->from_bytes || bytes == answer->to_bytes;
}

/* Lines are an octave apart, but for the answers and what was asked for. */
static bool is_shown(const struct fz_tune *tune,
		     const struct fz_tune_curve *curve,
		     const struct fz_tune_sample *sample)
{
	return tune->options->bench.nr_batches ||
	       is_power(sample->batch_bytes) ||
	       sample->batch_bytes == tune->folio_bytes ||
	       answers(&curve->answer, sample->batch_bytes) ||
	       (!tune->profile &&
		answers(&curve->answer_longest, sample->batch_bytes));
}

/* What the bars of a curve are drawn by. */
struct scale {
	double max_bps;
	double min_ns;
	double max_ns;
};

static struct scale scale_of(const struct fz_tune_curve *curve)
{
	struct scale scale = { 0, INFINITY, 0 };

	for (size_t i = 0; i < curve->nr; i++) {
		const struct fz_tune_sample *sample = &curve->samples[i];

		scale.max_bps = fmax(scale.max_bps, sample->bps);
		scale.min_ns = fmin(scale.min_ns, sample->stretch_ns);
		scale.max_ns = fmax(scale.max_ns, sample->stretch_ns);
	}
	return scale;
}

static int bandwidth_bar(const struct scale *scale, double bps)
{
	return (int)lround(BAND_COLUMNS * bps / scale->max_bps);
}

/* The shortest one has a mark too. */
static int stretch_bar(const struct scale *scale, double ns)
{
	if (!(scale->min_ns > 0) || !(scale->max_ns > scale->min_ns))
		return 1;
	return 1 + (int)lround((WAIT_COLUMNS - 1) * log(ns / scale->min_ns) /
			       log(scale->max_ns / scale->min_ns));
}

static char mark_of(const struct fz_tune_sample *sample,
		    struct fz_tuning_wish wish)
{
	if (sample->stretch_ns > wish.max_ns)
		return ' ';
	if (fz_tune_at_edge(sample, wish))
		return '?';
	return sample->share >= wish.share ? '*' : ' ';
}

static void print_sample(FILE *out, const struct fz_tune *tune,
			 const struct scale *scale,
			 const struct fz_tune_sample *sample)
{
	const struct fz_tuning_wish wish = tune->options->wish;
	char batch[FZ_FORMAT_BYTES], stretch[FZ_FORMAT_BYTES];
	char longest[FZ_FORMAT_BYTES];

	fz_format_bytes(batch, sizeof(batch), sample->batch_bytes);
	fz_text_ns(stretch, sizeof(stretch), sample->stretch_ns);
	fz_text_ns(longest, sizeof(longest), sample->longest_ns);
	fprintf(out, "%c %7s %6.2f %4.0f%% %-*.*s %7s", mark_of(sample, wish),
		batch, fz_gib_per_s(sample->bps), 100.0 * sample->share,
		BAND_COLUMNS, bandwidth_bar(scale, sample->bps), BAR, stretch);
	if (!tune->profile)
		fprintf(out, " %7s", longest);
	fprintf(out, " %.*s\n", stretch_bar(scale, sample->stretch_ns), BAR);
}

/* One of them is the longest; or of some, 99 % and the longest. */
static void print_columns(FILE *out, const struct fz_tune *tune)
{
	fprintf(out, "  %7s %6s %5s %-*s %7s%s stretch\n", "batch", "GiB/s",
		"share", BAND_COLUMNS, "", tune->profile ? "longest" : "p99",
		tune->profile ? "" : " longest");
}

static void add_found(struct fz_note *note, uint64_t bytes)
{
	char text[FZ_FORMAT_BYTES];

	fz_format_bytes(text, sizeof(text), bytes);
	fz_note_add(note, "%s", bytes ? text : "none");
}

static const struct fz_tune_sample *sample_of(const struct fz_tune_curve *curve,
					      uint64_t batch_bytes)
{
	for (size_t i = 0; i < curve->nr; i++)
		if (curve->samples[i].batch_bytes == batch_bytes)
			return &curve->samples[i];
	return NULL;
}

static void print_enough(FILE *out, const struct fz_tune *tune,
			 const struct fz_tune_curve *curve)
{
	const struct fz_tune_sample *sample =
		sample_of(curve, curve->answer.enough_bytes);
	struct fz_note note = { .used = 0 };

	fz_note_add(&note,
		    "smallest batch that reaches %.4g %% of the whole "
		    "folio in one: ",
		    100.0 * tune->options->wish.share);
	add_found(&note, curve->answer.enough_bytes);
	if (sample && isfinite(sample->share_ci95.lo))
		fz_note_add(&note, ", %.1f %% (%.1f to %.1f)%s",
			    100.0 * sample->share,
			    100.0 * sample->share_ci95.lo,
			    100.0 * sample->share_ci95.hi,
			    fz_tune_at_edge(sample, tune->options->wish)
				    ? ", at the edge"
				    : "");
	fz_note_print(out, &note, margins);
}

static void print_fits(FILE *out, const struct fz_tune *tune,
		       const struct fz_tune_curve *curve)
{
	struct fz_note note = { .used = 0 };
	char latency[FZ_FORMAT_BYTES];

	fz_text_ns(latency, sizeof(latency), tune->options->wish.max_ns);
	fz_note_add(&note, "largest batch that keeps %s to %s: ",
		    tune->profile ? "the longest stretch"
				  : "99 % of the stretches",
		    latency);
	add_found(&note, curve->answer.fits_bytes);
	if (!tune->profile) {
		fz_note_add(&note, "; the longest one, which may be an "
				   "interrupt's or the host's: ");
		add_found(&note, curve->answer_longest.fits_bytes);
	}
	fz_note_print(out, &note, margins);
}

static void print_warnings(FILE *out, const struct fz_tune_curve *curve)
{
	for (size_t i = 0; i < curve->nr_warnings; i++) {
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "%s", curve->warnings[i]);
		fz_note_print(out, &note, margins);
	}
}

static void print_curve(FILE *out, const struct fz_tune *tune,
			const struct fz_tune_curve *curve)
{
	const struct scale scale = scale_of(curve);
	struct fz_note note = { .used = 0 };
	char sentence[FZ_ERR_MSG_BYTES];

	fputc('\n', out);
	fz_note_add(&note, curve->nr ? "== %s" : "%s: no curve: %s",
		    curve->clear, curve->reason);
	fz_note_print(out, &note, margins);
	if (!curve->nr)
		return;
	print_columns(out, tune);
	for (size_t i = 0; i < curve->nr; i++)
		if (is_shown(tune, curve, &curve->samples[i]))
			print_sample(out, tune, &scale, &curve->samples[i]);
	print_enough(out, tune, curve);
	print_fits(out, tune, curve);
	fz_tune_sentence(sentence, sizeof(sentence), tune, curve);
	note.used = 0;
	fz_note_add(&note, "%s", sentence);
	fz_note_print(out, &note, margins);
	print_warnings(out, curve);
}

static void print_basis(FILE *out, const struct fz_tune *tune)
{
	struct fz_note note = { .used = 0 };
	char size[FZ_FORMAT_BYTES], page[FZ_LABEL_BYTES];

	if (tune->profile) {
		fz_note_add(&note,
			    "predicted by the profile '%s' (%s), not "
			    "measured",
			    tune->profile->name, tune->profile->cpu);
	} else {
		fz_format_bytes(size, sizeof(size), tune->size_bytes);
		fz_page_text(page, sizeof(page), tune->page);
		fz_note_add(&note, "measured on %s, %s of %s",
			    tune->machine->cpu[0] ? tune->machine->cpu
						  : "an unknown CPU",
			    size, page);
	}
	fz_note_print(out, &note, margins);
}

static void print_heading(FILE *out, const struct fz_tune *tune)
{
	struct fz_note note = { .used = 0 };
	char folio[FZ_FORMAT_BYTES];

	print_basis(out, tune);
	fz_format_bytes(folio, sizeof(folio), tune->folio_bytes);
	fz_note_add(&note,
		    "folio of %s in batches, preempt %s: a resched "
		    "point before each batch",
		    folio, fz_preempt_name(tune->options->preempt));
	fz_note_print(out, &note, margins);
}

static bool has_edge(const struct fz_tune *tune)
{
	for (size_t i = 0; i < tune->nr_curves; i++)
		if (tune->curves[i].edge_from_bytes)
			return true;
	return false;
}

static void print_legend(FILE *out, const struct fz_tune *tune)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "*: fast enough, and lets others in soon enough; ");
	if (has_edge(tune))
		fz_note_add(&note,
			    "?: the same if it is fast enough, which is at the "
			    "edge: the share that is wanted lies in the 95 %% "
			    "interval; ");
	fz_note_add(&note,
		    "4K, 8K, 16K and 32K are 1, 2, 4 and 8 pages; bars: "
		    "bandwidth from 0 on, stretches on a logarithmic scale; "
		    "share: of the whole folio in one batch%s",
		    tune->profile ? "" : ", paired by round");
	fz_note_print(out, &note, margins);
}

static void print_all(FILE *out, const struct fz_tune *tune)
{
	bool any = false;

	print_heading(out, tune);
	for (size_t i = 0; i < tune->nr_curves; i++) {
		print_curve(out, tune, &tune->curves[i]);
		any |= tune->curves[i].nr > 0;
	}
	fputc('\n', out);
	if (tune->partial)
		fputs("partial: the run was stopped by a signal\n", out);
	if (any)
		print_legend(out, tune);
}

int fz_tune_text(FILE *out, const struct fz_tune *tune)
{
	struct fz_view view;
	const int code = fz_view_begin(&view);

	if (code)
		return code;
	print_all(view.stream, tune);
	return fz_view_end(&view, out);
}
