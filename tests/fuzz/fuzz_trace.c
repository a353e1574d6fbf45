// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes through the reader of FZ_FUZZ_FORMAT. */
#include <stdio.h>
#include <stdlib.h>

#include "feed_format.h"

extern const struct fz_trace_format FZ_FUZZ_FORMAT;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr)
{
	const char *wrong =
		feed_format(&FZ_FUZZ_FORMAT, (const char *)bytes, nr);

	if (wrong) {
		fprintf(stderr, "%s: %s\n", FZ_FUZZ_FORMAT.name, wrong);
		abort();
	}
	return 0;
}
