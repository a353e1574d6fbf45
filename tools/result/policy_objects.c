// SPDX-License-Identifier: GPL-2.0-or-later
/* Policies that are shared objects, as documents name them. */
#include "policy_objects.h"

#include <inttypes.h>

#include "json_value.h"

bool fz_policy_objects_any(const struct fz_policy_list *policies)
{
	for (size_t i = 0; policies && i < policies->nr; i++)
		if (policies->file[i].path)
			return true;
	return false;
}

static json_t *object_json(const struct fz_policy_list *policies, size_t i)
{
	const struct fz_policy_file *file = &policies->file[i];
	char crc[9];

	snprintf(crc, sizeof(crc), "%08" PRIx32, file->sum.crc32);
	return json_pack("{s:o, s:o, s:o, s:s}", "policy",
			 fz_json_text(policies->policy[i]->name), "path",
			 fz_json_text(file->path), "bytes",
			 fz_json_count((uint64_t)file->sum.status.st_size),
			 "crc32", crc);
}

json_t *fz_policy_objects_json(const struct fz_policy_list *policies)
{
	json_t *array = json_array();
	int failed = 0;

	for (size_t i = 0; policies && i < policies->nr; i++)
		if (policies->file[i].path)
			failed |= json_array_append_new(
				array, object_json(policies, i));
	if (!failed)
		return array;
	json_decref(array);
	return NULL;
}

void fz_policy_objects_text(FILE *out, const struct fz_policy_list *policies,
			    struct fz_margins margins)
{
	for (size_t i = 0; policies && i < policies->nr; i++) {
		const struct fz_policy_file *file = &policies->file[i];
		struct fz_note note = { .used = 0 };

		if (!file->path)
			continue;
		fz_note_add(&note,
			    "policy %s is %s (%" PRIu64
			    " bytes, crc32 %08" PRIx32 ")",
			    policies->policy[i]->name, file->path,
			    (uint64_t)file->sum.status.st_size,
			    file->sum.crc32);
		fz_note_print(out, &note, margins);
	}
}
