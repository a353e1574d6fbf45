/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line as one string. */
#ifndef FZ_COMMAND_LINE_H
#define FZ_COMMAND_LINE_H

/*
 * "foliosim" and the arguments, quoted where a shell would need it. Return: a
 * string for free(), NULL without memory.
 */
char *fz_command_line(int argc, char **argv);

#endif
