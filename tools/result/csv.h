/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JSON object flattened to a line of CSV. */
#ifndef FZ_CSV_H
#define FZ_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/*
 * Keys joined by a dot, in the order of the object. Arrays are left out, but
 * for the two ends of each interval, whose key begins with "ci95". Quoting as
 * in RFC 4180; lines end in a plain newline, which awk and cut expect. `header`
 * asks for the keys instead of the values. Return: 0 or -ENOMEM.
 */
int fz_csv_line(FILE *out, bool header, json_t *row);

#endif
