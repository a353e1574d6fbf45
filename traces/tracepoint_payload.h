/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tracepoints page_fault_user and page_fault_kernel print. */
#ifndef TRACEPOINT_PAYLOAD_H
#define TRACEPOINT_PAYLOAD_H

#include <fz/fault.h>

#include "text_scan.h"

/*
 * address=0x.. ip=0x.. error_code=0x.. anywhere in the text. The addresses may
 * be symbols; an ip that is one stays unknown. NULL, or why it cannot be used.
 */
const char *tracepoint_payload(struct scan text, struct fz_fault *fault);

#endif
