// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of trace formats. */
#include <fz/trace_format.h>

#include <string.h>

#define X(word) extern const struct fz_trace_format fz_trace_format_##word;
#include "trace_format_list.h"
#undef X

#define X(word) &fz_trace_format_##word,
const struct fz_trace_format *const fz_trace_formats[] = {
#include "trace_format_list.h"
	NULL,
};
#undef X

const struct fz_trace_format *fz_trace_format_find(const char *name)
{
	for (size_t i = 0; fz_trace_formats[i]; i++)
		if (strcmp(fz_trace_formats[i]->name, name) == 0)
			return fz_trace_formats[i];
	return NULL;
}

uint64_t fz_trace_format_reorder_ns(const struct fz_trace_format *format)
{
	return format->reorder_ns ? format->reorder_ns : FZ_TRACE_REORDER_NS;
}
