// SPDX-License-Identifier: GPL-2.0-or-later
/* Drawn histograms: nothing is lost, both humps are seen, lines are few. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"
#include "histogram_text.h"

/* What can be read back from the lines. */
struct drawn {
	uint64_t count;     /* sum of the counts */
	unsigned int lines; /* without the heading */
	size_t widest;
	double count_pct; /* sums of the shares */
	double time_pct;
	unsigned int humps; /* runs of bars longer than one character */
};

static struct fz_histogram *histogram_new(void)
{
	struct fz_histogram *h = malloc(sizeof(*h));

	ck_assert_ptr_nonnull(h);
	fz_histogram_init(h);
	return h;
}

static char *draw(const struct fz_histogram *h)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	fz_histogram_text(out, h);
	fclose(out);
	return text;
}

static void read_line(const char *line, struct drawn *drawn, bool *in_hump)
{
	double edge, count_pct, time_pct;
	char unit[8], bar[2][64];
	uint64_t count;
	bool high;

	drawn->lines++;
	if (strchr(line, ':')) {
		*in_hump = false;
		return;
	}
	ck_assert_msg(sscanf(line,
			     " %lf %7s %" SCNu64 " %lf%% |%63[^|]| %lf%% "
			     "|%63[^|]|",
			     &edge, unit, &count, &count_pct, bar[0], &time_pct,
			     bar[1]) == 7,
		      "not read: %s", line);
	drawn->count += count;
	drawn->count_pct += count_pct;
	drawn->time_pct += time_pct;
	/* Whatever holds something shows something. */
	ck_assert_int_eq(count > 0, strpbrk(bar[0], ".#") != NULL);
	high = strstr(bar[0], "##") != NULL;
	drawn->humps += high && !*in_hump;
	*in_hump = high;
}

static struct drawn read_back(char *text)
{
	struct drawn drawn = { .count = 0 };
	char *rest = text;
	char *line;
	bool in_hump = false;

	strsep(&rest, "\n"); /* the heading */
	while ((line = strsep(&rest, "\n")) && *line) {
		if (strlen(line) > drawn.widest)
			drawn.widest = strlen(line);
		read_line(line, &drawn, &in_hump);
	}
	return drawn;
}

static void check(const struct fz_histogram *h, unsigned int humps)
{
	char *text = draw(h);
	char *copy = strdup(text);
	const struct drawn drawn = read_back(copy);

	ck_assert_msg(drawn.count == h->count, "%" PRIu64 ":\n%s", drawn.count,
		      text);
	ck_assert_msg(drawn.lines <= FZ_HISTOGRAM_LINES, "%s", text);
	ck_assert_msg(drawn.widest <= 78, "%s", text);
	/* 40 shares, each rounded to 0.1 %. */
	ck_assert_msg(drawn.count_pct > 98.0 && drawn.count_pct < 102.0, "%s",
		      text);
	if (h->max)
		ck_assert_msg(drawn.time_pct > 98.0 && drawn.time_pct < 102.0,
			      "%s", text);
	if (humps)
		ck_assert_msg(drawn.humps == humps, "%u humps:\n%s",
			      drawn.humps, text);
	free(copy);
	free(text);
}

static const struct {
	uint64_t short_ns, nr_short;
	uint64_t long_ns, nr_long;
	unsigned int humps;
} shapes[] = {
	{ 1900, 512, 350000, 200, 2 }, { 100, 10, 130, 10, 2 },
	{ 500, 1000, 500, 1000, 1 },   { 1, 10, 1ull << 40, 10, 2 },
	{ 0, 10, 5, 10, 2 },           { 0, 10, 0, 10, 1 },
	{ 1, 1, UINT64_MAX, 1, 2 },    { UINT64_MAX, 3, UINT64_MAX, 3, 1 },
};

START_TEST(test_shape)
{
	struct fz_histogram *h = histogram_new();

	fz_histogram_add_many(h, shapes[_i].short_ns, shapes[_i].nr_short);
	fz_histogram_add_many(h, shapes[_i].long_ns, shapes[_i].nr_long);
	check(h, shapes[_i].humps);
	free(h);
}
END_TEST

START_TEST(test_any_values)
{
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	struct fz_histogram *h = histogram_new();
	const uint64_t nr = 1 + fz_random_below(&random, 300);
	const uint64_t octaves = 1 + fz_random_below(&random, 64);

	for (uint64_t i = 0; i < nr; i++)
		fz_histogram_add(h, fz_random_next(&random) >>
					    fz_random_below(&random, octaves));
	check(h, 0);
	free(h);
}
END_TEST

START_TEST(test_empty)
{
	struct fz_histogram *h = histogram_new();
	char *text = draw(h);

	ck_assert_str_eq(text, "");
	free(text);
	free(h);
}
END_TEST

/* The edges of parts are read from the left: 9 ns stand below "9.00 ns". */
START_TEST(test_golden)
{
	struct fz_histogram *h = histogram_new();
	char *text;

	fz_histogram_add_many(h, 9, 3);
	fz_histogram_add_many(h, 10, 1);
	text = draw(h);
	ck_assert_str_eq(
		text,
		"      from     count  of all stretches             of their "
		"time\n"
		"   9.00 ns         3   75.0% |##############    |   73.0% "
		"|#############     |\n"
		"   10.0 ns         1   25.0% |#####             |   27.0% "
		"|#####             |\n");
	free(text);
	free(h);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("histogram_text");
	TCase *tcase = tcase_create("draw");

	tcase_add_loop_test(tcase, test_shape, 0,
			    (int)(sizeof(shapes) / sizeof(shapes[0])));
	tcase_add_loop_test(tcase, test_any_values, 0, 200);
	tcase_add_test(tcase, test_empty);
	tcase_add_test(tcase, test_golden);
	suite_add_tcase(suite, tcase);
	return suite;
}
