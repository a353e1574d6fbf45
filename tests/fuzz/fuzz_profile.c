// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes as a machine profile: refused, or written and read back
 * to the same bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr);

static char *printed(const struct fz_profile_document *document)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out || fz_profile_print(out, document) || fclose(out))
		abort();
	return text;
}

static void there_and_back(const struct fz_profile_document *document)
{
	static struct fz_profile_document again;
	struct fz_err err = { "" };
	char *first = printed(document), *second;

	if (fz_profile_parse(&again, "again", first, strlen(first), &err)) {
		fprintf(stderr, "%s\n%s\n", err.msg, first);
		abort();
	}
	second = printed(&again);
	if (strcmp(first, second) != 0)
		abort();
	free(first);
	free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr)
{
	static struct fz_profile_document document;
	struct fz_err err = { "" };
	char *text = malloc(nr + 1);

	if (!text)
		return 0;
	memcpy(text, bytes, nr);
	text[nr] = '\0';
	if (fz_profile_parse(&document, "fuzz", text, nr, &err) == 0)
		there_and_back(&document);
	else if (!err.msg[0])
		abort();
	free(text);
	return 0;
}
