/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a row of a result document ran: its placement in two values. */
#ifndef FZ_ROW_PLACES_H
#define FZ_ROW_PLACES_H

#include <jansson.h>

/*
 * Add two members to a row, made from its `placement`; null = unknown:
 * `placement_cpus`, on how many CPUs its threads ran, and `placement_nodes`,
 * "0,1", the NUMA nodes of its pages. Whatever `placement` holds is understood
 * or unknown. Return: 0 or -ENOMEM.
 */
int fz_row_add_places(json_t *row);

#endif
