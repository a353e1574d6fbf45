/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON values that cannot be wrong: null instead of a figure nobody has. */
#ifndef FZ_JSON_VALUE_H
#define FZ_JSON_VALUE_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

/* Digits that bring back what was written: 0.1 stays 0.1. */
#define FZ_JSON_DIGITS 15

/* A string; bytes that are not UTF-8 become '?'; NULL becomes null. */
json_t *fz_json_text(const char *text);

/* As fz_json_text(), but "" is null too: unknown. */
json_t *fz_json_known(const char *text);

/* A finite number; NaN and infinities become null. */
json_t *fz_json_real(double value);

/* A probability in six digits: further ones depend on the CPU's arithmetic. */
json_t *fz_json_probability(double p);

/* A count; beyond 2^63 - 1, which JSON readers do not take, it is null. */
json_t *fz_json_count(uint64_t value);

/* A count where 0 means unknown. */
json_t *fz_json_known_count(uint64_t value);

/* What made a document: this version, by that command, from that seed. */
json_t *fz_json_tool(const char *command, uint64_t seed);

/* Write a document; NULL: there was no memory for it. 0 or -errno. */
int fz_json_print(FILE *out, const json_t *document);

#endif
