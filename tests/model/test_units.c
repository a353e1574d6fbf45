// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes, numbers and times, from and to text. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fz/random.h>
#include <fz/units.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* What a failed parser must leave alone. */
#define UNTOUCHED 0xdeadbeefull

struct parse_case {
	const char *text;
	int code;
	uint64_t value;
};

static const struct parse_case bytes_cases[] = {
	{ "0", 0, 0 },
	{ "1", 0, 1 },
	{ "007", 0, 7 },
	{ "4096", 0, 4096 },
	{ "4096B", 0, 4096 },
	{ "0K", 0, 0 },
	{ "4K", 0, 4096 },
	{ "4k", 0, 4096 },
	{ "4KB", 0, 4096 },
	{ "4KiB", 0, 4096 },
	{ "4kiB", 0, 4096 },
	{ "2M", 0, 2097152 },
	{ "2m", 0, 2097152 },
	{ "2MiB", 0, 2097152 },
	{ "1G", 0, 1073741824 },
	{ "1GiB", 0, 1073741824 },
	{ "1g", 0, 1073741824 },
	{ "1T", 0, 1099511627776 },
	{ "1tB", 0, 1099511627776 },
	{ "16777215T", 0, 0xffffff0000000000 },
	{ "18446744073709551615", 0, UINT64_MAX },
	{ "18446744073709551615B", 0, UINT64_MAX },
	{ "18014398509481983K", 0, 0xfffffffffffffc00 },
	{ "", -EINVAL, 0 },
	{ "K", -EINVAL, 0 },
	{ "B", -EINVAL, 0 },
	{ "iB", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ "+1", -EINVAL, 0 },
	{ " 1", -EINVAL, 0 },
	{ "1 ", -EINVAL, 0 },
	{ "1 M", -EINVAL, 0 },
	{ "2M ", -EINVAL, 0 },
	{ "2M\n", -EINVAL, 0 },
	{ "1.5M", -EINVAL, 0 },
	{ "1,5M", -EINVAL, 0 },
	{ "3XB", -EINVAL, 0 },
	{ "3iB", -EINVAL, 0 },
	{ "3b", -EINVAL, 0 },
	{ "3Mb", -EINVAL, 0 },
	{ "3MIB", -EINVAL, 0 },
	{ "3Mi", -EINVAL, 0 },
	{ "3MiBx", -EINVAL, 0 },
	{ "3MBB", -EINVAL, 0 },
	{ "3MM", -EINVAL, 0 },
	{ "3P", -EINVAL, 0 },
	{ "3E", -EINVAL, 0 },
	{ "0x1000", -EINVAL, 0 },
	{ "1e6", -EINVAL, 0 },
	{ "2M,4M", -EINVAL, 0 },
	{ "inf", -EINVAL, 0 },
	{ "99999999999999999999999x", -EINVAL, 0 },
	{ "18446744073709551616", -ERANGE, 0 },
	{ "99999999999999999999999", -ERANGE, 0 },
	{ "18014398509481984K", -ERANGE, 0 },
	{ "17592186044416M", -ERANGE, 0 },
	{ "17179869184G", -ERANGE, 0 },
	{ "16777216T", -ERANGE, 0 },
	{ "18446744073709551615T", -ERANGE, 0 },
};

static const struct parse_case u64_cases[] = {
	{ "0", 0, 0 },
	{ "000", 0, 0 },
	{ "128", 0, 128 },
	{ "18446744073709551615", 0, UINT64_MAX },
	{ "18446744073709551616", -ERANGE, 0 },
	{ "184467440737095516150", -ERANGE, 0 },
	{ "", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ "+1", -EINVAL, 0 },
	{ " 1", -EINVAL, 0 },
	{ "1 ", -EINVAL, 0 },
	{ "4K", -EINVAL, 0 },
	{ "1.0", -EINVAL, 0 },
	{ "0x10", -EINVAL, 0 },
	{ "first", -EINVAL, 0 },
};

static const struct parse_case hex_cases[] = {
	{ "0", 0, 0 },
	{ "0x0", 0, 0 },
	{ "x0", -EINVAL, 0 },
	{ "7f0000200000", 0, 0x7f0000200000 },
	{ "0x7F0000200000", 0, 0x7f0000200000 },
	{ "0Xabcdef", 0, 0xabcdef },
	{ "ABCDEF", 0, 0xabcdef },
	{ "ffffffffffffffff", 0, UINT64_MAX },
	{ "0xffffffffffffffff", 0, UINT64_MAX },
	{ "0x10000000000000000", -ERANGE, 0 },
	{ "00000000000000001", -ERANGE, 0 },
	{ "", -EINVAL, 0 },
	{ "0x", -EINVAL, 0 },
	{ "0x0x1", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ " 1", -EINVAL, 0 },
	{ "1 ", -EINVAL, 0 },
	{ "12g", -EINVAL, 0 },
	{ "1.8", -EINVAL, 0 },
};

