// SPDX-License-Identifier: GPL-2.0-or-later
/* The CSV view: the JSON object of each row flattened. */
#include "result.h"

#include <errno.h>

#include <jansson.h>

#include "csv.h"
#include "row_json.h"
#include "view.h"

static int write_rows(FILE *out, const struct fz_result *result)
{
	int code = 0;

	for (size_t i = 0; i < result->nr_rows && !code; i++) {
		json_t *row = fz_row_json(result, i);

		if (!row)
			return -ENOMEM;
		if (i == 0)
			code = fz_csv_line(out, true, row);
		if (!code)
			code = fz_csv_line(out, false, row);
		json_decref(row);
	}
	return code;
}

int fz_result_csv(FILE *out, const struct fz_result *result)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	code = write_rows(view.stream, result);
	if (!code)
		return fz_view_end(&view, out);
	fz_view_drop(&view);
	return code;
}
