// SPDX-License-Identifier: GPL-2.0-or-later
/* Caches from and to text. */
#include <errno.h>
#include <string.h>

#include <fz/cache_spec.h>
#include <fz/random.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

#define NR_RANDOM_TEXTS 200000

/* Texts, and what they are written as. */
static const struct {
	const char *text;
	const char *written;
} good[] = {
	{ "32K/8", "32K/8" },
	{ "32768/8", "32K/8" },
	{ "32k/8:plain", "32K/8" },
	{ "32K/8,1M/8:inclusive,32M/16:victim",
	  "32K/8,1M/8:inclusive,32M/16:victim" },
	{ "48K/12@5,2M/16@14.5,480M/15@70.25,memory=300",
	  "48K/12@5,2M/16@14.5,480M/15@70.25,memory=300" },
	{ "line=128,32K/8,memory=0.5", "32K/8,line=128,memory=0.5" },
	{ "32K/8,line=64", "32K/8" },
	{ "32K/8,1M/8,prefetch=16/2/1", "32K/8,1M/8,prefetch=16/2/1" },
	{ "32K/8,prefetch=0", "32K/8" },
	{ "32K/8,elide=32M/10.5M,loads=2.157",
	  "32K/8,elide=32M/10752K,loads=2.157" },
	{ "32K/8,elide=32M/0", "32K/8,elide=32M/0B" },
	{ "1.5M/12", "1536K/12" },
	{ "0.5K/8", "512B/8" },
	{ "1K/1,2K/1,4K/1,8K/1", "1K/1,2K/1,4K/1,8K/1" },
	{ "here", "16K/4@3,loads=1.5" },
	{ "here,loads=0", "16K/4@3" },
	{ "milan,prefetch=0,elide=0,loads=0",
	  "32K/8@4,512K/8:inclusive@12,32M/16:victim@46" },
	{ "genoa,memory=400,prefetch=8/1/2,elide=0,loads=1",
	  "32K/8@4,1M/8:inclusive@14,32M/16:victim@50,memory=400,"
	  "prefetch=8/1/2,loads=1" },
};

/* Texts, and what is said of them. */
static const struct {
	const char *text;
	const char *said;
} bad[] = {
	{ "", "empty" },
	{ ",", "empty" },
	{ "32K/8,", "empty" },
	{ ",32K/8", "empty" },
	{ "32K/8,,1M/8", "empty" },
	{ "line=64", "no level" },
	{ "32K", "'32K' is no level" },
	{ "32K/", "is no level" },
	{ "/8", "is no level" },
	{ "32K/8 ", "is no level" },
	{ " 32K/8", "is no level" },
	{ "32K/8:", "is no level" },
	{ "32K/8:exclusive", "is no level" },
	{ "32K/8@", "is no level" },
	{ "32K/8@0", "is no level" },
	{ "32K/8@-4", "is no level" },
	{ "32K/8@nan", "is no level" },
	{ "32K/8@4:victim", "is no level" },
	{ "32K/8/8", "is no level" },
	{ "32K/4294967304", "is no level" },
	{ "1.3K/8", "is no level" },
	{ "32Kx/8", "is no level" },
	{ "32K/-8", "is no level" },
	{ "+32K/8", "is no level" },
	{ "99999999999T/8", "is no level" },
	{ "GENOA", "genoa, milan" },
	{ "genoa2", "is no level" },
	{ "32K/8,genoa", "is no level" },
	{ "genoa,32K/8", "beside those of a preset" },
	{ "here,here", "is no level" },
	{ "1K/1,1K/1,1K/1,1K/1,1K/1", "one level too many" },
	{ "genoa,loads=1,loads=1", "'loads' is given twice" },
	{ "32K/8,line", "is no level" },
	{ "32K/8,line=", "line=64" },
	{ "32K/8,lines=64", "give line=" },
	{ "32K/8,=64", "give line=" },
	{ "32K/8,memory=0", "memory=300" },
	{ "32K/8,memory=1e3", "memory=300" },
	{ "32K/8,1M/8,prefetch=16", "prefetch=16/2/1" },
	{ "32K/8,1M/8,prefetch=16/2", "prefetch=16/2/1" },
	{ "32K/8,1M/8,prefetch=0/2/1", "prefetch=16/2/1" },
	{ "32K/8,1M/8,prefetch=16/2/1/1", "prefetch=16/2/1" },
	{ "32K/8,elide=32M", "elide=32M/10.5M" },
	{ "32K/8,elide=0/1M", "elide=32M/10.5M" },
	{ "32K/8,elide=32M/", "elide=32M/10.5M" },
	{ "32K/8,loads=", "loads=2.157" },
	{ "32K/8,loads=two", "loads=2.157" },
	{ "32K/8,loads=1.0000000000000000000000000000000000000000000000000000",
	  "loads=2.157" },
	{ "32K/8,"
	  "loads=1.00000000000000000000000000000000000000000000000000000000000",
	  "a shorter word" },
	/* What only the whole shows. */
	{ "32K/0", "" },
	{ "32K/65", "" },
	{ "32K/7", "" },
	{ "32K/8,line=48", "" },
	{ "32K/8:victim", "" },
	{ "32K/8,1M/8:victim,32M/16", "" },
	{ "32K/8,16K/8:inclusive", "" },
	{ "32K/8,prefetch=16/2/1", "" },
	{ "32K/8,1M/8,prefetch=65/2/1", "" },
	{ "32K/8,1M/8,prefetch=16/17/1", "" },
	{ "32K/8,1M/8,prefetch=16/2/0", "" },
	{ "32K/8,8P/8", "" },
};

