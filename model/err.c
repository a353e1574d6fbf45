// SPDX-License-Identifier: GPL-2.0-or-later
/* Error sentences. */
#include <fz/err.h>

#include <stdarg.h>
#include <stdio.h>

int fz_err_set(struct fz_err *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->msg, sizeof(err->msg), format, args);
	va_end(args);
	return code;
}
