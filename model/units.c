// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and units from and to text. */
#include <fz/units.h>

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Messages quote the text; a longer one is cut there, so that the hint behind
 * it still fits. */
#define QUOTED "'%.100s'"

#define HEX_DIGITS_MAX 16

/* The value of the decimal digits at *text, which is moved behind them. */
static bool take_decimal(const char **text, uint64_t *value)
{
	bool fits = true;

	*value = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		unsigned int digit = (unsigned int)(**text - '0');

		fits = fits && !__builtin_mul_overflow(*value, 10, value) &&
		       !__builtin_add_overflow(*value, digit, value);
	}
	return fits;
}

/* log2 of the unit that the whole suffix names, or -1. */
static int suffix_shift(const char *suffix)
{
	static const struct {
		char upper, lower;
		int shift;
	} units[] = {
		{ 'K', 'k', 10 },
		{ 'M', 'm', 20 },
		{ 'G', 'g', 30 },
		{ 'T', 't', 40 },
	};

	if (suffix[0] == '\0' || strcmp(suffix, "B") == 0)
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (suffix[0] != units[i].upper && suffix[0] != units[i].lower)
			continue;
		if (suffix[1] == '\0' || strcmp(suffix + 1, "B") == 0 ||
		    strcmp(suffix + 1, "iB") == 0)
			return units[i].shift;
	}
	return -1;
}

int fz_parse_bytes(const char *text, uint64_t *bytes, struct fz_err *err)
{
	const char *suffix = text;
	uint64_t number;
	bool fits = take_decimal(&suffix, &number);
	int shift = suffix_shift(suffix);

	if (suffix == text || shift < 0)
		return fz_err_set(err, -EINVAL,
				  "size " QUOTED " is not understood: give a "
				  "whole number with an optional K, M, G or T "
				  "(1024-based), as in 4096, 64K, 2M or 1GiB",
				  text);
	if (!fits || number > UINT64_MAX >> shift)
		return fz_err_set(err, -ERANGE,
				  "size " QUOTED " does not fit in 64 bits: "
				  "give a number of bytes, K, M, G or T below "
				  "16777216T",
				  text);
	*bytes = number << shift;
	return 0;
}

int fz_parse_u64(const char *text, uint64_t *value, struct fz_err *err)
{
	const char *end = text;
	uint64_t number;
	bool fits = take_decimal(&end, &number);

	if (end == text || *end != '\0')
		return fz_err_set(err, -EINVAL,
				  "number " QUOTED " is not understood: give "
				  "decimal digits only, as in 0 or 128",
				  text);
	if (!fits)
		return fz_err_set(err, -ERANGE,
				  "number " QUOTED " does not fit in 64 bits: "
				  "give at most 18446744073709551615",
				  text);
	*value = number;
	return 0;
}

/* Beyond them a double could not hold all digits as one whole number. */
#define DECIMAL_DIGITS_MAX 15

int fz_parse_decimal(const char *text, double *value, struct fz_err *err)
{
	const char *end = text, *point;
	uint64_t whole, part = 0;
	double scale = 1;
	bool has_digits;

	take_decimal(&end, &whole);
	point = end;
	has_digits = end > text;
	if (*point == '.') {
		end++;
		take_decimal(&end, &part);
		has_digits = has_digits && end > point + 1;
	}
	if (!has_digits || *end != '\0')
		return fz_err_set(err, -EINVAL,
				  "number " QUOTED " is not understood: give "
				  "decimal digits with an optional point among "
				  "them, as in 2 or 0.75",
				  text);
	if (end - text - (end > point) > DECIMAL_DIGITS_MAX)
		return fz_err_set(err, -ERANGE,
				  "number " QUOTED " has too many digits: give "
				  "at most %d",
				  text, DECIMAL_DIGITS_MAX);
	for (const char *at = point + 1; at < end; at++)
		scale *= 10;
	*value = ((double)whole * scale + (double)part) / scale;
	return 0;
}

/* ns in the unit that the whole suffix names, or 0. */
static uint64_t time_unit_ns(const char *suffix)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(suffix, units[i].name) == 0)
			return units[i].ns;
	return 0;
}

int fz_parse_ns(const char *text, uint64_t *ns, struct fz_err *err)
{
	const char *suffix = text;
	uint64_t number, unit_ns;
	bool fits = take_decimal(&suffix, &number);

	unit_ns = time_unit_ns(suffix);
	if (suffix == text || !unit_ns)
		return fz_err_set(err, -EINVAL,
				  "time " QUOTED " is not understood: give a "
				  "whole number with ns, us, ms or s, as in "
				  "100us",
				  text);
	if (!fits || number > UINT64_MAX / unit_ns)
		return fz_err_set(err, -ERANGE,
				  "time " QUOTED " does not fit in 64 bits: "
				  "give at most 18446744073s",
				  text);
	*ns = number * unit_ns;
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int fz_parse_hex(const char *text, uint64_t *value, struct fz_err *err)
{
	const char *digits = text;
	uint64_t number = 0;
	size_t nr = 0;

	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		digits += 2;
	for (; hex_digit(digits[nr]) >= 0; nr++)
		number = number << 4 | (unsigned int)hex_digit(digits[nr]);
	if (nr == 0 || digits[nr] != '\0')
		return fz_err_set(
			err, -EINVAL,
			"hexadecimal number " QUOTED " is not "
			"understood: give up to 16 of the digits 0-9 "
			"and a-f, as in 7f0000200000 or 0x7f0000200000",
			text);
	if (nr > HEX_DIGITS_MAX)
		return fz_err_set(err, -ERANGE,
				  "hexadecimal number " QUOTED " does not fit "
				  "in 64 bits: give at most 16 digits",
				  text);
	*value = number;
	return 0;
}

void fz_format_bytes(char *buf, size_t cap, uint64_t bytes)
{
	static const char units[] = "BKMGT";
	size_t unit = 0;

	while (bytes && bytes % 1024 == 0 && units[unit + 1]) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buf, cap, "%llu%c", (unsigned long long)bytes, units[unit]);
}

/* Decimals that make three significant digits. The limits are where printf
 * would round up to one digit more. */
static int decimals_of(double magnitude)
{
	if (magnitude < 0.9995)
		return 3;
	if (magnitude < 9.995)
		return 2;
	return magnitude < 99.95 ? 1 : 0;
}

void fz_format_ns(char *buf, size_t cap, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;
	double t = ns;

	if (ns == 0) {
		snprintf(buf, cap, "0 ns");
		return;
	}
	while (fabs(t) >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]))
		t = ns / pow(1000, (double)++unit);
	snprintf(buf, cap, "%.*f %s", decimals_of(fabs(t)), t, units[unit]);
}

double fz_gib_per_s(double bytes_per_s)
{
	return bytes_per_s / (1024.0 * 1024.0 * 1024.0);
}
