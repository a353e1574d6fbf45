// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON values that cannot be wrong: null instead of a figure nobody has. */
#include "json_value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* A path may hold any bytes; what stands beside it must still be readable. */
static json_t *ascii_only(const char *text)
{
	char *copy = strdup(text);
	json_t *value;

	if (!copy)
		return NULL;
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

json_t *fz_json_text(const char *text)
{
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	return value ? value : ascii_only(text);
}

json_t *fz_json_known(const char *text)
{
	return text && text[0] ? fz_json_text(text) : json_null();
}

json_t *fz_json_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *fz_json_probability(double p)
{
	char text[32];

	if (!isfinite(p))
		return json_null();
	snprintf(text, sizeof(text), "%.6g", p);
	return json_real(strtod(text, NULL));
}

json_t *fz_json_count(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value)
				  : json_null();
}

json_t *fz_json_known_count(uint64_t value)
{
	return value ? fz_json_count(value) : json_null();
}

json_t *fz_json_tool(const char *command, uint64_t seed)
{
	return json_pack("{s:s, s:o, s:o}", "version", FZ_VERSION, "command",
			 fz_json_text(command), "seed", fz_json_count(seed));
}

int fz_json_print(FILE *out, const json_t *document)
{
	char *text =
		document ? json_dumps(document,
				      JSON_INDENT(2) | JSON_REAL_PRECISION(
							       FZ_JSON_DIGITS))
			 : NULL;
	struct fz_view view;
	int code = text ? fz_view_begin(&view) : -ENOMEM;

	if (!code) {
		fprintf(view.stream, "%s\n", text);
		code = fz_view_end(&view, out);
	}
	free(text);
	return code;
}