static const struct parse_case ns_cases[] = {
	{ "0s", 0, 0 },
	{ "500ns", 0, 500 },
	{ "100us", 0, 100000 },
	{ "2ms", 0, 2000000 },
	{ "1s", 0, 1000000000 },
	{ "18446744073s", 0, 18446744073000000000u },
	{ "18446744074s", -ERANGE, 0 },
	{ "18446744073709551616ns", -ERANGE, 0 },
	{ "", -EINVAL, 0 },
	{ "100", -EINVAL, 0 },
	{ "us", -EINVAL, 0 },
	{ "1.5us", -EINVAL, 0 },
	{ "-1us", -EINVAL, 0 },
	{ " 1us", -EINVAL, 0 },
	{ "1 us", -EINVAL, 0 },
	{ "1us ", -EINVAL, 0 },
	{ "1US", -EINVAL, 0 },
	{ "1m", -EINVAL, 0 },
	{ "1sec", -EINVAL, 0 },
	{ "1min", -EINVAL, 0 },
};

typedef int (*parse_fn)(const char *text, uint64_t *value, struct fz_err *err);

static void check_parse(parse_fn parse, const struct parse_case *c)
{
	struct fz_err err = { "" };
	uint64_t value = UNTOUCHED;
	char quoted[64];

	ck_assert_msg(parse(c->text, &value, &err) == c->code,
		      "'%s': other code than %d", c->text, c->code);
	ck_assert_msg(parse(c->text, &value, NULL) == c->code,
		      "'%s': other code without err", c->text);
	if (c->code == 0) {
		ck_assert_msg(value == c->value, "'%s' became %" PRIu64,
			      c->text, value);
		ck_assert_str_eq(err.msg, "");
		return;
	}
	ck_assert_msg(value == UNTOUCHED, "'%s' was refused but written",
		      c->text);
	snprintf(quoted, sizeof(quoted), "'%s'", c->text);
	ck_assert_msg(strstr(err.msg, quoted) && strstr(err.msg, "give "),
		      "'%s': message '%s'", c->text, err.msg);
}

START_TEST(parse_bytes)
{
	check_parse(fz_parse_bytes, &bytes_cases[_i]);
}
END_TEST

START_TEST(parse_u64)
{
	check_parse(fz_parse_u64, &u64_cases[_i]);
}
END_TEST

START_TEST(parse_ns)
{
	check_parse(fz_parse_ns, &ns_cases[_i]);
}
END_TEST

static const struct {
	const char *text;
	int code;
	double value;
} decimal_cases[] = {
	{ "0", 0, 0 },
	{ "0.0", 0, 0 },
	{ "1", 0, 1 },
	{ "0.1", 0, 0.1 },
	{ "1.2", 0, 1.2 },
	{ "0.05", 0, 0.05 },
	{ "007.50", 0, 7.5 },
	{ "123456789012345", 0, 123456789012345.0 },
	{ "0.12345678901234", 0, 0.12345678901234 },
	{ "12345678.9012345", 0, 12345678.9012345 },
	{ "1234567890123456", -ERANGE, 0 },
	{ "1.234567890123456", -ERANGE, 0 },
	{ "99999999999999999999999", -ERANGE, 0 },
	{ "", -EINVAL, 0 },
	{ ".", -EINVAL, 0 },
	{ ".5", -EINVAL, 0 },
	{ "5.", -EINVAL, 0 },
	{ "1..5", -EINVAL, 0 },
	{ "1.5.5", -EINVAL, 0 },
	{ "1,5", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ "+1", -EINVAL, 0 },
	{ " 1", -EINVAL, 0 },
	{ "1 ", -EINVAL, 0 },
	{ "1e3", -EINVAL, 0 },
	{ "0x1", -EINVAL, 0 },
	{ "nan", -EINVAL, 0 },
	{ "inf", -EINVAL, 0 },
};

START_TEST(parse_decimal)
{
	double value = -1;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_parse_decimal(decimal_cases[_i].text, &value, &err),
			 decimal_cases[_i].code);
	if (decimal_cases[_i].code) {
		ck_assert_double_eq(value, -1);
		ck_assert_ptr_nonnull(strstr(err.msg, decimal_cases[_i].text));
	} else {
		ck_assert_double_eq(value, decimal_cases[_i].value);
	}
}
END_TEST

START_TEST(parse_hex)
{
	check_parse(fz_parse_hex, &hex_cases[_i]);
}
END_TEST

START_TEST(long_text_keeps_the_hint)
{
	char text[4000];
	struct fz_err err;
	uint64_t bytes;

	memset(text, '9', sizeof(text) - 2);
	strcpy(text + sizeof(text) - 2, "q");
	ck_assert_int_eq(fz_parse_bytes(text, &bytes, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "2M or 1GiB"));
}
END_TEST

