/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking a line of text apart, from the left. */
#ifndef TEXT_SCAN_H
#define TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "text_word.h"

/* What of a line is left: [at, end). A scan that fails may have moved on. */
struct scan {
	const char *at;
	const char *end;
};

static inline size_t scan_left(const struct scan *scan)
{
	return scan->at < scan->end ? (size_t)(scan->end - scan->at) : 0;
}

/* The next byte, or -1 behind the last. */
static inline int scan_peek(const struct scan *scan)
{
	return scan->at < scan->end ? (unsigned char)*scan->at : -1;
}

static inline bool scan_char(struct scan *scan, char c)
{
	if (scan_peek(scan) != c)
		return false;
	scan->at++;
	return true;
}

/* Blanks and tabs: how many. */
static inline size_t scan_spaces(struct scan *scan)
{
	const char *from = scan->at;

	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
		scan->at++;
	return (size_t)(scan->at - from);
}

/* The text, if it stands here. Always inline: texts are constants, so that
 * their lengths are, too. */
static inline __attribute__((always_inline)) bool scan_text(struct scan *scan,
							    const char *text)
{
	const size_t bytes = strlen(text);

	if (scan_left(scan) < bytes || memcmp(scan->at, text, bytes) != 0)
		return false;
	scan->at += bytes;
	return true;
}

/* Moves on behind the first such text; stays where it is if there is none. */
static inline bool scan_find(struct scan *scan, const char *text)
{
	const size_t bytes = strlen(text);
	const char *found = memmem(scan->at, scan_left(scan), text, bytes);

	if (found)
		scan->at = found + bytes;
	return found;
}

static inline bool scan_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* A number in decimal: how many digits; 0 = none, or more than 64 bits. */
static inline size_t scan_decimal(struct scan *scan, uint64_t *value)
{
	const char *from = scan->at;
	uint64_t sum = 0;

	while (scan->at < scan->end) {
		const unsigned int digit = (unsigned char)*scan->at - '0';

		if (digit > 9)
			break;
		if (sum > UINT64_MAX / 10 - 1 &&
		    (sum > UINT64_MAX / 10 || sum * 10 > UINT64_MAX - digit))
			return 0;
		sum = sum * 10 + digit;
		scan->at++;
	}
	*value = sum;
	return (size_t)(scan->at - from);
}

/* As scan_decimal(), of 32 bits. */
static inline bool scan_decimal32(struct scan *scan, uint32_t *value)
{
	uint64_t wide;

	if (!scan_decimal(scan, &wide) || wide > UINT32_MAX)
		return false;
	*value = (uint32_t)wide;
	return true;
}

/* 0 to 15, or more: no digit. */
static inline unsigned int scan_hex_digit(char c)
{
	const unsigned int digit = (unsigned char)c - '0';
	const unsigned int letter = ((unsigned char)c | 0x20) - 'a';

	if (digit <= 9)
		return digit;
	return letter <= 5 ? letter + 10 : 16;
}

/* A number in hex, without 0x: how many digits; 0 = none, or more than 16. */
static inline size_t scan_hex(struct scan *scan, uint64_t *value)
{
	const char *from = scan->at;
	uint64_t sum = 0, blanks;

	if (scan_left(scan) >= 8 && text_hex8(from, &sum, &blanks) && !blanks)
		scan->at += 8;
	else
		sum = 0;
	while (scan->at < scan->end) {
		const unsigned int digit = scan_hex_digit(*scan->at);

		if (digit > 15)
			break;
		sum = sum << 4 | digit;
		scan->at++;
	}
	*value = sum;
	return scan->at - from <= 16 ? (size_t)(scan->at - from) : 0;
}

/* A number in hex behind 0x. */
static inline bool scan_0x(struct scan *scan, uint64_t *value)
{
	return scan_text(scan, "0x") && scan_hex(scan, value) > 0;
}

/* SECONDS.FRACTION with up to nine digits behind the dot, in ns. */
static inline bool scan_seconds(struct scan *scan, uint64_t *time_ns)
{
	uint64_t seconds, fraction;
	size_t digits;

	if (!scan_decimal(scan, &seconds) || !scan_char(scan, '.'))
		return false;
	digits = scan_decimal(scan, &fraction);
	if (digits == 0 || digits > 9 || seconds > UINT64_MAX / 1000000000 - 1)
		return false;
	for (; digits < 9; digits++)
		fraction *= 10;
	*time_ns = seconds * 1000000000 + fraction;
	return true;
}

#endif
