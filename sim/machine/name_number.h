/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in the names of /sys directories. */
#ifndef FZ_SIM_NAME_NUMBER_H
#define FZ_SIM_NAME_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * fz_name_number() - read "PREFIX<decimal>SUFFIX" and nothing else
 * @name: the name, "hugepages-2048kB"
 * @prefix: what must come before the number, "hugepages-"
 * @suffix: what must come behind it to the end, "kB"
 * @number: written on success
 *
 * Return: true if the name is such.
 */
bool fz_name_number(const char *name, const char *prefix, const char *suffix,
		    uint64_t *number);

#endif
