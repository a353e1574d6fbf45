// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks for an example's text in a page of docs/. */
#include "doc_shows.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 65536

/* Fills text, [TEXT_BYTES], with a file of docs/. */
static void read_doc(const char *path, char *text)
{
	char whole[4096];
	size_t nr_read;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/../docs/%s", FZ_TEST_DIR, path);
	file = fopen(whole, "r");
	ck_assert_msg(file != NULL, "cannot read '%s'", whole);
	nr_read = fread(text, 1, TEXT_BYTES - 1, file);
	text[nr_read] = '\0';
	fclose(file);
	ck_assert_uint_gt(nr_read, 0);
}

void ck_assert_doc_shows(const char *page, const char *example)
{
	char *doc = malloc(TEXT_BYTES), *shown = malloc(TEXT_BYTES);

	ck_assert(doc && shown);
	read_doc(page, doc);
	read_doc(example, shown);
	ck_assert_msg(strstr(doc, shown) != NULL, "the page shows other text");
	free(doc);
	free(shown);
}
