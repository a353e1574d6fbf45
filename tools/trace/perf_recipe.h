/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How perf is asked for page faults. */
#ifndef FZ_PERF_RECIPE_H
#define FZ_PERF_RECIPE_H

#include <stdio.h>

/* Words of perf script that print what our reader wants to know; the last one
 * is NULL. */
extern const char *const fz_perf_script_words[];

/* What to type where foliosim cannot do it itself. */
void fz_perf_recipe_print(FILE *out);

#endif
