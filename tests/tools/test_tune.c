// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said of a curve whose shares are known only within intervals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fz_test.h"
#include "tune.h"

#define K  1024u
#define NR 5

static struct fz_tune_options options;
static struct fz_machine machine;
static struct fz_tune tune;

/* Shares of batches of 4K, 8K and so on, for which stretches are as long. */
struct shares {
	double lo[NR], share[NR], hi[NR];
};

static int sample(void *state, struct fz_tune *of,
		  const struct fz_tune_ask *asks, size_t nr_asks,
		  struct fz_err *err)
{
	const struct shares *shares = state;

	(void)asks, (void)nr_asks, (void)err;
	for (unsigned int i = 0; i < NR; i++)
		fz_tune_add(
			&of->curves[0],
			&(struct fz_tune_sample){
				.batch_bytes = 4 * K << i,
				.bps = 1e10 * shares->share[i],
				.bps_ci95 = { NAN, NAN },
				.share = shares->share[i],
				.share_ci95 = { shares->lo[i], shares->hi[i] },
				.stretch_ns = 4 * K << i,
				.longest_ns = 4 * K << i,
				.rounds = 11,
			});
	return 0;
}

static void run(const struct shares *shares, double share)
{
	struct shares copy = *shares;
	struct fz_err err = { "" };

	options = (struct fz_tune_options){
		.bench.nr_batches = 1,
		.wish = { .share = share, .max_ns = 40 * K },
	};
	tune = (struct fz_tune){
		.command = "foliosim tune",
		.options = &options,
		.machine = &machine,
		.page = { FZ_PAGES_BASE, 4 * K },
		.size_bytes = 64 * K,
		.folio_bytes = 64 * K,
		.curves[0].clear = "stosb",
		.nr_curves = 1,
	};
	ck_assert_int_eq(fz_tune_run(&tune,
				     (struct fz_tune_source){ &copy, sample },
				     &err),
			 0);
}

static const struct shares sharp = {
	{ 0.5, 0.7, 0.96, 0.97, 1 },
	{ 0.5, 0.8, 0.97, 0.98, 1 },
	{ 0.6, 0.9, 0.98, 0.99, 1 },
};

static const struct shares wide = {
	{ 0.5, 0.9, 0.94, 0.96, 1 },
	{ 0.5, 0.94, 0.97, 0.98, 1 },
	{ 0.6, 0.95, 0.98, 0.99, 1 },
};

static const struct shares predicted = {
	{ NAN, NAN, NAN, NAN, NAN },
	{ 0.5, 0.8, 0.95, 0.98, 1 },
	{ NAN, NAN, NAN, NAN, NAN },
};

/* Marks are those of 4K, 8K, 16K, 32K and the whole folio, which waits too
 * long for any. */
static const struct {
	const struct shares *shares;
	double wish;
	uint64_t from, to;
	const char *sentence, *marks;
} cases[] = {
	{ &sharp, 0.95, 0, 0, "both can be had: anything from 16K to 32K",
	  "  ** " },
	{ &sharp, 0.96, 0, 0, "both can be had: anything from 16K to 32K",
	  "  ** " },
	{ &sharp, 0.9, 8 * K, 8 * K,
	  "both can be had: anything from 16K to 32K; at the edge of 90 %: 8K",
	  " ?** " },
	{ &sharp, 0.985, 32 * K, 32 * K,
	  "not both: 98.5 % takes batches of 64K, 41.0us allows 32K; at the "
	  "edge of 98.5 %: 32K",
	  "   ? " },
	{ &wide, 0.95, 8 * K, 16 * K,
	  "both can be had: anything from 16K to 32K; at the edge of 95 %: 8K "
	  "to 16K",
	  " ??* " },
	{ &wide, 1, 0, 0,
	  "not both: 100 % takes batches of 64K, 41.0us allows 32K", "     " },
	{ &predicted, 0.95, 0, 0, "both can be had: anything from 16K to 32K",
	  "  ** " },
};

START_TEST(edges)
{
	char sentence[FZ_ERR_MSG_BYTES];

	run(cases[_i].shares, cases[_i].wish);
	ck_assert_uint_eq(tune.curves[0].edge_from_bytes, cases[_i].from);
	ck_assert_uint_eq(tune.curves[0].edge_to_bytes, cases[_i].to);
	fz_tune_sentence(sentence, sizeof(sentence), &tune, &tune.curves[0]);
	ck_assert_str_eq(sentence, cases[_i].sentence);
}
END_TEST

static char *written(int (*view)(FILE *out, const struct fz_tune *tune))
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(view(out, &tune), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

/* All white space is one blank: lines may be broken anywhere. */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

START_TEST(the_text_says_the_same)
{
	const bool any = cases[_i].from > 0;
	const char *line;
	char *text;

	run(cases[_i].shares, cases[_i].wish);
	text = written(fz_tune_text);
	line = strstr(text, "stretch\n");
	for (unsigned int i = 0; i < NR; i++) {
		line = strchr(line, '\n') + 1;
		ck_assert_int_eq(*line, cases[_i].marks[i]);
	}
	join_lines(text);
	ck_assert_ptr_nonnull(strstr(text, cases[_i].sentence));
	ck_assert_int_eq(strstr(text, "?: the same if") != NULL, any);
	free(text);
}
END_TEST

/* The answer itself is at the edge, or the one below it. */
START_TEST(the_answer_has_its_interval)
{
	char *text;

	run(&wide, 0.95);
	text = written(fz_tune_text);
	join_lines(text);
	ck_assert_ptr_nonnull(
		strstr(text, "16K, 97.0 % (94.0 to 98.0), at the edge "));
	free(text);
	run(&sharp, 0.9);
	text = written(fz_tune_text);
	join_lines(text);
	ck_assert_ptr_nonnull(strstr(text, "16K, 97.0 % (96.0 to 98.0) "));
	free(text);
}
END_TEST

START_TEST(the_document_says_the_same)
{
	json_t *document, *curve, *edge;
	char *text;

	run(cases[_i].shares, cases[_i].wish);
	text = written(fz_tune_json);
	document = json_loads(text, 0, NULL);
	curve = json_array_get(json_object_get(document, "curves"), 0);
	edge = json_object_get(curve, "edge_bytes");
	ck_assert_str_eq(json_string_value(json_object_get(curve, "answer")),
			 cases[_i].sentence);
	ck_assert_int_eq(json_is_null(edge), cases[_i].from == 0);
	ck_assert_uint_eq((uint64_t)json_integer_value(json_array_get(edge, 0)),
			  cases[_i].from);
	ck_assert_uint_eq((uint64_t)json_integer_value(json_array_get(edge, 1)),
			  cases[_i].to);
	json_decref(document);
	free(text);
}
END_TEST

Suite *fz_test_suite(void)
{
	const int nr = (int)(sizeof(cases) / sizeof(cases[0]));
	Suite *suite = suite_create("tune");
	TCase *tcase = tcase_create("tune");

	tcase_add_loop_test(tcase, edges, 0, nr);
	tcase_add_loop_test(tcase, the_text_says_the_same, 0, nr);
	tcase_add_test(tcase, the_answer_has_its_interval);
	tcase_add_loop_test(tcase, the_document_says_the_same, 0, nr);
	suite_add_tcase(suite, tcase);
	return suite;
}
