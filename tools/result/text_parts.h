/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that result_text.c puts together. */
#ifndef FZ_TEXT_PARTS_H
#define FZ_TEXT_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "result.h"
#include "row_label.h"

#define FZ_TEXT_WIDTH 100

/* A time without the blank: "1.23us"; "-" for NaN; into [cap]. */
void fz_text_ns(char *buf, size_t cap, double ns);

/* The machine: a line or two. */
void fz_text_machine(FILE *out, const struct fz_result *result);

/* The machine, what its kernel does, and what a resched point costs. */
void fz_text_header(FILE *out, const struct fz_result *result);

/* The table of the rows in a group. Return: 0 or -ENOMEM. */
int fz_text_table(FILE *out, const struct fz_labels *labels);

/*
 * Wake-ups of a group's rows, modelled and measured; nothing where nobody was
 * woken. Return: 0 or -ENOMEM.
 */
int fz_text_wakeups(FILE *out, const struct fz_labels *labels);

/*
 * What was counted in a group's rows; nothing where nothing was. Return: 0 or
 * -ENOMEM.
 */
int fz_text_counters(FILE *out, const struct fz_labels *labels);

/*
 * What zeroing left in the caches, and what it pushed out, as far as anybody
 * looked. Return: 0 or -ENOMEM.
 */
int fz_text_probes(FILE *out, const struct fz_labels *labels);

/* How the tables of probes are to be read. */
void fz_text_probe_notes(FILE *out, const struct fz_result *result);

/* Who is fastest, if anybody, and what that costs. */
void fz_text_verdict(FILE *out, const struct fz_labels *labels,
		     const struct fz_verdict *verdict);

/* What could not be counted, and what counting takes. */
void fz_text_counter_notes(FILE *out, const struct fz_result *result);

/* Everything that a reader must know before believing a row. */
void fz_text_doubts(FILE *out, const struct fz_result *result);

/* The same, and what the words in the tables of bench mean. */
void fz_text_notes(FILE *out, const struct fz_result *result);

#endif
