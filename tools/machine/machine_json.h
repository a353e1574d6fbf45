/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine object of the JSON documents. */
#ifndef FZ_MACHINE_JSON_H
#define FZ_MACHINE_JSON_H

#include <jansson.h>

#include <fz/machine.h>

/* What is unknown is null. Return: a new reference; NULL without memory. */
json_t *fz_machine_json(const struct fz_machine *machine);

#endif
