// SPDX-License-Identifier: GPL-2.0-or-later
/* What no view may do: be too wide, print nan, hide that writing failed. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fz/clear.h>
#include <fz/policies.h>
#include <fz/random.h>

#include "fz_test.h"
#include "sample_result.h"

#define NR_SHUFFLES 60

/* The longest line, in bytes: the text is ASCII. A copy of it into `line`. */
static size_t widest(const char *text, char *line, size_t cap)
{
	size_t max = 0;

	while (*text) {
		const size_t len = strcspn(text, "\n");

		if (len > max) {
			max = len;
			snprintf(line, cap, "%.*s", (int)len, text);
		}
		text += len + (text[len] == '\n');
	}
	return max;
}

static void check_width(const char *text, size_t limit)
{
	char line[512] = "";
	const size_t width = widest(text, line, sizeof(line));

	ck_assert_msg(width <= limit, "%zu columns: %s", width, line);
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((*text < ' ' && *text != '\n') || *text > '~')
			return false;
	return true;
}

/* A word of its own: "inf" is not in "information". */
static bool has_word(const char *text, const char *word)
{
	const size_t len = strlen(word);

	for (const char *c = text; (c = strcasestr(c, word)); c++)
		if ((c == text || !isalpha((unsigned char)c[-1])) &&
		    !isalpha((unsigned char)c[len]))
			return true;
	return false;
}

static bool has_non_number(const char *text)
{
	return has_word(text, "nan") || has_word(text, "inf") ||
	       has_word(text, "infinity");
}

static void check_views(const struct sample *sample, const char *what)
{
	for (size_t i = 0; i < nr_sample_views; i++) {
		char *text = sample_print(sample, sample_views[i].name);

		ck_assert_msg(!has_non_number(text), "%s, %s", what,
			      sample_views[i].name);
		free(text);
	}
}

static void check_shape(const struct sample *sample)
{
	char *text = sample_print(sample, "text");
	char *commit = sample_print(sample, "commit");

	check_width(text, 100);
	check_width(commit, 72);
	ck_assert(is_ascii(text));
	ck_assert(is_ascii(commit));
	free(text);
	free(commit);
}

START_TEST(test_shape)
{
	struct sample *sample = sample_new(&sample_kinds[_i]);

	check_shape(sample);
	check_views(sample, "as it is");
	sample_free(sample);
}
END_TEST

static size_t pick(struct fz_random *random, size_t nr)
{
	return (size_t)(fz_random_below(random, nr));
}

static const struct fz_clear *any_clear(struct fz_random *random)
{
	size_t nr = 0;

	while (fz_clears[nr])
		nr++;
	return fz_clears[pick(random, nr)];
}

static const struct fz_policy *any_policy(struct fz_random *random)
{
	size_t nr = 0;

	while (fz_policies[nr])
		nr++;
	return fz_policies[pick(random, nr)];
}

/* Any setting a row can have, and figures of any size. */
static void shuffle_row(struct sample *sample, size_t i,
			struct fz_random *random)
{
	static const double scales[] = { 1e-6, 1e-3, 0.1, 1.0, 3.0, 1e3 };
	struct fz_row_config *config = &sample->rows[i].config;
	struct fz_figures *figures = &sample->figures[i];
	const double scale = scales[pick(random, 6)];

	if (!config->policy)
		return;
	if (pick(random, 2))
		config->policy = any_policy(random);
	config->clear = any_clear(random);
	config->stream = pick(random, 2) ? any_clear(random) : NULL;
	config->preempt = (enum fz_preempt)pick(random, FZ_NR_PREEMPT);
	config->batch_pages = (uint64_t)1 << pick(random, 20);
	config->radius_pages = (uint64_t)1 << pick(random, 20);
	if (pick(random, 4) == 0)
		config->engine = &fz_engine_bare;
	figures->bandwidth.median_bps *= scale;
	figures->bandwidth.mean_bps *= scale;
	figures->bandwidth.ci95_bps.lo *= scale;
	figures->bandwidth.ci95_bps.hi *= scale;
	figures->ratio.median *= scale;
	figures->near_ns *= scale;
}

/* No mix of settings may break the widths. */
START_TEST(test_any_settings)
{
	struct fz_random random = fz_random_begin(7, (uint64_t)_i);
	struct sample *sample =
		sample_new(&sample_kinds[(size_t)_i % nr_sample_kinds]);
	const size_t nr = sample->result.nr_rows;

	for (size_t i = 0; i < nr; i++)
		shuffle_row(sample, i, &random);
	if (_i % 3 == 0)
		sample->result.command =
			"foliosim bench --policy=streaming-neighbourhood-last,"
			"streaming-neighbourhood-last,neighbourhood-last-v6,"
			"discontiguous-page --output 'it'\\''s \"here\"'";
	check_shape(sample);
	check_views(sample, "shuffled");
	sample_free(sample);
}
END_TEST

static const double poisons[] = { NAN, INFINITY, -INFINITY };

static void poison_wakeup(struct fz_figures *figures, double value)
{
	figures->points_per_fault = value;
	figures->interval_ns.mean = value;
	figures->fault_ns.mean = value;
	figures->wakeup_ns = (struct fz_wakeup){ value, value, value, value };
	figures->line_ns = figures->near_ns = figures->folio_ns = value;
}

START_TEST(test_no_figure_is_printed_as_nan)
{
	const double value = poisons[_i];
	struct sample *sample = sample_find("full");

	sample->result.point_cost_ns = value;
	for (size_t i = 0; i < sample->result.nr_rows; i++) {
		struct fz_figures *figures = &sample->figures[i];

		poison_wakeup(figures, value);
		figures->bandwidth = (struct fz_bandwidth){
			value, value, value, { value, value }
		};
		figures->ratio.median = value;
		figures->ratio.ci95 = (struct fz_interval){ value, value };
	}
	sample->verdicts[0].winner = NULL;
	check_views(sample, "poisoned");
	check_shape(sample);
	sample->figures[3].baseline = NULL;
	check_views(sample, "without a baseline");
	sample_free(sample);
}
END_TEST

START_TEST(test_full_disk_is_told)
{
	const struct sample_view *view = &sample_views[_i];
	struct sample *sample = sample_find("full");
	FILE *out = fopen("/dev/full", "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(view->print(out, &sample->result), -ENOSPC);
	fclose(out);
	sample_free(sample);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("result_limits");
	TCase *tcase = tcase_create("limits");

	tcase_add_loop_test(tcase, test_shape, 0, (int)nr_sample_kinds);
	tcase_add_loop_test(tcase, test_any_settings, 0, NR_SHUFFLES);
	tcase_add_loop_test(tcase, test_no_figure_is_printed_as_nan, 0,
			    (int)(sizeof(poisons) / sizeof(poisons[0])));
	tcase_add_loop_test(tcase, test_full_disk_is_told, 0,
			    (int)nr_sample_views);
	suite_add_tcase(suite, tcase);
	return suite;
}
