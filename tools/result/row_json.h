/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row as a JSON object; the CSV view flattens the same object. */
#ifndef FZ_ROW_JSON_H
#define FZ_ROW_JSON_H

#include <stddef.h>

#include <jansson.h>

#include "result.h"

/*
 * Every row has the same members in the same order; null = not measured.
 * Return: a new reference; NULL without memory.
 */
json_t *fz_row_json(const struct fz_result *result, size_t index);

#endif
