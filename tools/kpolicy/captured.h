/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's output, in memory. */
#ifndef FZ_CAPTURED_H
#define FZ_CAPTURED_H

/*
 * Run a program without input. What it writes comes to stand in `out` and
 * `errors`, each to be freed, with a 0 behind; a NULL is thrown away. Return:
 * its exit status, or -errno, then without texts: -ENOENT if it is not there.
 */
int fz_captured_run(const char *const *argv, char **out, char **errors);

#endif