static const struct {
	uint64_t bytes;
	const char *text;
} format_bytes_cases[] = {
	{ 0, "0B" },
	{ 1, "1B" },
	{ 1000, "1000B" },
	{ 1023, "1023B" },
	{ 1024, "1K" },
	{ 1025, "1025B" },
	{ 4096, "4K" },
	{ 12288, "12K" },
	{ 1572864, "1536K" },
	{ 2097152, "2M" },
	{ 33554432, "32M" },
	{ 1073741824, "1G" },
	{ 1099511627776, "1T" },
	{ 1125899906842624, "1024T" },
	{ 0xffffff0000000000, "16777215T" },
	{ UINT64_MAX, "18446744073709551615B" },
};

START_TEST(format_bytes)
{
	char buf[FZ_FORMAT_BYTES];

	fz_format_bytes(buf, sizeof(buf), format_bytes_cases[_i].bytes);
	ck_assert_str_eq(buf, format_bytes_cases[_i].text);
}
END_TEST

START_TEST(bytes_there_and_back)
{
	struct fz_random random = fz_random_begin(1, 0);
	uint64_t wrong = 0, first_wrong = 0;

	for (unsigned int i = 0; i < 20000; i++) {
		uint64_t bytes = fz_random_next(&random) >> i % 64 << i % 45;
		uint64_t back = ~bytes;
		char buf[FZ_FORMAT_BYTES];

		fz_format_bytes(buf, sizeof(buf), bytes);
		if (fz_parse_bytes(buf, &back, NULL) == 0 && back == bytes)
			continue;
		if (!wrong++)
			first_wrong = bytes;
	}
	ck_assert_msg(wrong == 0, "%" PRIu64 " wrong, first %" PRIu64, wrong,
		      first_wrong);
}
END_TEST

START_TEST(format_bytes_small_buffer)
{
	char buf[4] = "zzz";

	fz_format_bytes(buf, sizeof(buf), 123456);
	ck_assert_str_eq(buf, "123");
}
END_TEST

static const struct {
	double ns;
	const char *text;
} format_ns_cases[] = {
	{ 0, "0 ns" },
	{ 0.01234, "0.012 ns" },
	{ 0.5, "0.500 ns" },
	{ 0.9994, "0.999 ns" },
	{ 0.9996, "1.00 ns" },
	{ 1, "1.00 ns" },
	{ 9.994, "9.99 ns" },
	{ 9.996, "10.0 ns" },
	{ 99.94, "99.9 ns" },
	{ 99.96, "100 ns" },
	{ 845, "845 ns" },
	{ 999.4, "999 ns" },
	{ 999.6, "1.00 us" },
	{ 1000, "1.00 us" },
	{ 1234, "1.23 us" },
	{ 9996, "10.0 us" },
	{ 99960, "100 us" },
	{ 999600, "1.00 ms" },
	{ 12.3e6, "12.3 ms" },
	{ 999.4e6, "999 ms" },
	{ 999.6e6, "1.00 s" },
	{ 1.7e9, "1.70 s" },
	{ 999.6e9, "1000 s" },
	{ 12345e9, "12345 s" },
	{ -1234, "-1.23 us" },
	{ -0.0, "0 ns" },
	{ 18446744073709551615.0, "18446744074 s" },
};

START_TEST(format_ns)
{
	char buf[FZ_FORMAT_BYTES];

	fz_format_ns(buf, sizeof(buf), format_ns_cases[_i].ns);
	ck_assert_str_eq(buf, format_ns_cases[_i].text);
}
END_TEST

START_TEST(gib_per_s)
{
	ck_assert_double_eq(fz_gib_per_s(0), 0);
	ck_assert_double_eq(fz_gib_per_s(1073741824.0), 1);
	ck_assert_double_eq(fz_gib_per_s(10.5 * 1073741824.0), 10.5);
	/* 10 GB/s in decimal units is 9.31 GiB/s. */
	ck_assert_double_eq_tol(fz_gib_per_s(10e9), 9.3132257, 1e-7);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("units");
	TCase *tc = tcase_create("units");

	tcase_add_loop_test(tc, parse_bytes, 0, NR(bytes_cases));
	tcase_add_loop_test(tc, parse_u64, 0, NR(u64_cases));
	tcase_add_loop_test(tc, parse_decimal, 0, NR(decimal_cases));
	tcase_add_loop_test(tc, parse_hex, 0, NR(hex_cases));
	tcase_add_loop_test(tc, parse_ns, 0, NR(ns_cases));
	tcase_add_test(tc, long_text_keeps_the_hint);
	tcase_add_loop_test(tc, format_bytes, 0, NR(format_bytes_cases));
	tcase_add_test(tc, bytes_there_and_back);
	tcase_add_test(tc, format_bytes_small_buffer);
	tcase_add_loop_test(tc, format_ns, 0, NR(format_ns_cases));
	tcase_add_test(tc, gib_per_s);
	suite_add_tcase(suite, tc);
	return suite;
}
