// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"
#include "kernel_source.h"

static struct fz_kernel_source source_of(const char *text)
{
	struct fz_kernel_source source;

	ck_assert_int_eq(fz_kernel_source_init(&source, FZ_KERNEL_CODE, "a.c",
					       strdup(text), strlen(text)),
			 0);
	return source;
}

/* Which lines a definition takes. */
static const struct {
	const char *text;
	size_t at, end;
	size_t first, nr;
} definitions[] = {
	{ "int a;\n", 0, FZ_KERNEL_NO_LINE, 0, 1 },
	{ "int a;", 0, FZ_KERNEL_NO_LINE, 0, 1 },
	{ "int a;\nstatic const int\nb[] = {\n1, 2\n};\nint c;\n", 2,
	  FZ_KERNEL_NO_LINE, 1, 4 },
	/* What stands before is none of it. */
	{ "int f(void)\n{\n}\nvoid\ng(void)\n{\n}\n", 4, 6, 3, 4 },
	{ "/* Text;\n * of g\n */\nvoid g(void)\n{\n}\n", 3, 5, 3, 3 },
	{ "#define A \\\n	b\nvoid g(void) { }\n", 2, 2, 2, 1 },
	{ "#endif\nvoid g(void) { }\n", 1, 1, 1, 1 },
	{ "\nstruct\ns {\nint a;\n};\n", 2, FZ_KERNEL_NO_LINE, 1, 4 },
	/* What braces belong to. */
	{ "int a;\ntypedef struct {\nint b;\n} c;\n", 3, FZ_KERNEL_NO_LINE, 1,
	  3 },
	{ "static const\nstruct {\nint b;\n} c[] = {\n{ 1 },\n};\nint d;\n", 3,
	  FZ_KERNEL_NO_LINE, 0, 6 },
	/* In comments and literals nothing opens, closes or ends. */
	{ "char a[] = \"};{\", b = ';', /* ; */\nc;\nint d;\n", 0,
	  FZ_KERNEL_NO_LINE, 0, 2 },
	{ "int a = '\\'' // ;\n;\n", 0, FZ_KERNEL_NO_LINE, 0, 2 },
	{ "char a[] = \"\\\";\"\n;\n", 0, FZ_KERNEL_NO_LINE, 0, 2 },
	/* It may not end. */
	{ "enum {\nA,\n", 0, FZ_KERNEL_NO_LINE, 0, 2 },
	{ "void g(void)\n{\n", 0, 7, 0, 2 },
};

START_TEST(test_definition)
{
	struct fz_kernel_source source = source_of(definitions[_i].text);
	const struct fz_kernel_lines lines = fz_kernel_source_definition(
		&source, definitions[_i].at, definitions[_i].end);

	ck_assert_uint_eq(lines.first, definitions[_i].first);
	ck_assert_uint_eq(lines.nr, definitions[_i].nr);
	fz_kernel_source_fini(&source);
}
END_TEST

START_TEST(test_directive)
{
	struct fz_kernel_source source = source_of("#define A(b) \\\n\tc \\\n"
						   "\td\nint e;\n");
	const struct fz_kernel_lines lines =
		fz_kernel_source_directive(&source, 0);

	ck_assert_uint_eq(lines.first, 0);
	ck_assert_uint_eq(lines.nr, 3);
	fz_kernel_source_fini(&source);
}
END_TEST

/* The line "here" and the numbers of the lines that it is under, from 1. */
static const struct {
	const char *text;
	const char *under;
} conditions[] = {
	{ "here\n", "" },
	{ "#if A\nhere\n#endif\n", "1" },
	{ "#if A\n#endif\nhere\n", "" },
	{ "#if A\n#elif B\n#else\nhere\n#endif\n", "123" },
	{ "#if A\n#ifdef B\n#endif\n# ifndef C\nhere\n#endif\n#endif\n", "14" },
	{ "/*\n#if A\n*/\nhere\n", "" },
	{ "// A \\\n#if A\nhere\n", "" },
	{ "#define A(b) \\\n#if\nhere\n", "" },
	{ "#iffy\nhere\n", "" },
	{ "#ifndef A\n#define A\n#if B\nhere\n#endif\n#endif\n", "13" },
	{ "#if A \\\n&& B\nhere\n#endif\n", "1" },
	/* What does not match. */
	{ "#else\nhere\n", "" },
	{ "#endif\n#if A\nhere\n", "2" },
};

