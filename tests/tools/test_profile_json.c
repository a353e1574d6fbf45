// SPDX-License-Identifier: GPL-2.0-or-later
/* Machine profiles as JSON: there and back, bad ones, and mutations. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>
#include <jansson.h>

#include "fz_test.h"
#include "mutate_json.h"
#include "shipped_profiles.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

static struct fz_profile_document document, again;

static int parse(struct fz_profile_document *out, const char *text,
		 struct fz_err *err)
{
	return fz_profile_parse(out, "x.json", text, strlen(text), err);
}

static char *printed(const struct fz_profile_document *from)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	ck_assert_int_eq(fz_profile_print(out, from), 0);
	fclose(out);
	return text;
}

static bool is_sentence(const char *message)
{
	if (strncmp(message, "cannot read 'x.json': ", 22) != 0 || !message[22])
		return false;
	for (; *message; message++)
		if (*message < ' ' || *message > '~')
			return false;
	return true;
}

/* Of any size, now and then not known. */
static double any_real(struct fz_random *random, double min, double max)
{
	const double at = (double)fz_random_below(random, 1u << 30) / 0x1p30;

	switch (fz_random_below(random, 6)) {
	case 0:
		return NAN;
	case 1:
		return min;
	case 2:
		return max;
	default:
		return min + (max - min) * pow(at, 9);
	}
}

static unsigned int any_number(struct fz_random *random, unsigned int max)
{
	return (unsigned int)fz_random_below(random, max + 1);
}

static struct fz_profile_clear any_clear(struct fz_random *random, size_t i)
{
	struct fz_profile_clear clear = {
		.streaming = fz_random_below(random, 3) == 0,
		.drain_ns = any_real(random, 0, 1e9),
		.bps = any_real(random, 1e6, 1e15),
		.elided_bps = NAN,
		.elided_share = NAN,
		.interrupted_ns = any_real(random, 0, 1e9),
	};

	snprintf(clear.name, sizeof(clear.name), "clear-%zu", i);
	for (int r = 0; r < FZ_NR_RELATIONS; r++)
		clear.call_ns[r] = any_real(random, 0, 1e9);
	if (clear.streaming || fz_random_below(random, 2))
		return clear;
	clear.threshold_bytes = 1 + fz_random_below(random, 1ull << 40);
	clear.ramp_bytes = fz_random_below(random, clear.threshold_bytes + 1);
	clear.elided_bps = any_real(random, 1e6, 1e15);
	clear.elided_share = any_real(random, 0, 1);
	return clear;
}

static struct fz_cache_geometry any_cache(struct fz_random *random)
{
	struct fz_cache_geometry cache = {
		.line_bytes = 16u << fz_random_below(random, 9),
		.nr_levels = any_number(random, FZ_CACHE_MAX_LEVELS),
		.memory_cycles = fz_random_below(random, 2) ? 312.5 : 0,
		.memory_read_cycles = fz_random_below(random, 2) ? 12.5 : 0,
	};

	if (!cache.nr_levels)
		return (struct fz_cache_geometry){ .nr_levels = 0 };
	for (unsigned int i = 0; i < cache.nr_levels; i++) {
		const unsigned int ways = 1 + any_number(random, 63);

		cache.level[i] = (struct fz_cache_level){
			.bytes = (uint64_t)cache.line_bytes * ways
				 << (3 + 6 * i),
			.ways = ways,
			.latency_cycles = any_number(random, 1) * 4.0,
			.read_cycles = any_number(random, 1) * 0.5,
		};
	}
	if (cache.nr_levels > 1 && fz_random_below(random, 2))
		cache.level[cache.nr_levels - 1].relation = FZ_CACHE_VICTIM;
	if (cache.nr_levels > 1 && cache.level[1].relation != FZ_CACHE_VICTIM &&
	    fz_random_below(random, 2))
		cache.prefetcher = (struct fz_cache_prefetcher){
			1 + any_number(random, FZ_CACHE_MAX_STREAMS - 1),
			1 + any_number(random, FZ_CACHE_MAX_DEGREE - 1),
			1 + any_number(random, 255),
		};
	return cache;
}

