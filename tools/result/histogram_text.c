// SPDX-License-Identifier: GPL-2.0-or-later
/* A histogram of times drawn with characters. */
#include "histogram_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <fz/units.h>

#define BAR_COLUMNS 18
/* A longer gap becomes one line. */
#define MAX_EMPTY_LINES 2

/*
 * The axis: octaves cut into 2^cut equal parts, or 2^-cut octaves in one part.
 * Both are unions of the histogram's own buckets.
 */
struct axis {
	int cut;
	unsigned int first; /* part that holds the smallest value */
	unsigned int nr;    /* parts up to the largest */
};

/* One part of the axis. */
struct line {
	uint64_t count;
	double ns; /* sum of its values */
};

static unsigned int part_of(uint64_t ns, int cut)
{
	const unsigned int octave =
		ns ? 63u - (unsigned int)__builtin_clzll(ns) : 0;
	const uint64_t rest = ns ? ns - (UINT64_C(1) << octave) : 0;
	unsigned int part;

	if (cut <= 0)
		return octave >> -cut;
	/* The three highest bits behind the leading one, or fewer. */
	if (octave >= (unsigned int)cut)
		part = (unsigned int)(rest >> (octave - (unsigned int)cut));
	else
		part = (unsigned int)(rest << ((unsigned int)cut - octave));
	return (octave << cut) + part;
}

/* Smallest value of a part, rounded up; 0 belongs to the first. */
static uint64_t part_begin(unsigned int part, int cut)
{
	unsigned int octave;
	uint64_t mantissa;

	if (part == 0)
		return 0;
	if (cut <= 0) {
		octave = part << -cut;
		return octave < 64 ? UINT64_C(1) << octave : UINT64_MAX;
	}
	octave = part >> cut;
	if (octave >= 64)
		return UINT64_MAX;
	mantissa = (UINT64_C(1) << cut) + (part & ((1u << cut) - 1));
	if (octave >= (unsigned int)cut)
		return mantissa << (octave - (unsigned int)cut);
	octave = (unsigned int)cut - octave;
	return (mantissa + (UINT64_C(1) << octave) - 1) >> octave;
}

/* The finest cut, an eighth of an octave at best, that fits the lines. */
static struct axis axis_of(const struct fz_histogram *h)
{
	struct axis axis = { .cut = 3 };

	for (;; axis.cut--) {
		axis.first = part_of(h->min, axis.cut);
		axis.nr = part_of(h->max, axis.cut) - axis.first + 1;
		if (axis.nr <= FZ_HISTOGRAM_LINES)
			return axis;
	}
}

static void fill(struct line *lines, const struct axis *axis,
		 const struct fz_histogram *h)
{
	struct fz_histogram_iter iter;
	struct fz_bucket bucket;

	memset(lines, 0, FZ_HISTOGRAM_LINES * sizeof(*lines));
	fz_histogram_begin(&iter, h);
	while (fz_histogram_next(&iter, &bucket)) {
		/* Inside the axis, also where min and max end a bucket. */
		uint64_t ns = bucket.mid < h->min ? h->min : bucket.mid;
		unsigned int part;

		ns = ns > h->max ? h->max : ns;
		part = part_of(ns, axis->cut) - axis->first;
		assert(part < axis->nr);
		lines[part].count += bucket.count;
		lines[part].ns += (double)bucket.count * (double)ns;
	}
}

static void print_bar(FILE *out, double share)
{
	char bar[BAR_COLUMNS + 1];
	const int len = (int)lround(share * BAR_COLUMNS);

	memset(bar, ' ', BAR_COLUMNS);
	memset(bar, '#', (size_t)(len < BAR_COLUMNS ? len : BAR_COLUMNS));
	if (len == 0 && share > 0.0)
		bar[0] = '.';
	bar[BAR_COLUMNS] = '\0';
	fprintf(out, "  %5.1f%% |%s|", 100.0 * share, bar);
}

static void print_edge(FILE *out, uint64_t ns)
{
	char text[FZ_FORMAT_BYTES];

	/* Beyond a day nobody reads digits, but they would break the lines. */
	if ((double)ns < 1e14)
		fz_format_ns(text, sizeof(text), (double)ns);
	else
		snprintf(text, sizeof(text), "%.1es", (double)ns / 1e9);
	fprintf(out, "%8s", text);
}

static void print_part(FILE *out, const struct axis *axis, unsigned int i,
		       const struct line *line, const struct line *all)
{
	fputs("  ", out);
	print_edge(out, part_begin(axis->first + i, axis->cut));
	fprintf(out, " %9" PRIu64, line->count);
	print_bar(out, (double)line->count / (double)all->count);
	print_bar(out, all->ns > 0.0 ? line->ns / all->ns : 0.0);
	fputc('\n', out);
}

static unsigned int empty_lines(const struct line *lines, unsigned int i,
				unsigned int nr)
{
	unsigned int n = 0;

	while (i + n < nr && !lines[i + n].count)
		n++;
	return n;
}

void fz_histogram_text(FILE *out, const struct fz_histogram *ns)
{
	struct line lines[FZ_HISTOGRAM_LINES];
	struct line all = { ns->count, 0.0 };
	struct axis axis;

	if (!ns->count)
		return;
	axis = axis_of(ns);
	fill(lines, &axis, ns);
	for (unsigned int i = 0; i < axis.nr; i++)
		all.ns += lines[i].ns;
	fprintf(out, "  %8s %9s  %-27s  %s\n", "from", "count",
		"of all stretches", "of their time");
	for (unsigned int i = 0; i < axis.nr; i++) {
		const unsigned int gap = empty_lines(lines, i, axis.nr);

		if (gap > MAX_EMPTY_LINES) {
			fprintf(out, "  %8s\n", ":");
			i += gap - 1;
			continue;
		}
		print_part(out, &axis, i, &lines[i], &all);
	}
}
