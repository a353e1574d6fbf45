/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all rows' probes are read with, as JSON. */
#ifndef FZ_PROBE_JSON_H
#define FZ_PROBE_JSON_H

#include <jansson.h>

#include "result.h"

/* The member "probe" of a result that has probes; NULL without memory. */
json_t *fz_probe_json(const struct fz_result *result);

#endif
