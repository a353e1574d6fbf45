// SPDX-License-Identifier: GPL-2.0-or-later
/* All formats on all samples, whole and damaged. */
#include "fz_test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "feed_format.h"
#include "read_trace.h"

#define MAX_SAMPLES  64u
#define NR_MUTATIONS 60u
#define MAX_BYTES    ((size_t)64 << 10)

static struct sample {
	char name[256];
	char *bytes;
	size_t nr;
} samples[MAX_SAMPLES];
static size_t nr_samples;

static int is_sample(const struct dirent *entry)
{
	return strchr(entry->d_name, '.') && entry->d_name[0] != '.';
}

static void read_samples(void)
{
	struct dirent **entries;
	const int nr = scandir(FZ_TRACE_DATA, &entries, is_sample, alphasort);

	ck_assert_int_gt(nr, 0);
	for (int i = 0; i < nr && nr_samples < MAX_SAMPLES; i++) {
		struct sample *sample = &samples[nr_samples++];

		snprintf(sample->name, sizeof(sample->name), "%s",
			 entries[i]->d_name);
		sample->bytes = read_sample(sample->name, &sample->nr);
		free(entries[i]);
	}
	free(entries);
}

static void free_samples(void)
{
	for (size_t i = 0; i < nr_samples; i++)
		free(samples[i].bytes);
	nr_samples = 0;
}

/* The format that is surest, or NULL; two must not be as sure. */
static const struct fz_trace_format *surest(const char *bytes, size_t nr)
{
	const struct fz_trace_format *best = NULL;
	unsigned int sure = 0, nr_sure = 0;

	for (size_t i = 0; fz_trace_formats[i]; i++) {
		const unsigned int score =
			fz_trace_formats[i]->probe(bytes, nr);

		nr_sure = score > sure    ? 1
			  : score == sure ? nr_sure + 1
					  : nr_sure;
		if (score > sure) {
			best = fz_trace_formats[i];
			sure = score;
		}
	}
	ck_assert_msg(!best || nr_sure == 1, "two are as sure as '%s'",
		      best ? best->name : "");
	return best;
}

static bool is_of(const struct sample *sample,
		  const struct fz_trace_format *format)
{
	const size_t bytes = strlen(format->name);

	return strncmp(sample->name, format->name, bytes) == 0 &&
	       sample->name[bytes] == '.';
}

START_TEST(samples_are_recognised)
{
	for (size_t i = 0; i < nr_samples; i++) {
		const struct fz_trace_format *format =
			surest(samples[i].bytes, samples[i].nr);

		ck_assert_msg(format && is_of(&samples[i], format),
			      "'%s' is taken for %s", samples[i].name,
			      format ? format->name : "nothing");
	}
}
END_TEST

/* However little of a sample there is: its format, or none. */
START_TEST(parts_are_not_mistaken)
{
	for (size_t i = 0; i < nr_samples; i++) {
		const struct sample *sample = &samples[i];
		const size_t max = sample->nr < 2048 ? sample->nr : 2048;

		for (size_t nr = 0; nr <= max; nr += nr < 300 ? 1 : 13) {
			const struct fz_trace_format *format =
				surest(sample->bytes, nr);

			if (format && !is_of(sample, format))
				ck_abort_msg("%zu bytes of '%s' are taken for "
					     "%s",
					     nr, sample->name, format->name);
		}
	}
}
END_TEST

static const char *const letters[] = {
	"",
	"\n",
	"\n\n\n",
	"Dear reader,\nthis is a letter: it has 12 words.\n",
	"{ \"schema\": \"foliosim.result-1\" }\n",
	"a,b,c\n1,2,3\n",
	"\177ELF\2\1\1",
	"PERFILE2\x68",
};

START_TEST(other_texts_are_not_recognised)
{
	ck_assert_ptr_null(surest(letters[_i], strlen(letters[_i])));
}
END_TEST

static void flip(char *bytes, size_t nr, struct fz_random *random)
{
	bytes[fz_random_below(random, nr)] ^=
		(char)(1 << fz_random_below(random, 8));
}

static void put_garbage(char *bytes, size_t nr, struct fz_random *random)
{
	const size_t at = fz_random_below(random, nr);
	const size_t end = at + fz_random_below(random, 64);

	for (size_t i = at; i < end && i < nr; i++)
		bytes[i] = (char)fz_random_next(random);
}

