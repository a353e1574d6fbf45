// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of a page fault's tracepoint. */
#include "tracepoint_payload.h"

static bool ends_word(const struct scan *scan)
{
	const int c = scan_peek(scan);

	return c < 0 || c == ' ' || c == '\t';
}

/* Where the text stands, as a rule; else the first place it stands in. */
static inline __attribute__((always_inline)) bool scan_to(struct scan *text,
							  const char *name)
{
	return scan_text(text, name) || scan_find(text, name);
}

const char *tracepoint_payload(struct scan text, struct fz_fault *fault)
{
	uint64_t error_code;

	scan_spaces(&text);
	if (!scan_to(&text, "address="))
		return "a tracepoint without its fields";
	if (!scan_0x(&text, &fault->addr) || !ends_word(&text))
		return "the address of a tracepoint is no number";
	fault->knows |= FZ_KNOWS_ADDR;
	if (scan_to(&text, " ip=") && scan_0x(&text, &fault->ip) &&
	    ends_word(&text))
		fault->knows |= FZ_KNOWS_IP;
	else
		fault->ip = 0;
	if (!scan_to(&text, " error_code="))
		return "a tracepoint without an error code";
	if (!scan_0x(&text, &error_code) || !ends_word(&text) ||
	    error_code > UINT32_MAX)
		return "the error code of a tracepoint is no number";
	fault->error_code = (uint32_t)error_code;
	fault->knows |= FZ_KNOWS_ERROR_CODE;
	return NULL;
}