static const struct fz_cache_spec here = {
	.geometry = { .line_bytes = 64,
		      .nr_levels = 1,
		      .level = { { 16384, 4, FZ_CACHE_PLAIN, 3 } } },
	.store = { .loads_per_line = 1.5 },
};

START_TEST(good_text)
{
	char written[FZ_CACHE_SPEC_BYTES], again[FZ_CACHE_SPEC_BYTES];
	struct fz_cache_spec spec;
	struct fz_err err = { "" };

	ck_assert_msg(fz_cache_spec_parse(good[_i].text, &here, &spec, &err) ==
			      0,
		      "%s: %s", good[_i].text, err.msg);
	fz_cache_spec_format(written, sizeof(written), &spec);
	ck_assert_str_eq(written, good[_i].written);
	ck_assert_int_eq(fz_cache_spec_parse(written, NULL, &spec, &err), 0);
	fz_cache_spec_format(again, sizeof(again), &spec);
	ck_assert_str_eq(written, again);
}
END_TEST

START_TEST(bad_text)
{
	struct fz_cache_spec spec = here;
	struct fz_err err = { "" };

	ck_assert_msg(fz_cache_spec_parse(bad[_i].text, &here, &spec, &err) ==
			      -EINVAL,
		      "'%s' is taken", bad[_i].text);
	ck_assert_msg(err.msg[0] && strstr(err.msg, bad[_i].said), "%s: %s",
		      bad[_i].text, err.msg);
	ck_assert_mem_eq(&spec, &here, sizeof(spec));
	ck_assert_int_eq(fz_cache_spec_parse(bad[_i].text, &here, &spec, NULL),
			 -EINVAL);
}
END_TEST

START_TEST(fields)
{
	struct fz_cache_spec spec;

	ck_assert_int_eq(fz_cache_spec_parse("32K/8@4,1M/16:inclusive,line=128,"
					     "memory=300,prefetch=7/2/3,"
					     "elide=32M/10.5M,loads=2.5",
					     NULL, &spec, NULL),
			 0);
	ck_assert_uint_eq(spec.geometry.line_bytes, 128);
	ck_assert_uint_eq(spec.geometry.nr_levels, 2);
	ck_assert_uint_eq(spec.geometry.level[0].bytes, 32768);
	ck_assert_uint_eq(spec.geometry.level[0].ways, 8);
	ck_assert(spec.geometry.level[0].latency_cycles == 4);
	ck_assert_int_eq(spec.geometry.level[0].relation, FZ_CACHE_PLAIN);
	ck_assert_uint_eq(spec.geometry.level[1].bytes, 1048576);
	ck_assert_uint_eq(spec.geometry.level[1].ways, 16);
	ck_assert(spec.geometry.level[1].latency_cycles == 0);
	ck_assert_int_eq(spec.geometry.level[1].relation, FZ_CACHE_INCLUSIVE);
	ck_assert(spec.geometry.memory_cycles == 300);
	ck_assert_uint_eq(spec.geometry.prefetcher.streams, 7);
	ck_assert_uint_eq(spec.geometry.prefetcher.degree, 2);
	ck_assert_uint_eq(spec.geometry.prefetcher.distance, 3);
	ck_assert_uint_eq(spec.store.threshold_bytes, 32 << 20);
	ck_assert_uint_eq(spec.store.ramp_bytes, 21 << 19);
	ck_assert(spec.store.loads_per_line == 2.5);
}
END_TEST