/* A number as large as numbers get. */
static void put_digits(char *bytes, size_t nr, struct fz_random *random)
{
	static const char *const numbers[] = {
		"18446744073709551615", "18446744073709551616",
		"ffffffffffffffff",     "99999999999999999999999",
		"4294967296",           "-1",
	};
	const char *number = numbers[fz_random_below(
		random, sizeof(numbers) / sizeof(*numbers))];
	const size_t at = fz_random_below(random, nr);

	for (size_t i = 0; number[i] && at + i < nr; i++)
		bytes[at + i] = number[i];
}

static void move_part(char *bytes, size_t nr, struct fz_random *random)
{
	const size_t from = fz_random_below(random, nr);
	const size_t to = fz_random_below(random, nr);
	const size_t part =
		fz_random_below(random, nr - (from > to ? from : to) < 200
						? nr - (from > to ? from : to)
						: 200);

	memmove(bytes + to, bytes + from, part);
}

static size_t mutate(char *bytes, size_t nr, struct fz_random *random)
{
	static void (*const ways[])(char *bytes, size_t nr,
				    struct fz_random *random) = {
		flip,
		put_garbage,
		put_digits,
		move_part,
	};
	const uint64_t times = 1 + fz_random_below(random, 8);

	for (uint64_t i = 0; nr && i < times; i++)
		ways[fz_random_below(random, sizeof(ways) / sizeof(*ways))](
			bytes, nr, random);
	return fz_random_below(random, 4) ? nr
					  : fz_random_below(random, nr + 1);
}

static void must_feed(const struct fz_trace_format *format,
		      const struct sample *sample, const char *bytes, size_t nr)
{
	const char *wrong = feed_format(format, bytes, nr);

	if (wrong)
		ck_abort_msg("'%s' made of '%s': %s", format->name,
			     sample->name, wrong);
}

START_TEST(nothing_breaks_a_reader)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	char *bytes = malloc(MAX_BYTES);

	for (size_t i = 0; i < nr_samples; i++) {
		const size_t nr =
			samples[i].nr < MAX_BYTES ? samples[i].nr : MAX_BYTES;

		must_feed(format, &samples[i], samples[i].bytes, nr);
		for (unsigned int j = 0; j < NR_MUTATIONS; j++) {
			memcpy(bytes, samples[i].bytes, nr);
			must_feed(format, &samples[i], bytes,
				  mutate(bytes, nr, &random));
		}
	}
	free(bytes);
}
END_TEST

/* Cut at every byte, as far as that does not take long. */
START_TEST(cut_anywhere)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];

	for (size_t i = 0; i < nr_samples; i++)
		if (is_of(&samples[i], format))
			for (size_t nr = 0; nr < samples[i].nr && nr < 600;
			     nr++)
				must_feed(format, &samples[i], samples[i].bytes,
					  nr);
}
END_TEST

/* Lines of 1 MB of each kind of character. */
START_TEST(endless_lines)
{
	static const char fillers[] = " 0f.:-/[(@x\t\0\xff";
	const struct fz_trace_format *format = fz_trace_formats[_i];
	const struct sample none = { .name = "long lines" };
	const size_t nr = (size_t)1 << 20;
	char *bytes = malloc(nr);

	for (size_t i = 0; i < sizeof(fillers) - 1; i++) {
		memset(bytes, fillers[i], nr);
		bytes[nr - 1] = '\n';
		must_feed(format, &none, bytes, nr);
	}
	free(bytes);
}
END_TEST

START_TEST(names_are_found)
{
	const struct fz_trace_format *format = fz_trace_formats[_i];

	ck_assert_ptr_eq(fz_trace_format_find(format->name), format);
	ck_assert_ptr_nonnull(format->summary);
	ck_assert_ptr_nonnull(format->probe);
	ck_assert_ptr_nonnull(format->read);
	ck_assert_ptr_null(strpbrk(format->name, "_ "));
	ck_assert_ptr_null(fz_trace_format_find("perf"));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.trace_formats");
	TCase *tcase = tcase_create("formats");
	int nr = 0;

	while (fz_trace_formats[nr])
		nr++;
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, read_samples, free_samples);
	tcase_add_test(tcase, samples_are_recognised);
	tcase_add_test(tcase, parts_are_not_mistaken);
	tcase_add_loop_test(tcase, other_texts_are_not_recognised, 0,
			    sizeof(letters) / sizeof(*letters));
	tcase_add_loop_test(tcase, nothing_breaks_a_reader, 0, nr);
	tcase_add_loop_test(tcase, cut_anywhere, 0, nr);
	tcase_add_loop_test(tcase, endless_lines, 0, nr);
	tcase_add_loop_test(tcase, names_are_found, 0, nr);
	suite_add_tcase(suite, tcase);
	return suite;
}
