// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading results back: good ones, bad ones, and mutations by the thousand. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fz/random.h>
#include <jansson.h>

#include "compare.h"
#include "fz_test.h"
#include "mutate_json.h"
#include "result_read.h"
#include "sample_result.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* A made-up result as JSON, for free(). */
static char *sample_text(const char *kind)
{
	struct sample *sample = sample_find(kind);
	char *text = sample_print(sample, "json");

	sample_free(sample);
	return text;
}

static int parse(struct fz_document *document, const char *text,
		 struct fz_err *err)
{
	return fz_document_parse(document, "x.json", text, strlen(text), err);
}

/* One line that names the file, and nothing a terminal would obey. */
static bool is_sentence(const char *message)
{
	if (strncmp(message, "cannot read 'x.json': ", 22) != 0 || !message[22])
		return false;
	for (; *message; message++)
		if (*message < ' ' || *message > '~')
			return false;
	return true;
}

START_TEST(reads_what_bench_writes)
{
	char *text = sample_text(sample_kinds[_i].name);
	struct fz_document document;
	struct fz_err err = { "" };

	ck_assert_msg(parse(&document, text, &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(document.nr_rows, json_array_size(json_object_get(
						    document.root, "rows")));
	for (size_t i = 0; i < document.nr_rows; i++) {
		const struct fz_read_row *row = &document.rows[i];

		ck_assert((row->rounds > 0) == (row->seconds != NULL));
		ck_assert((row->rounds > 0) == (row->bytes > 0));
	}
	fz_document_fini(&document);
	free(text);
}
END_TEST

/* Set a member of the first row, of the document with row NULL. */
static char *with_member(const char *object, const char *member,
			 const char *value)
{
	char *text = sample_text("one"), *changed;
	json_t *root = json_loads(text, 0, NULL);
	json_t *row = json_array_get(json_object_get(root, "rows"), 0);
	json_t *target = strcmp(object, "row") == 0 ? row
			 : strcmp(object, "tool") == 0
				 ? json_object_get(root, "tool")
				 : root;

	if (value)
		json_object_set_new(target, member,
				    json_loads(value, JSON_DECODE_ANY, NULL));
	else
		json_object_del(target, member);
	changed = json_dumps(root, 0);
	json_decref(root);
	free(text);
	ck_assert_ptr_nonnull(changed);
	return changed;
}

static const struct {
	const char *object, *member;
	const char *value; /* NULL = removed */
	const char *says;
} wrong[] = {
	{ "", "schema", NULL, "no member 'schema'" },
	{ "", "schema", "1", "no member 'schema'" },
	{ "", "schema", "\"foliosim.result/2\"",
	  "its schema is 'foliosim.result/2'; understood is "
	  "'foliosim.result/1'" },
	{ "", "schema", "\"\\u001b[31m\"", "its schema is '?[31m'" },
	{ "", "rows", NULL, "no member 'rows'" },
	{ "", "rows", "{}", "'rows' is not an array" },
	{ "", "rows", "[1]", "row 1 is not an object" },
	{ "", "rows", "[[]]", "row 1 is not an object" },
	{ "", "machine", "null", "'machine' is not an object" },
	{ "", "partial", "0", "'partial' is not true or false" },
	{ "", "tool", NULL, "no member 'tool'" },
	{ "tool", "version", "null", "tool: 'version' is not a string" },
	{ "tool", "seed", "1.5", "tool: 'seed' is not a whole number or null" },
	{ "row", "engine", NULL, "row 1: no member 'engine'" },
	{ "row", "engine", "null", "row 1: 'engine' is not a string" },
	{ "row", "id", "\"x\"", "row 1: 'id' is not r1" },
	{ "row", "id", "\"r0\"", "row 1: 'id' is not r1" },
	{ "row", "id", "\"r\"", "row 1: 'id' is not r1" },
	{ "row", "id", "\"r1 \"", "row 1: 'id' is not r1" },
	{ "row", "fault_page", "true",
	  "row 1: 'fault_page' is not a whole number or a string or null" },
	{ "row", "backing", "{}", "row 1: no member 'kind'" },
	{ "row", "backing", "null", "row 1: 'backing' is not an object" },
	{ "row", "use", "3", "row 1: 'use' is not a string or null" },
	{ "row", "highmem", "3", "row 1: 'highmem' is not true or false" },
	{ "row", "waker", "3", "row 1: 'waker' is not an object or null" },
	{ "row", "threads", "null", "row 1: 'threads' is not a whole number" },
	{ "row", "rounds", "-1", "row 1: -1 rounds" },
	{ "row", "rounds", "1e3", "row 1: 'rounds' is not a whole number" },
	{ "row", "rounds", "4097", "row 1: 4097 rounds" },
	{ "row", "rounds", "2", "row 1: 2 rounds, but 1 entries" },
	{ "row", "seconds", "[]", "row 1: 1 rounds, but 0 entries" },
	{ "row", "seconds", "[null]", "round 1 has no number of seconds" },
	{ "row", "seconds", "[\"NaN\"]", "round 1 has no number of seconds" },
	{ "row", "seconds", "[-1]", "round 1 cannot have lasted -1 seconds" },
	{ "row", "seconds", "[0]", "round 1 cannot have lasted 0 seconds" },
	{ "row", "seconds", "[1e300]", "cannot have lasted 1e+300 seconds" },
	{ "row", "seconds", "[1e-300]", "cannot have lasted 1e-300 seconds" },
	{ "row", "bytes", "null", "row 1: rounds without 'bytes'" },
	{ "row", "bytes", "0", "row 1: rounds without 'bytes'" },
	{ "row", "bytes", "-5", "row 1: rounds without 'bytes'" },
};

START_TEST(wrong_members_are_named)
{
	char *text = with_member(wrong[_i].object, wrong[_i].member,
				 wrong[_i].value);
	struct fz_document document;
	struct fz_err err = { "" };

	ck_assert_int_eq(parse(&document, text, &err), -EBADMSG);
	ck_assert_msg(is_sentence(err.msg), "%s", err.msg);
	ck_assert_msg(strstr(err.msg, wrong[_i].says) != NULL, "%s", err.msg);
	fz_document_fini(&document);
	free(text);
}
END_TEST

static const char *const not_documents[] = {
	"",
	" \n\t",
	"{",
	"{}",
	"[]",
	"null",
	"1",
	"\"text\"",
	"{\"schema\"",
	"NaN",
	"{} {}",
	"\xff\xfe",
	"{\"a\":1,\"a\":2}",
	"{\"schema\":\"foliosim.result/1\"}",
	"{\"schema\":\"foliosim.result/1\",\"x\":1e999}",
	"{\"schema\":\"foliosim.result/1\",\"x\":99999999999999999999}",
	"GiB/s\n",
	"\x1b[31m",
};

START_TEST(what_is_no_document)
{
	struct fz_document document;
	struct fz_err err = { "" };

	ck_assert_int_eq(parse(&document, not_documents[_i], &err), -EBADMSG);
	ck_assert_msg(is_sentence(err.msg), "%s", err.msg);
	fz_document_fini(&document);
}
END_TEST

START_TEST(deep_nesting)
{
	const size_t depth = 1000000;
	char *text = malloc(depth + 1);
	struct fz_document document;
	struct fz_err err = { "" };

	memset(text, '[', depth);
	text[depth] = '\0';
	ck_assert_int_eq(parse(&document, text, &err), -EBADMSG);
	ck_assert_msg(is_sentence(err.msg), "%s", err.msg);
	fz_document_fini(&document);
	free(text);
}
END_TEST

START_TEST(too_many_rows)
{
	char *text = with_member("", "rows", "[]"), *many;
	json_t *root = json_loads(text, 0, NULL);
	struct fz_document document;
	struct fz_err err = { "" };

	for (size_t i = 0; i <= FZ_RESULT_MAX_ROWS; i++)
		json_array_append_new(json_object_get(root, "rows"),
				      json_null());
	many = json_dumps(root, 0);
	ck_assert_int_eq(parse(&document, many, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.msg, "4097 rows"));
	fz_document_fini(&document);
	json_decref(root);
	free(text);
	free(many);
}
END_TEST

/* Every prefix: cut short at any byte is an error, never a crash. */
START_TEST(cut_short)
{
	char *text = sample_text("one");
	const size_t bytes = strlen(text) - 1; /* the last line feed */
	size_t accepted = 0, no_sentence = 0;

	for (size_t cut = 0; cut < bytes; cut++) {
		struct fz_document document;
		struct fz_err err = { "" };
		char *part = strndup(text, cut);

		accepted += fz_document_parse(&document, "x.json", part, cut,
					      &err) == 0;
		no_sentence += !is_sentence(err.msg);
		fz_document_fini(&document);
		free(part);
	}
	ck_assert_uint_eq(accepted, 0);
	ck_assert_uint_eq(no_sentence, 0);
	free(text);
}
END_TEST

static unsigned int nr_lines(const char *text)
{
	unsigned int nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

/* Every view of a document against a good one; false if a view fails. */
static bool compare_and_print(const struct fz_document *good,
			      const struct fz_document *other,
			      struct fz_err *err)
{
	static int (*const views[])(FILE * out, const struct fz_compare *) = {
		fz_compare_text,
		fz_compare_json,
		fz_compare_csv,
		fz_compare_commit,
	};
	const struct fz_side sides[] = { { good, 1 }, { other, 1 } };
	struct fz_compare compare = {
		.command = "foliosim compare",
		.sides = sides,
		.nr_sides = 2,
		.between_runs = -1,
	};
	bool works = true;

	if (!fz_compare_make(&compare, err))
		for (size_t i = 0; i < NR(views); i++) {
			char *text = NULL;
			size_t bytes;
			FILE *out = open_memstream(&text, &bytes);

			works &= views[i](out, &compare) == 0;
			fclose(out);
			works &= nr_lines(text) > 1;
			free(text);
		}
	fz_compare_fini(&compare);
	return works;
}

/* Loop index: bit 0 bytes or members, the rest the document. */
START_TEST(mutations)
{
	static const char *const kinds[] = { "one", "full", "wide" };
	char *text = sample_text(kinds[_i / 2]);
	struct fz_random random = fz_random_begin(1, (uint64_t)_i);
	struct fz_document good;
	unsigned int broken = 0, read = 0, refused = 0;

	ck_assert_int_eq(parse(&good, text, NULL), 0);
	for (unsigned int i = 0; i < 400; i++) {
		struct fz_document document;
		struct fz_err err = { "" };
		char *mutated = mutated_json(&random, text, _i % 2);
		const int code = parse(&document, mutated, &err);

		if (code) {
			broken += !is_sentence(err.msg);
			refused++;
		} else {
			broken += !compare_and_print(&good, &document, &err);
			broken += strchr(err.msg, '\n') != NULL;
			read++;
		}
		fz_document_fini(&document);
		free(mutated);
	}
	ck_assert_uint_eq(broken, 0);
	ck_assert_uint_gt(read, 10);
	ck_assert_uint_gt(refused, 10);
	fz_document_fini(&good);
	free(text);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	static const struct {
		const char *path;
		int code;
		const char *says;
	} cases[] = {
		{ "/proc/nonexistent", -ENOENT, "No such file" },
		{ "/", -EISDIR, "Is a directory" },
		{ "/dev/null", -EBADMSG, "it is empty" },
	};
	struct fz_document document;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_document_read(&document, cases[_i].path, &err),
			 cases[_i].code);
	ck_assert_msg(strstr(err.msg, cases[_i].says) != NULL, "%s", err.msg);
	fz_document_fini(&document);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("result_read");
	TCase *tcase = tcase_create("result_read");

	tcase_add_loop_test(tcase, reads_what_bench_writes, 0,
			    (int)nr_sample_kinds);
	tcase_add_loop_test(tcase, wrong_members_are_named, 0, NR(wrong));
	tcase_add_loop_test(tcase, what_is_no_document, 0, NR(not_documents));
	tcase_add_test(tcase, deep_nesting);
	tcase_add_test(tcase, too_many_rows);
	tcase_add_test(tcase, cut_short);
	tcase_add_loop_test(tcase, mutations, 0, 6);
	tcase_add_loop_test(tcase, files_that_cannot_be_read, 0, 3);
	tcase_set_timeout(tcase, 120);
	suite_add_tcase(suite, tcase);
	return suite;
}
