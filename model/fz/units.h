/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and units from and to text: the only place that converts them. */
#ifndef FZ_UNITS_H
#define FZ_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>

/**
 * DOC: units
 *
 * Sizes are 1024-based wherever they are read or written: 2M is 2,097,152
 * bytes, and a GB/s in text output is a GiB/s that says so. The parsers take
 * the whole text or refuse it: no blanks, no signs, and fractions only where
 * it says so. Nothing here depends on the locale.
 */

/* Bytes that any fz_format_ function here may need, the NUL included. */
#define FZ_FORMAT_BYTES 32

/**
 * fz_parse_bytes() - read a size such as 4096, 4096B, 64K, 2MB or 1GiB
 * @text: decimal digits, then nothing, B, or one of K M G T (either case) with
 *	an optional B or iB behind it
 * @bytes: written on success; 0 is a size here, callers refuse it
 * @err: the sentence on failure; may be NULL
 *
 * Return: 0, -EINVAL for other text, -ERANGE for a size beyond 64 bits.
 */
int fz_parse_bytes(const char *text, uint64_t *bytes, struct fz_err *err);

/**
 * fz_parse_u64() - read a plain decimal number
 * @text: decimal digits only
 * @value: written on success
 * @err: the sentence on failure; may be NULL
 *
 * Return: 0, -EINVAL for other text, -ERANGE for a number beyond 64 bits.
 */
int fz_parse_u64(const char *text, uint64_t *value, struct fz_err *err);

/**
 * fz_parse_decimal() - read a number that may have a fraction
 * @text: at most 15 decimal digits, with an optional point among them
 * @value: written on success: the double next to it
 * @err: the sentence on failure; may be NULL
 *
 * Return: 0, -EINVAL for other text, -ERANGE for more digits.
 */
int fz_parse_decimal(const char *text, double *value, struct fz_err *err);

/**
 * fz_parse_hex() - read a hexadecimal number
 * @text: 1 to 16 hexadecimal digits of either case, with or without 0x
 * @value: written on success
 * @err: the sentence on failure; may be NULL
 *
 * Return: 0, -EINVAL for other text, -ERANGE for more than 16 digits.
 */
int fz_parse_hex(const char *text, uint64_t *value, struct fz_err *err);

/**
 * fz_parse_ns() - read a time such as 500ns, 100us, 2ms or 1s
 * @text: decimal digits, then ns, us, ms or s; a bare number is no time
 * @ns: written on success; 0 is a time here, callers refuse it
 * @err: the sentence on failure; may be NULL
 *
 * Return: 0, -EINVAL for other text, -ERANGE for a time beyond 64 bits of ns.
 */
int fz_parse_ns(const char *text, uint64_t *ns, struct fz_err *err);

/**
 * fz_format_bytes() - the shortest exact text of a size
 * @buf: [@cap], NUL-terminated afterwards
 * @cap: FZ_FORMAT_BYTES is enough for any size
 * @bytes: the size
 *
 * The largest of T, G, M, K that divides it, else B: 12288 is 12K, 1000 is
 * 1000B. fz_parse_bytes() reads it back to the same number.
 */
void fz_format_bytes(char *buf, size_t cap, uint64_t bytes);

/**
 * fz_format_ns() - a time in three significant digits
 * @buf: [@cap], NUL-terminated afterwards
 * @cap: FZ_FORMAT_BYTES is enough for times below 10^20 s
 * @ns: nanoseconds; a negative one is a difference
 *
 * "845 ns", "1.23 us", "12.3 ms", "1.70 s". Below 0.1 ns three decimals, from
 * 1000 s on all digits of the whole seconds.
 */
void fz_format_ns(char *buf, size_t cap, double ns);

/**
 * fz_gib_per_s() - a bandwidth as text output shows it
 * @bytes_per_s: bytes per second
 *
 * Return: GiB per second.
 */
double fz_gib_per_s(double bytes_per_s);

#endif