static void make_any(struct fz_random *random, struct fz_profile_document *out)
{
	struct fz_profile *profile = &out->profile;

	*out = (struct fz_profile_document){ .nr_fitted_rows = 0 };
	*profile = (struct fz_profile){
		.name = "any-1",
		.cpu = "Some \"CPU\" \\ 1",
		.fault_ns = any_real(random, 0, 1e9),
		.point_ns = any_real(random, 0, 1e9),
		.switch_ns = any_real(random, 0, 1e9),
		.irq_ns = any_real(random, 0, 1e9),
		.hz = any_number(random, 1000),
		.nr_nodes = any_number(random, 8),
		.smt = any_number(random, 2),
		.cycle_ns = any_real(random, 1e-3, 1e3),
		.clock_ns = any_real(random, 0, 1e9),
		.cache = any_cache(random),
		.memory = { any_real(random, 1e6, 1e15),
			    any_real(random, 1e6, 1e15),
			    any_real(random, 1e-3, 1e3),
			    any_real(random, 1e-3, 1e3),
			    any_real(random, 1e-3, 1e3) },
		.nr_clears = 1 + any_number(random, FZ_PROFILE_MAX_CLEARS - 1),
	};
	profile->nr_cores = profile->nr_nodes * any_number(random, 64);
	for (size_t i = 0; i < profile->nr_clears; i++)
		profile->clears[i] = any_clear(random, i);
	out->nr_fitted_rows = any_number(random, FZ_PROFILE_MAX_ROWS);
	for (size_t i = 0; i < out->nr_fitted_rows; i++)
		snprintf(out->fitted_rows[i], FZ_PROFILE_ROW_BYTES, "row-%zu",
			 i);
}

