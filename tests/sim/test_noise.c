// SPDX-License-Identifier: GPL-2.0-or-later
/* Noise: what is read, what is unknown, and what stays so in sums. */
#include <fz/noise.h>

#include <errno.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define UNKNOWN UINT64_MAX

static const struct {
	const char *stat; /* NULL = no such file */
	uint64_t steal_ms;
} stats[] = {
	{ "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n", 80 },
	{ "cpu  1 2 3 4 5 6 7 0 0 0\n", 0 },
	{ "cpu  1 2 3 4 5 6 7 8", 80 },
	{ "cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\n", UNKNOWN },
	{ "cpu  1 2 3 4\n", UNKNOWN },
	{ "cpu  1 2 3 4 5 6 7 18446744073709551615\n", UNKNOWN },
	{ "intr 1 2 3 4 5 6 7 8\n", UNKNOWN },
	{ "", UNKNOWN },
	{ NULL, UNKNOWN },
};

START_TEST(steal_is_read_or_unknown)
{
	const struct fake_file files[] = {
		{ stats[_i].stat ? "/proc/stat" : "/proc/other",
		  stats[_i].stat ? stats[_i].stat : "" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);

	ck_assert_uint_eq(fz_noise_read(&hooks).steal_ms, stats[_i].steal_ms);
}
END_TEST

static int no_usage(void *state, struct fz_usage *usage)
{
	(void)state;
	(void)usage;
	return -ENOSYS;
}

START_TEST(usage_is_read_or_unknown)
{
	struct fz_hooks hooks = fz_hooks_default;
	struct fz_noise_reading reading = fz_noise_read(&hooks);

	ck_assert_uint_ne(reading.usage.minor_faults, UNKNOWN);
	ck_assert_uint_ne(reading.usage.involuntary_switches, UNKNOWN);
	hooks.usage = no_usage;
	reading = fz_noise_read(&hooks);
	ck_assert_uint_eq(reading.usage.minor_faults, UNKNOWN);
	ck_assert_uint_eq(reading.usage.involuntary_switches, UNKNOWN);
}
END_TEST

static const struct {
	uint64_t before;
	uint64_t after;
	uint64_t between;
	uint64_t sum; /* with 10 */
} counts[] = {
	{ 5, 7, 2, 12 },
	{ 7, 7, 0, 10 },
	{ 7, 5, 0, 10 },
	{ UNKNOWN, 7, UNKNOWN, UNKNOWN },
	{ 7, UNKNOWN, UNKNOWN, UNKNOWN },
	{ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN },
};

static struct fz_noise_reading reading_of(uint64_t count)
{
	return (struct fz_noise_reading){ count, { count, count }, 3 };
}

static void check_all(const struct fz_noise *noise, uint64_t want)
{
	ck_assert_uint_eq(noise->steal_ms, want);
	ck_assert_uint_eq(noise->involuntary_switches, want);
	ck_assert_uint_eq(noise->minor_faults, want);
}

START_TEST(unknown_stays_unknown)
{
	const struct fz_noise_reading before = reading_of(counts[_i].before);
	const struct fz_noise_reading after = reading_of(counts[_i].after);
	const struct fz_noise ten = { 10, 10, 10, 10 };
	const struct fz_noise noise = fz_noise_between(&before, &after);
	struct fz_noise sum = ten;

	check_all(&noise, counts[_i].between);
	ck_assert_uint_eq(noise.migrations, 0);
	fz_noise_add(&sum, &noise);
	check_all(&sum, counts[_i].sum);
	ck_assert_uint_eq(sum.migrations, 10);
	sum = noise;
	fz_noise_add(&sum, &ten);
	check_all(&sum, counts[_i].sum);
}
END_TEST

START_TEST(another_cpu_is_a_migration)
{
	struct fz_noise_reading before = reading_of(1), after = reading_of(1);

	after.cpu++;
	ck_assert_uint_eq(fz_noise_between(&before, &after).migrations, 1);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("noise");
	TCase *tcase = tcase_create("noise");

	tcase_add_loop_test(tcase, steal_is_read_or_unknown, 0, NR(stats));
	tcase_add_test(tcase, usage_is_read_or_unknown);
	tcase_add_loop_test(tcase, unknown_stays_unknown, 0, NR(counts));
	tcase_add_test(tcase, another_cpu_is_a_migration);
	suite_add_tcase(suite, tcase);
	return suite;
}
