// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers in texts, compared with what the C library makes of them. */
#include "fz_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <fz/random.h>

#include "text_scan.h"
#include "text_word.h"

static struct scan scan_of(const char *text)
{
	return (struct scan){ text, text + strlen(text) };
}

static const struct {
	const char *text;
	size_t digits;
	uint64_t value;
} decimals[] = {
	{ "0", 1, 0 },
	{ "000012x", 6, 12 },
	{ "18446744073709551609", 20, UINT64_MAX - 6 },
	{ "18446744073709551615", 20, UINT64_MAX },
	{ "18446744073709551616", 0, 0 },
	{ "18446744073709551620", 0, 0 },
	{ "99999999999999999999", 0, 0 },
	{ "184467440737095516150", 0, 0 },
	{ "", 0, 0 },
	{ "-1", 0, 0 },
	{ "x", 0, 0 },
};

START_TEST(decimal)
{
	struct scan scan = scan_of(decimals[_i].text);
	uint64_t value = 0;

	ck_assert_uint_eq(scan_decimal(&scan, &value), decimals[_i].digits);
	if (decimals[_i].digits)
		ck_assert_uint_eq(value, decimals[_i].value);
}
END_TEST

static const struct {
	const char *text;
	size_t digits;
	uint64_t value;
} hexes[] = {
	{ "0", 1, 0 },
	{ "aBcDeF09g", 8, 0xabcdef09 },
	{ "ffffffffffffffff", 16, UINT64_MAX },
	{ "0ffffffffffffffff", 0, 0 },
	{ "", 0, 0 },
	{ "g", 0, 0 },
	{ "@", 0, 0 },
	{ "`", 0, 0 },
	{ ":", 0, 0 },
	{ "\xe1", 0, 0 },
};

START_TEST(hex)
{
	struct scan scan = scan_of(hexes[_i].text);
	uint64_t value = 0;

	ck_assert_uint_eq(scan_hex(&scan, &value), hexes[_i].digits);
	if (hexes[_i].digits)
		ck_assert_uint_eq(value, hexes[_i].value);
}
END_TEST

static const struct {
	const char *text;
	bool valid;
	uint64_t time_ns;
} times[] = {
	{ "2107.064233571", true, 2107064233571 },
	{ "2107.064233", true, 2107064233000 },
	{ "0.5", true, 500000000 },
	{ "18446744072.999999999", true, UINT64_C(18446744072999999999) },
	{ "18446744074.0", false, 0 },
	{ "99999999999999999999.0", false, 0 },
	{ "1.0000000001", false, 0 },
	{ "1.", false, 0 },
	{ ".5", false, 0 },
	{ "15", false, 0 },
};

START_TEST(seconds)
{
	struct scan scan = scan_of(times[_i].text);
	uint64_t time_ns;

	ck_assert_int_eq(scan_seconds(&scan, &time_ns), times[_i].valid);
	if (times[_i].valid)
		ck_assert_uint_eq(time_ns, times[_i].time_ns);
}
END_TEST

/* Any bytes, but mostly those that matter. */
static void fill(char *text, size_t bytes, struct fz_random *random)
{
	static const char likely[] =
		"0123456789abcdef      09af/:`g@G\x1f!\x7f";
	const bool mostly_digits = fz_random_below(random, 2);

	for (size_t i = 0; i < bytes; i++) {
		const uint64_t which = fz_random_below(random, 100);

		text[i] = likely[fz_random_below(random,
						 mostly_digits ? 16 : 36)];
		if (which == 0)
			text[i] = (char)fz_random_next(random);
	}
}

static bool hex16_is_right(const char text[17])
{
	const size_t blanks = strspn(text, " ");
	const size_t digits = strspn(text + blanks, "0123456789abcdef");
	const bool valid = digits && blanks + digits == 16;
	uint64_t value;

	if (text_hex16(text, &value) != valid)
		return false;
	return !valid || value == strtoull(text, NULL, 16);
}

static bool decimal8_is_right(const char text[9])
{
	const bool valid = strspn(text, "0123456789") == 8;
	uint32_t value;

	if (text_decimal8(text, &value) != valid)
		return false;
	return !valid || value == strtoul(text, NULL, 10);
}

/* Addresses padded with blanks, as they are, and with a byte changed. */
static void fill_column(char text[17], struct fz_random *random)
{
	snprintf(text, 17, "%16" PRIx64,
		 fz_random_next(random) >> fz_random_below(random, 64));
	if (fz_random_below(random, 2))
		fill(text + fz_random_below(random, 16), 1, random);
}

START_TEST(eight_at_a_time)
{
	struct fz_random random = fz_random_begin(1, 1);
	size_t wrong = 0, nr_valid = 0;
	char text[17] = "";
	uint64_t value;

	for (unsigned int i = 0; i < 200000; i++) {
		fill(text, 8, &random);
		text[8] = '\0';
		wrong += !decimal8_is_right(text);
		if (i % 2)
			fill(text, 16, &random);
		else
			fill_column(text, &random);
		wrong += !hex16_is_right(text);
		nr_valid += text_hex16(text, &value);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(nr_valid, 50000);
}
END_TEST

/* All bytes in all places. */
START_TEST(each_byte)
{
	size_t wrong = 0;

	for (unsigned int byte = 1; byte < 256; byte++)
		for (size_t at = 0; at < 16; at++) {
			char text[17] = "        7f001234";
			char eight[9] = "12345678";

			text[at] = (char)byte;
			eight[at % 8] = (char)byte;
			wrong += !hex16_is_right(text);
			wrong += !decimal8_is_right(eight);
		}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Of any length, in letters of either size, and what may follow. */
START_TEST(hex_as_others_read_it)
{
	static const char letters[] =
		"0123456789abcdef0123456789abcdefABCDEFg ";
	struct fz_random random = fz_random_begin(4, 0);
	size_t wrong = 0, nr_long = 0;

	for (size_t lap = 0; lap < 100000; lap++) {
		const size_t kinds = lap % 2 ? 32 : sizeof(letters) - 1;
		const size_t bytes = fz_random_below(&random, 20);
		char text[20 + 1] = "";
		struct scan scan;
		size_t digits;
		uint64_t value;

		for (size_t i = 0; i < bytes; i++)
			text[i] = letters[fz_random_below(&random, kinds)];
		scan = scan_of(text);
		digits = strspn(text, "0123456789abcdefABCDEF");
		nr_long += digits > 8 && digits <= 16;
		wrong += scan_hex(&scan, &value) != (digits <= 16 ? digits : 0);
		wrong += scan.at != text + digits;
		if (digits && digits <= 16) {
			text[digits] = '\0';
			wrong += value != strtoull(text, NULL, 16);
		}
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(nr_long, 1000);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("traces.text_scan");
	TCase *tcase = tcase_create("numbers");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, decimal, 0,
			    sizeof(decimals) / sizeof(*decimals));
	tcase_add_loop_test(tcase, hex, 0, sizeof(hexes) / sizeof(*hexes));
	tcase_add_loop_test(tcase, seconds, 0, sizeof(times) / sizeof(*times));
	tcase_add_test(tcase, eight_at_a_time);
	tcase_add_test(tcase, each_byte);
	tcase_add_test(tcase, hex_as_others_read_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
