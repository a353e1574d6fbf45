/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as a block of text to paste into a report. */
#ifndef FZ_MACHINE_TEXT_H
#define FZ_MACHINE_TEXT_H

#include <stdio.h>

#include <fz/machine.h>

/*
 * One "key: value" line a fact, aligned, wrapped at 72 columns; what is not
 * known is said to be unknown. Return: 0, or -errno when writing failed.
 */
int fz_machine_text(FILE *out, const struct fz_machine *machine);

#endif