/* What is written is read, and written again to the same bytes. */
START_TEST(there_and_back)
{
	struct fz_random random = fz_random_begin(1, 1);
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 300; i++) {
		struct fz_err err = { "" };
		char *text, *second;

		make_any(&random, &document);
		text = printed(&document);
		if (parse(&again, text, &err))
			ck_abort_msg("%s\n%s", err.msg, text);
		second = printed(&again);
		wrong += strcmp(text, second) != 0;
		free(text);
		free(second);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(numbers_arrive)
{
	struct fz_random random = fz_random_begin(2, 1);
	char *text;

	make_any(&random, &document);
	document.profile.fault_ns = 1234.5;
	document.profile.point_ns = NAN;
	document.profile.hz = 250;
	document.profile.smt = 0;
	document.profile.clears[0] = (struct fz_profile_clear){
		.name = "stosb",
		.call_ns = { 1, 2, 3 },
		.drain_ns = 171.5,
		.bps = 1e10,
		.threshold_bytes = 1 << 25,
		.ramp_bytes = 4096,
		.elided_bps = 5e10,
		.elided_share = 0.25,
		.interrupted_ns = NAN,
	};
	text = printed(&document);
	ck_assert_int_eq(parse(&again, text, NULL), 0);
	ck_assert_double_eq(again.profile.fault_ns, 1234.5);
	ck_assert(isnan(again.profile.point_ns));
	ck_assert_uint_eq(again.profile.hz, 250);
	ck_assert_uint_eq(again.profile.smt, 0);
	ck_assert_str_eq(again.profile.cpu, document.profile.cpu);
	ck_assert_str_eq(again.profile.clears[0].name, "stosb");
	ck_assert_double_eq(again.profile.clears[0].call_ns[FZ_RELATION_DOWN],
			    2);
	ck_assert_double_eq(again.profile.clears[0].drain_ns, 171.5);
	ck_assert_uint_eq(again.profile.clears[0].ramp_bytes, 4096);
	ck_assert_double_eq(again.profile.clears[0].elided_share, 0.25);
	ck_assert(isnan(again.profile.clears[0].interrupted_ns));
	ck_assert_uint_eq(again.nr_fitted_rows, document.nr_fitted_rows);
	free(text);
}
END_TEST

START_TEST(shipped_ones_are_as_written)
{
	const struct fz_shipped_profile *shipped = &fz_shipped_profiles[_i];
	struct fz_err err = { "" };
	char *text;

	ck_assert_msg(fz_profile_parse(&document, shipped->name, shipped->text,
				       shipped->bytes, &err) == 0,
		      "%s", err.msg);
	ck_assert_str_eq(document.profile.name, shipped->name);
	text = printed(&document);
	ck_assert_str_eq(text, shipped->text);
	free(text);
}
END_TEST

/* A whole profile, of which tests change one thing. */
static const char good[] =
	"{'schema':'foliosim.profile/1','name':'mine','cpu':'A CPU',"
	"'fitted_rows':['a','b'],'fault_ns':1000,'point_ns':null,"
	"'switch_ns':1.5,'irq_ns':0,'hz':250,'nr_cores':8,'smt':2,"
	"'nr_nodes':2,'cycle_ns':0.5,'clock_ns':20,"
	"'cache':{'line_bytes':64,'memory_cycles':null,"
	"'memory_read_cycles':9.5,"
	"'prefetcher':{'streams':16,'degree':2,'distance':4},'levels':["
	"{'bytes':32768,'ways':8,'latency_cycles':4,'read_cycles':0.5,"
	"'relation':'plain'},"
	"{'bytes':1048576,'ways':8,'latency_cycles':null,"
	"'relation':'inclusive'}]},"
	"'memory':{'bps':1e11,'read_bps':null,'read_cost':1,"
	"'allocate_cost':2,'stream_cost':1},"
	"'clears':[{'name':'stosb','streaming':false,"
	"'call_ns':{'up':1,'down':2,'other':3},'drain_ns':150,'bps':1e10,"
	"'threshold_bytes':33554432,'ramp_bytes':4096,'elided_bps':5e10,"
	"'elided_share':0.5,'interrupted_ns':null},"
	"{'name':'movnti','streaming':true,"
	"'call_ns':{'up':1,'down':2,'other':3},'drain_ns':null,'bps':2e10,"
	"'threshold_bytes':0,'ramp_bytes':0,'elided_bps':null,"
	"'elided_share':null,'interrupted_ns':null}]}";

START_TEST(the_good_one_is_read)
{
	char *text = changed_json(good, 0, "A CPU", "A CPU");
	struct fz_err err = { "" };

	ck_assert_msg(parse(&document, text, &err) == 0, "%s", err.msg);
	free(text);
}
END_TEST

/* Profiles from before it was measured. */
START_TEST(drain_may_be_missing)
{
	char *text = changed_json(good, 0, "'drain_ns':150,", "");
	struct fz_err err = { "" };
	char *written;

	ck_assert_msg(parse(&document, text, &err) == 0, "%s", err.msg);
	ck_assert(isnan(document.profile.clears[0].drain_ns));
	ck_assert_double_eq(document.profile.clears[0].bps, 1e10);
	written = printed(&document);
	ck_assert_ptr_nonnull(strstr(written, "\"drain_ns\": null"));
	free(written);
	free(text);
}
END_TEST

/* Profiles from before a use was priced. The second level has none. */
START_TEST(what_a_use_costs_may_be_missing)
{
	static const char *const members[] = { "'cycle_ns':0.5,",
					       "'clock_ns':20,",
					       "'memory_read_cycles':9.5,",
					       "'read_cycles':0.5," };
	char *text = changed_json(good, 0, members[_i], "");
	const struct fz_profile *profile = &document.profile;
	struct fz_err err = { "" };
	char *written;

	ck_assert_msg(parse(&document, text, &err) == 0, "%s", err.msg);
	ck_assert(_i == 0 ? isnan(profile->cycle_ns)
			  : profile->cycle_ns == 0.5);
	ck_assert(_i == 1 ? isnan(profile->clock_ns) : profile->clock_ns == 20);
	ck_assert(profile->cache.memory_read_cycles == (_i == 2 ? 0 : 9.5));
	ck_assert(profile->cache.level[0].read_cycles == (_i == 3 ? 0 : 0.5));
	ck_assert(profile->cache.level[1].read_cycles == 0);
	written = printed(&document);
	ck_assert_int_eq(parse(&again, written, &err), 0);
	ck_assert_ptr_nonnull(strstr(written, "\"read_cycles\": null"));
	free(written);
	free(text);
}
END_TEST

static const struct {
	unsigned int nth;
	const char *from, *to, *says;
} wrong[] = {
	{ 0, "'cycle_ns':0.5", "'cycle_ns':0",
	  "'cycle_ns' is 0: give 0.001 to 1000, or null" },
	{ 0, "'clock_ns':20", "'clock_ns':'20'",
	  "'clock_ns' is not a number or null" },
	{ 0, "'memory_read_cycles':9.5", "'memory_read_cycles':0",
	  "cache: 'memory_read_cycles' is 0: give 0.01 to 1000000, or null" },
	{ 0, "'read_cycles':0.5", "'read_cycles':-1",
	  "cache: level 1: 'read_cycles' is -1: give 0.01" },
	{ 0, "'schema':'foliosim.profile/1',", "", "no member 'schema'" },
	{ 0, "profile/1", "profile/2",
	  "'schema' is 'foliosim.profile/2'; understood is" },
	{ 0, "'mine'", "'Mine'", "'name' is 'Mine': give lower-case" },
	{ 0, "'mine'", "''", "'name' must have 1 to 31 characters" },
	{ 0, "'mine'", "'a/b'", "'name' is 'a/b'" },
	{ 0, "'mine'", "'-a'", "'name' is '-a'" },
	{ 0, "'mine'", "'abcdefghijklmnopqrstuvwxyz0123456789'",
	  "'name' must have 1 to 31" },
	{ 0, "'mine'", "1", "'name' is not a string" },
	{ 0, "'A CPU'", "'\\u001b[31m'", "'cpu' is not printable ASCII" },
	{ 0, "'A CPU'", "''", "'cpu' must have 1 to 63 characters" },
	{ 0, "'A CPU'", "null", "'cpu' is not a string" },
	{ 0, "['a','b']", "['a','a']", "'fitted_rows' has 'a' twice" },
	{ 0, "['a','b']", "[1]", "'fitted_rows' has more than strings" },
	{ 0, "['a','b']", "null", "'fitted_rows' is not an array" },
	{ 0, "'fault_ns':1000,", "", "no member 'fault_ns'" },
	{ 0, "'fault_ns':1000", "'fault_ns':-1",
	  "'fault_ns' is -1: give 0 to 1000000000, or null" },
	{ 0, "'fault_ns':1000", "'fault_ns':'1000'",
	  "'fault_ns' is not a number or null" },
	{ 0, "'fault_ns':1000", "'fault_ns':true",
	  "'fault_ns' is not a number or null" },
	{ 0, "'fault_ns':1000", "'fault_ns':1e10", "'fault_ns' is 1e+10" },
	{ 0, "'fault_ns':1000", "'fault_ns':1e999", "line 1, column" },
	{ 0, "'fault_ns':1000", "'fault_ns':1000,'fault_ns':1", "duplicate" },
	{ 0, "'fault_ns':1000", "'fault_ns':1000,'fault_us':1",
	  "unknown member 'fault_us'" },
	{ 0, "'hz':250", "'hz':250.5", "'hz' is not a whole number or null" },
	{ 0, "'hz':250", "'hz':0", "'hz' is 0: give 1 to 1000000" },
	{ 0, "'hz':250", "'hz':-250", "'hz' is -250" },
	{ 0, "'nr_cores':8", "'nr_cores':9",
	  "9 'nr_cores' cannot be shared out evenly between 2 'nr_nodes'" },
	{ 0, "'nr_cores':8", "'nr_cores':4294967304",
	  "'nr_cores' is 4294967304" },
	{ 0, "'line_bytes':64", "'line_bytes':null",
	  "cache: 'line_bytes' is not a whole number" },
	{ 0, "'line_bytes':64", "'line_bytes':64,'x':1",
	  "cache: unknown member 'x'" },
	{ 0, "'line_bytes':64", "'line_bytes':65",
	  "cache: no cache with lines of '65' bytes" },
	{ 0, "'bytes':32768,'ways':8", "'bytes':32768,'ways':7",
	  "cache: no cache level 1 of '32768' bytes: give a multiple" },
	{ 0, "'relation':'plain'", "'relation':'victim'",
	  "cache: cache level '1' cannot be victim" },
	{ 0, "'streams':16", "'streams':65",
	  "cache: prefetcher: 'streams' is 65" },
	{ 0, "'bytes':1048576", "'bytes':32768",
	  "cache: level 2: 'bytes' is not larger than that of level 1" },
	{ 0, "'bytes':32768", "'bytes':-1", "cache: level 1: 'bytes' is -1" },
	{ 0, "'ways':8", "'ways':65", "cache: level 1: 'ways' is 65" },
	{ 0, "'inclusive'", "'exclusive'",
	  "cache: level 2: 'relation' is 'exclusive': give plain" },
	{ 0, "'relation':'inclusive'", "'relation':'inclusive','x':1",
	  "cache: level 2: unknown member 'x'" },
	{ 0, "'bps':1e11", "'bps':0", "memory: 'bps' is 0: give 1000000" },
	{ 0, "'read_cost':1", "'read_cost':-1", "memory: 'read_cost' is -1" },
	{ 0, "'read_cost':1", "'read_cost':0", "memory: 'read_cost' is 0" },
	{ 0, "'allocate_cost':2", "'allocate_cost':0",
	  "memory: 'allocate_cost' is 0" },
	{ 0, "'stream_cost':1", "'stream_cost':0",
	  "memory: 'stream_cost' is 0" },
	{ 0, "'read_cost':1,", "", "memory: no member 'read_cost'" },
	{ 0, "'name':'movnti'", "'name':'stosb'",
	  "clear 2: there are two of 'stosb'" },
	{ 0, "'streaming':false", "'streaming':0",
	  "clear 1: 'streaming' is not true or false" },
	{ 0, "'streaming':false", "'streaming':true",
	  "clear 1: 'streaming' with a 'threshold_bytes'" },
	{ 0, "'down':2", "'down':-2", "clear 1: call_ns: 'down' is -2" },
	{ 1, "'down':2,", "", "clear 2: call_ns: no member 'down'" },
	{ 0, "'down':2", "'down':2,'left':2",
	  "clear 1: call_ns: unknown member 'left'" },
	{ 0, "'drain_ns':150", "'drain_ns':-150",
	  "clear 1: 'drain_ns' is -150: give 0 to 1000000000, or null" },
	{ 0, "'drain_ns':150", "'drain_ns':'150'",
	  "clear 1: 'drain_ns' is not a number or null" },
	{ 0, "'bps':1e10", "'bps':-1e10", "clear 1: 'bps' is -1e+10" },
	{ 0, "'ramp_bytes':4096", "'ramp_bytes':33554433",
	  "clear 1: 'ramp_bytes' is 33554433, longer than 'threshold_bytes', "
	  "33554432" },
	{ 0, "'threshold_bytes':33554432", "'threshold_bytes':0",
	  "clear 1: 'ramp_bytes' without a 'threshold_bytes'" },
	{ 0, "'elided_bps':null", "'elided_bps':1e10",
	  "clear 2: 'elided_bps' without a 'threshold_bytes'" },
	{ 0, "'elided_share':null", "'elided_share':1",
	  "clear 2: 'elided_share' without a 'threshold_bytes'" },
	{ 0, "'elided_share':0.5", "'elided_share':1.5",
	  "clear 1: 'elided_share' is 1.5: give 0 to 1, or null" },
	{ 0, "'elided_share':0.5", "'elided_share':-0.5",
	  "clear 1: 'elided_share' is -0.5" },
	{ 0, "'interrupted_ns':null}]", "'interrupted_ns':null},null]",
	  "clear 3: it is not an object" },
};

START_TEST(wrong_ones_are_refused)
{
	struct fz_err err = { "" };
	char *text =
		changed_json(good, wrong[_i].nth, wrong[_i].from, wrong[_i].to);

	ck_assert_int_eq(parse(&document, text, &err), -EBADMSG);
	ck_assert_msg(is_sentence(err.msg), "%s", err.msg);
	ck_assert_msg(strstr(err.msg, wrong[_i].says) != NULL, "%s", err.msg);
	free(text);
}
END_TEST

START_TEST(no_and_too_many_clears)
{
	char *text = changed_json(good, 0, "A CPU", "A CPU");
	json_t *root = json_loads(text, 0, NULL);
	json_t *clears = json_object_get(root, "clears");
	struct fz_err err = { "" };

	free(text);
	json_array_clear(clears);
	text = json_dumps(root, 0);
	ck_assert_int_eq(parse(&document, text, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.msg, "'clears' has 0 entries"));
	free(text);
	for (unsigned int i = 0; i <= FZ_PROFILE_MAX_CLEARS; i++)
		json_array_append_new(clears, json_null());
	text = json_dumps(root, 0);
	ck_assert_int_eq(parse(&document, text, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.msg, "'clears' has 17 entries"));
	free(text);
	json_decref(root);
}
END_TEST

START_TEST(cut_short)
{
	char *text = changed_json(good, 0, "A CPU", "A CPU");
	unsigned int accepted = 0, no_sentence = 0;

	for (size_t cut = 0; cut < strlen(text); cut++) {
		struct fz_err err = { "" };

		accepted +=
			fz_profile_parse(&document, "x.json",
					 strndupa(text, cut), cut, &err) == 0;
		no_sentence += !is_sentence(err.msg);
	}
	ck_assert_uint_eq(accepted, 0);
	ck_assert_uint_eq(no_sentence, 0);
	free(text);
}
END_TEST

/* Refused with a sentence, or a profile that can be written and read back. */
START_TEST(mutations)
{
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	unsigned int broken = 0, read = 0, refused = 0;
	char *text = changed_json(good, 0, "A CPU", "A CPU");

	for (unsigned int i = 0; i < 4000; i++) {
		struct fz_err err = { "" };
		char *mutated = mutated_json(&random, text, _i == 0);
		char *first, *second;

		if (parse(&document, mutated, &err)) {
			broken += !is_sentence(err.msg);
			refused++;
			free(mutated);
			continue;
		}
		read++;
		first = printed(&document);
		broken += parse(&again, first, &err) != 0;
		second = printed(&again);
		broken += strcmp(first, second) != 0;
		free(mutated);
		free(first);
		free(second);
	}
	ck_assert_uint_eq(broken, 0);
	ck_assert_uint_gt(read, 10);
	ck_assert_uint_gt(refused, 10);
	free(text);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_profile_read(&document, "no/such.json", &err),
			 -ENOENT);
	ck_assert_str_eq(err.msg, "cannot read 'no/such.json': "
				  "No such file or directory");
	ck_assert_int_eq(fz_profile_read(&document, "/dev/null", &err),
			 -EBADMSG);
	ck_assert_int_eq(fz_profile_read(&document, "/", &err), -EISDIR);
	ck_assert_int_eq(fz_profile_read(&document, "/dev/zero", &err),
			 -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.msg, "larger than 1 MiB"));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("profile_json");
	TCase *tcase = tcase_create("profile_json");

	tcase_add_test(tcase, there_and_back);
	tcase_add_test(tcase, numbers_arrive);
	tcase_add_loop_test(tcase, shipped_ones_are_as_written, 0,
			    (int)fz_nr_shipped_profiles);
	tcase_add_test(tcase, the_good_one_is_read);
	tcase_add_test(tcase, drain_may_be_missing);
	tcase_add_loop_test(tcase, what_a_use_costs_may_be_missing, 0, 4);
	tcase_add_loop_test(tcase, wrong_ones_are_refused, 0, NR(wrong));
	tcase_add_test(tcase, no_and_too_many_clears);
	tcase_add_test(tcase, cut_short);
	tcase_add_loop_test(tcase, mutations, 0, 2);
	tcase_add_test(tcase, files_that_cannot_be_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