START_TEST(test_conditions)
{
	struct fz_kernel_source source = source_of(conditions[_i].text);
	char under[16] = "";
	size_t line = 0, nr = 0;

	while (strncmp(source.text + source.lines[line], "here", 4) != 0)
		line++;
	for (size_t at = source.under[line]; at != FZ_KERNEL_NO_LINE;
	     at = source.under[at])
		nr++;
	for (size_t at = source.under[line]; at != FZ_KERNEL_NO_LINE;
	     at = source.under[at])
		under[--nr] = (char)('1' + at);
	ck_assert_str_eq(under, conditions[_i].under);
	fz_kernel_source_fini(&source);
}
END_TEST

/* As deep as a file has lines. */
START_TEST(test_deep_conditions)
{
	char *deep = calloc(1001, 6);
	struct fz_kernel_source source;
	size_t nr = 0;

	for (size_t i = 0; i < 1000; i++)
		memcpy(deep + 6 * i, "#if A\n", 6);
	source = source_of(deep);
	for (size_t at = source.under[999]; at != FZ_KERNEL_NO_LINE;
	     at = source.under[at])
		nr++;
	ck_assert_uint_eq(nr, 999);
	fz_kernel_source_fini(&source);
	free(deep);
}
END_TEST

/* One that can be opened, but would be waited for. */
START_TEST(test_no_file)
{
	struct fz_kernel_source source;
	struct fz_err err = { "" };

	ck_assert_int_ne(fz_kernel_source_read(&source, FZ_KERNEL_CODE, "b.c",
					       "/dev/null", &err),
			 0);
	ck_assert_str_eq(err.msg, "cannot read '/dev/null': it is no regular "
				  "file");
	fz_kernel_source_fini(&source);
}
END_TEST

START_TEST(test_unreadable)
{
	struct fz_kernel_source source;
	struct fz_err err = { "" };

	ck_assert_int_ne(fz_kernel_source_read(&source, FZ_KERNEL_CODE, "b.c",
					       "/no/such/b.c", &err),
			 0);
	ck_assert_str_eq(err.msg, "cannot read '/no/such/b.c': No such file or "
				  "directory");
	fz_kernel_source_fini(&source);
}
END_TEST

/* Nothing outside of the text is looked at, and no piece leaves it. */
static size_t count_outside(const struct fz_kernel_source *source)
{
	size_t outside = 0;

	for (size_t at = 0; at < source->nr_lines; at++) {
		const struct fz_kernel_lines pieces[] = {
			fz_kernel_source_definition(source, at,
						    FZ_KERNEL_NO_LINE),
			fz_kernel_source_definition(source, at, at + 3),
			fz_kernel_source_directive(source, at),
		};

		for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
			outside += !pieces[i].nr || pieces[i].first > at ||
				   pieces[i].first + pieces[i].nr <= at ||
				   pieces[i].first + pieces[i].nr >
					   source->nr_lines;
		outside += source->under[at] != FZ_KERNEL_NO_LINE &&
			   source->under[at] >= at;
	}
	return outside;
}

START_TEST(test_random_texts)
{
	static const char *const pieces[] = {
		"#if ",   "#else\n", "#endif\n", "#ifndef A\n", "#define A\n",
		"\\\n",   "\n",      "{",        "}",           ";",
		"/*",     "*/",      "//",       "\"",          "'",
		"\\",     "a",       " ",        "#",           "\r\n",
		"int f(", "\t",      "ifdef",    "\xc3\xa9",    ")",
	};
	const size_t nr = sizeof(pieces) / sizeof(pieces[0]);
	struct fz_random random = fz_random_begin(7, 0);
	size_t outside = 0;

	for (int round = 0; round < 500; round++) {
		char text[2048] = "";

		struct fz_kernel_source source;

		for (uint64_t i = 0; i < 200; i++)
			strcat(text, pieces[fz_random_below(&random, nr)]);
		source = source_of(text);
		outside += count_outside(&source);
		fz_kernel_source_fini(&source);
	}
	ck_assert_uint_eq(outside, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("kernel_source");
	TCase *tc = tcase_create("kernel_source");

	tcase_add_loop_test(tc, test_definition, 0,
			    sizeof(definitions) / sizeof(definitions[0]));
	tcase_add_test(tc, test_directive);
	tcase_add_loop_test(tc, test_conditions, 0,
			    sizeof(conditions) / sizeof(conditions[0]));
	tcase_add_test(tc, test_deep_conditions);
	tcase_add_test(tc, test_no_file);
	tcase_add_test(tc, test_unreadable);
	tcase_add_test(tc, test_random_texts);
	suite_add_tcase(suite, tc);
	return suite;
}
