// SPDX-License-Identifier: GPL-2.0-or-later
/* The views of made-up results, byte for byte; golden/update rewrites them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "sample_result.h"

static const char *const views[] = { "text", "csv", "commit" };
#define NR_VIEWS (sizeof(views) / sizeof(views[0]))

static char *read_golden(const char *kind, const char *view)
{
	char path[1024];
	char *text = NULL;
	size_t cap = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tools/golden/%s.%s", FZ_TEST_DIR, kind,
		 view);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "no %s", path);
	if (getdelim(&text, &cap, '\0', file) < 0) {
		ck_assert_msg(feof(file), "cannot read %s", path);
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

/* The number of the first line that differs. */
static unsigned int first_difference(const char *a, const char *b)
{
	unsigned int line = 1;

	for (; *a && *a == *b; a++, b++)
		line += *a == '\n';
	return line;
}

START_TEST(test_golden)
{
	const struct sample_kind *kind = &sample_kinds[_i / (int)NR_VIEWS];
	const char *view = views[_i % (int)NR_VIEWS];
	struct sample *sample = sample_new(kind);
	char *printed = sample_print(sample, view);
	char *golden = read_golden(kind->name, view);

	ck_assert_msg(strcmp(printed, golden) == 0,
		      "%s.%s differs in line %u; printed:\n%s", kind->name,
		      view, first_difference(printed, golden), printed);
	free(printed);
	free(golden);
	sample_free(sample);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("result_golden");
	TCase *tcase = tcase_create("golden");

	tcase_add_loop_test(tcase, test_golden, 0,
			    (int)(nr_sample_kinds * NR_VIEWS));
	suite_add_tcase(suite, tcase);
	return suite;
}