START_TEST(presets_are_caches)
{
	for (const struct fz_cache_preset *preset = fz_cache_presets;
	     preset->name; preset++) {
		struct fz_cache_spec spec, same;

		ck_assert_int_eq(
			fz_cache_spec_parse(preset->name, NULL, &spec, NULL),
			0);
		ck_assert_int_eq(
			fz_cache_spec_parse(preset->text, NULL, &same, NULL),
			0);
		ck_assert_mem_eq(&spec, &same, sizeof(spec));
		ck_assert(preset->summary[0] != '\0');
	}
}
END_TEST

START_TEST(here_may_be_unknown)
{
	struct fz_cache_spec spec;
	struct fz_err err;

	ck_assert_int_eq(fz_cache_spec_parse("here", NULL, &spec, &err),
			 -EINVAL);
	ck_assert_ptr_null(strstr(err.msg, "here,"));
}
END_TEST

/* One to three characters of a good text, put in, taken out or replaced. */
static void mutate(struct fz_random *random, char *text)
{
	static const char chars[] = "0123456789.KMG/:@=,-ivpreline ";
	const uint64_t nr = 1 + fz_random_below(random, 3);

	for (uint64_t i = 0; i < nr; i++) {
		const size_t length = strlen(text);
		char *at = text + fz_random_below(random, length + 1);
		const char c =
			chars[fz_random_below(random, sizeof(chars) - 1)];

		switch (fz_random_below(random, 3)) {
		case 0:
			memmove(at + 1, at, strlen(at) + 1);
			*at = c;
			break;
		case 1:
			if (*at)
				memmove(at, at + 1, strlen(at));
			break;
		default:
			if (*at)
				*at = c;
			break;
		}
	}
}

/* Whatever is taken is written so that it is read back to the same. */
static bool comes_back(const struct fz_cache_spec *spec)
{
	char text[FZ_CACHE_SPEC_BYTES], again[FZ_CACHE_SPEC_BYTES];
	struct fz_cache_spec back;

	fz_cache_spec_format(text, sizeof(text), spec);
	if (fz_cache_spec_parse(text, NULL, &back, NULL))
		return false;
	fz_cache_spec_format(again, sizeof(again), &back);
	return strcmp(text, again) == 0 &&
	       memcmp(&back.geometry.level, &spec->geometry.level,
		      sizeof(back.geometry.level)) == 0 &&
	       back.geometry.memory_cycles == spec->geometry.memory_cycles &&
	       memcmp(&back.store, &spec->store, sizeof(back.store)) == 0;
}

START_TEST(mutated_texts)
{
	struct fz_random random = fz_random_begin(1, 0);
	unsigned int nr_taken = 0, nr_lost = 0;

	for (unsigned int i = 0; i < NR_RANDOM_TEXTS; i++) {
		char text[FZ_CACHE_SPEC_BYTES];
		struct fz_cache_spec spec;

		strcpy(text, good[fz_random_below(&random, NR(good))].text);
		mutate(&random, text);
		if (fz_cache_spec_parse(text, &here, &spec, NULL))
			continue;
		nr_taken++;
		nr_lost += !comes_back(&spec);
	}
	ck_assert_uint_gt(nr_taken, NR_RANDOM_TEXTS / 100);
	ck_assert_uint_eq(nr_lost, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("model.cache_spec");
	TCase *tcase = tcase_create("cache_spec");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, good_text, 0, NR(good));
	tcase_add_loop_test(tcase, bad_text, 0, NR(bad));
	tcase_add_test(tcase, fields);
	tcase_add_test(tcase, presets_are_caches);
	tcase_add_test(tcase, here_may_be_unknown);
	tcase_add_test(tcase, mutated_texts);
	suite_add_tcase(suite, tcase);
	return suite;
}
