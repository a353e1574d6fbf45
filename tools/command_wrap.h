/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line cut to a width so that a shell still reads it. */
#ifndef FZ_COMMAND_WRAP_H
#define FZ_COMMAND_WRAP_H

#include <stdio.h>

/*
 * Print "$ command", at most `width` columns a line and `indent` columns from
 * the left, continued with backslashes. A word that is too long for a line is
 * continued in the first column, because blanks would end it. Control
 * characters become blanks.
 */
void fz_command_wrap(FILE *out, const char *command, size_t width,
		     size_t indent);

#endif
