// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers of a profile by their keys. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fz_test.h"
#include "profile_set.h"
#include "shipped_profiles.h"

#define NR(a) (int)(sizeof(a) / sizeof((a)[0]))

static struct fz_profile profile;

static void load(void)
{
	static struct fz_profile_document document;

	ck_assert_int_eq(fz_profile_find(&document, "genoa"), 0);
	profile = document.profile;
}

static const struct {
	const char *assignment, *key;
	double number;
} right[] = {
	{ "hz=250", "hz", 250 },
	{ "memory.bps=300G", "memory.bps", 300 * 0x1p30 },
	{ "memory.bps=1.5T", "memory.bps", 1.5 * 0x1p40 },
	{ "memory.bps=300000000000", "memory.bps", 3e11 },
	{ "memory.read_cost=0.5", "memory.read_cost", 0.5 },
	{ "irq_ns=2us", "irq_ns", 2000 },
	{ "irq_ns=0", "irq_ns", 0 },
	{ "switch_ns=1500.5", "switch_ns", 1500.5 },
	{ "stosb.call_ns.down=7", "stosb.call_ns.down", 7 },
	{ "stosb.interrupted_ns=1us", "stosb.interrupted_ns", 1000 },
	{ "stosb.drain_ns=150", "stosb.drain_ns", 150 },
	{ "stosb.threshold_bytes=64M", "stosb.threshold_bytes", 0x1p26 },
	{ "cycle_ns=0.3", "cycle_ns", 0.3 },
	{ "cache.memory_cycles=300", "cache.memory_cycles", 300 },
	{ "cache.levels.0.read_cycles=1.5", "cache.levels.0.read_cycles", 1.5 },
	{ "cache.levels.2.bytes=2M", "cache.levels.2.bytes", 0x1p21 },
	{ "cache.levels.2.ways=8", "cache.levels.2.ways", 8 },
	{ "stosb.elided_share=0.5", "stosb.elided_share", 0.5 },
};

START_TEST(is_set)
{
	char key[FZ_PROFILE_KEY_BYTES];
	struct fz_err err = { "" };

	load();
	ck_assert_msg(
		fz_profile_set(&profile, right[_i].assignment, key, &err) == 0,
		"%s", err.msg);
	ck_assert_str_eq(key, right[_i].key);
	ck_assert(fz_profile_knows(&profile, key));
	ck_assert_double_eq(fz_profile_number(&profile, key), right[_i].number);
	ck_assert_msg(fz_profile_check(&profile, &err) == 0, "%s", err.msg);
}
END_TEST

/* What is suggested for a key is a value for it, and in a unit if it has one.
 */
static const char *const keys[] = {
	"fault_ns",
	"point_ns",
	"switch_ns",
	"irq_ns",
	"hz",
	"nr_cores",
	"smt",
	"nr_nodes",
	"memory.bps",
	"memory.read_bps",
	"memory.read_cost",
	"memory.allocate_cost",
	"memory.stream_cost",
	"stosb.call_ns.up",
	"stosb.call_ns.down",
	"stosb.call_ns.other",
	"stosb.bps",
	"stosb.threshold_bytes",
	"stosb.ramp_bytes",
	"stosb.elided_bps",
	"stosb.elided_share",
	"stosb.interrupted_ns",
};

START_TEST(examples_are_values)
{
	const char *example = fz_profile_example(keys[_i]);
	const char unit = example[strlen(example) - 1];
	char assignment[80], key[FZ_PROFILE_KEY_BYTES];
	struct fz_err err = { "" };

	load();
	snprintf(assignment, sizeof(assignment), "%s=%s", keys[_i], example);
	ck_assert_msg(fz_profile_set(&profile, assignment, key, &err) == 0,
		      "%s", err.msg);
	ck_assert(fz_profile_number(&profile, key) > 0);
	ck_assert_int_eq(strstr(key, "_ns") != NULL, unit == 's');
	ck_assert_int_eq(strstr(key, "bps") != NULL, unit == 'G');
	ck_assert_int_eq(strstr(key, "bytes") != NULL, unit == 'M');
}
END_TEST

START_TEST(nothing_else_changes)
{
	struct fz_profile before;
	char key[FZ_PROFILE_KEY_BYTES];

	load();
	before = profile;
	ck_assert_int_eq(fz_profile_set(&profile, "memory.bps=300G", key, NULL),
			 0);
	ck_assert(isnan(before.memory.bps));
	profile.memory.bps = before.memory.bps;
	ck_assert(memcmp(&before, &profile, sizeof(before)) == 0);
}
END_TEST

