// SPDX-License-Identifier: GPL-2.0-or-later
/* Error sentences. */
#include <fz/err.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a sentence that is too long: what is kept at each end, and between them.
 */
#define GAP        "..."
#define KEPT_BYTES ((FZ_ERR_MSG_BYTES - sizeof(GAP)) / 2)

/* The subject stands first and may be a long path, the cause stands last. */
static void keep_both_ends(struct fz_err *err, size_t len, const char *format,
			   va_list args)
{
	char *whole = malloc(len + 1);

	if (!whole)
		return;
	vsnprintf(whole, len + 1, format, args);
	memcpy(err->msg + KEPT_BYTES, GAP, strlen(GAP));
	memcpy(err->msg + KEPT_BYTES + strlen(GAP), whole + len - KEPT_BYTES,
	       KEPT_BYTES + 1);
	free(whole);
}

int fz_err_set(struct fz_err *err, int code, const char *format, ...)
{
	va_list args, again;
	int len;

	if (!err)
		return code;
	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(err->msg, sizeof(err->msg), format, args);
	if (len >= (int)sizeof(err->msg))
		keep_both_ends(err, (size_t)len, format, again);
	va_end(again);
	va_end(args);
	return code;
}
