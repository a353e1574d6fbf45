/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any folio to zero, for tests of policies. */
#ifndef RANDOM_REQUEST_H
#define RANDOM_REQUEST_H

#include <stddef.h>

#include <fz/policy.h>
#include <fz/random.h>

#include "sanitized.h"

/*
 * Page counts mostly no powers of two, some gigantic; batches and radii also
 * beyond the folio; all models, highmem and per-page-clear.
 */
struct fz_zero_request random_request(struct fz_random *random);

/* The request in words, for a message. */
void request_describe(const struct fz_zero_request *request, char *text,
		      size_t text_bytes);

/* Work is cut by this factor where a sanitizer or an emulator makes it slow. */
#define SLOW_STRIDE (FZ_SANITIZED || FZ_EMULATED ? 17u : 1u)

#endif