static const struct {
	const char *assignment, *says;
} wrong[] = {
	{ "", "sets nothing: give KEY=VALUE" },
	{ "hz", "'hz' sets nothing" },
	{ "=1", "no number ''" },
	{ "Hz=1", "no number 'Hz'" },
	{ "memory=1", "no number 'memory'" },
	{ "memory.=1", "no number 'memory.'" },
	{ "memory.bp=1", "no number 'memory.bp'" },
	{ "stosb=1", "no number 'stosb'" },
	{ "stosb.call_ns=1", "no number 'stosb.call_ns'" },
	{ "movnti.bps=1G", "no number 'movnti.bps'" },
	{ "name=x", "no number 'name'" },
	{ "cache=1", "no number 'cache'" },
	{ "cache.levels=1", "no number 'cache.levels'" },
	{ "cache.levels.=1", "no number 'cache.levels.'" },
	{ "cache.levels.0=1", "no number 'cache.levels.0'" },
	{ "cache.levels.3.bytes=1M", "no number 'cache.levels.3.bytes'" },
	{ "cache.levels.00.bytes=1M", "no number 'cache.levels.00.bytes'" },
	{ "cache.levels./.bytes=1M", "no number 'cache.levels./.bytes'" },
	{ "cache.levels.0.relation=1", "no number 'cache.levels.0.relation'" },
	{ "cache.levels.0.ways=65", "'cache.levels.0.ways' is 65" },
	{ "cache.prefetcher.degree=1", "no number 'cache.prefetcher.degree'" },
	{ "hz=", "'' is no value for 'hz'" },
	{ "hz=1.5", "'1.5' is no value for 'hz'" },
	{ "hz=1K", "'1K' is no value for 'hz'" },
	{ "hz=0", "'hz' is 0: give 1 to 1000000" },
	{ "hz=-1", "'-1' is no value" },
	{ "hz=nan", "'nan' is no value" },
	{ "memory.bps=G", "'G' is no value" },
	{ "memory.bps=300X", "'300X' is no value" },
	{ "memory.bps=1", "'memory.bps' is 1: give 1000000" },
	{ "memory.bps=9999999T", "'memory.bps' is" },
	{ "memory.bps=11111111111111111111111111111111111111", "is no value" },
	{ "irq_ns=2s", "'irq_ns' is 2000000000: give 0 to 1000000000" },
	{ "irq_ns=2K", "'2K' is no value" },
	{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1",
	  "no number 'aaaa" },
};

START_TEST(is_refused)
{
	char key[FZ_PROFILE_KEY_BYTES];
	struct fz_err err = { "" };
	struct fz_profile before;

	load();
	before = profile;
	ck_assert_int_eq(
		fz_profile_set(&profile, wrong[_i].assignment, key, &err),
		-EINVAL);
	ck_assert_msg(strstr(err.msg, wrong[_i].says) != NULL, "%s", err.msg);
	ck_assert(memcmp(&before, &profile, sizeof(before)) == 0);
}
END_TEST

START_TEST(unknown_numbers)
{
	load();
	ck_assert(!fz_profile_knows(&profile, "hz"));
	ck_assert(!fz_profile_knows(&profile, "memory.bps"));
	ck_assert(!fz_profile_knows(&profile, "stosb.interrupted_ns"));
	ck_assert(fz_profile_knows(&profile, "fault_ns"));
	ck_assert(fz_profile_knows(&profile, "stosb.call_ns.up"));
	ck_assert(fz_profile_knows(&profile, "stosb.threshold_bytes"));
}
END_TEST

/* Numbers that are fine alone may contradict others. */
START_TEST(contradictions)
{
	char key[FZ_PROFILE_KEY_BYTES];
	struct fz_err err = { "" };

	load();
	ck_assert_int_eq(fz_profile_set(&profile, "nr_cores=9", key, NULL), 0);
	ck_assert_int_eq(fz_profile_check(&profile, NULL), 0);
	ck_assert_int_eq(fz_profile_set(&profile, "nr_nodes=2", key, NULL), 0);
	ck_assert_int_eq(fz_profile_check(&profile, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.msg, "cannot be shared out evenly"));
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("profile_set");
	TCase *tcase = tcase_create("profile_set");

	tcase_add_loop_test(tcase, examples_are_values, 0, NR(keys));
	tcase_add_loop_test(tcase, is_set, 0, NR(right));
	tcase_add_test(tcase, nothing_else_changes);
	tcase_add_loop_test(tcase, is_refused, 0, NR(wrong));
	tcase_add_test(tcase, unknown_numbers);
	tcase_add_test(tcase, contradictions);
	suite_add_tcase(suite, tcase);
	return suite;
}
