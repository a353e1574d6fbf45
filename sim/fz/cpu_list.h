/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of CPUs in the order in which threads take them. */
#ifndef FZ_CPU_LIST_H
#define FZ_CPU_LIST_H

#include <stddef.h>

#include <fz/err.h>

/* CPU numbers are below it: no kernel is built for more (x86 MAXSMP). */
#define FZ_MAX_CPUS_LISTED 8192

/**
 * struct fz_cpu_list - CPUs, each once
 * @nr: entries in @cpu
 * @cpu: [nr], the first is the first thread's
 */
struct fz_cpu_list {
	size_t nr;
	unsigned int cpu[FZ_MAX_CPUS_LISTED];
};

/**
 * fz_cpu_list_parse() - read a list as taskset takes it
 * @text: numbers, ranges and ranges with a step, as in "0-3,8,16-30:2"
 * @list: the CPUs in the order of @text; undefined after a failure
 * @err: message on failure
 *
 * Only reads the text: fz_places_check_cpus() knows which CPUs there are.
 *
 * Return: 0; -EINVAL for other text, a range that runs backwards, a CPU that
 * is named twice or a number that no CPU has.
 */
int fz_cpu_list_parse(const char *text, struct fz_cpu_list *list,
		      struct fz_err *err);

#endif
