// SPDX-License-Identifier: GPL-2.0-or-later
/* Error sentences: the code comes back, the text is always terminated. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fz/err.h>

#include "fz_test.h"

START_TEST(code_and_sentence)
{
	struct fz_err err = { "old" };

	ck_assert_int_eq(fz_err_set(&err, -EBADMSG,
				    "line %u: order %u is larger than %u", 7u,
				    40u, 30u),
			 -EBADMSG);
	ck_assert_str_eq(err.msg, "line 7: order 40 is larger than 30");
	ck_assert_int_eq(fz_err_set(&err, -ERANGE, "short"), -ERANGE);
	ck_assert_str_eq(err.msg, "short");
}
END_TEST

START_TEST(nobody_listens)
{
	ck_assert_int_eq(fz_err_set(NULL, -ENOMEM, "no %s", "memory"), -ENOMEM);
}
END_TEST

START_TEST(long_text_is_cut)
{
	char text[2 * FZ_ERR_MSG_BYTES];
	struct {
		struct fz_err err;
		char guard;
	} s = { .guard = 'g' };

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(fz_err_set(&s.err, -EINVAL, "%s", text), -EINVAL);
	ck_assert_uint_eq(strlen(s.err.msg), FZ_ERR_MSG_BYTES - 1);
	ck_assert_int_eq(s.guard, 'g');
}
END_TEST

START_TEST(cause_behind_a_long_path)
{
	static const char cause[] = "': No such file or directory";
	char path[4 * FZ_ERR_MSG_BYTES];
	struct fz_err err;

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	fz_err_set(&err, -ENOENT, "cannot open '%s%s", path, cause);
	ck_assert_uint_eq(strlen(err.msg), FZ_ERR_MSG_BYTES - 1);
	ck_assert_int_eq(strncmp(err.msg, "cannot open 'xxx", 16), 0);
	ck_assert_ptr_nonnull(strstr(err.msg, "xxx...xxx"));
	ck_assert_str_eq(err.msg + strlen(err.msg) - strlen(cause), cause);
	/* What just fits is whole. */
	path[FZ_ERR_MSG_BYTES - 1] = '\0';
	fz_err_set(&err, -ENOENT, "%s", path);
	ck_assert_str_eq(err.msg, path);
}
END_TEST

START_TEST(percent_in_an_argument)
{
	struct fz_err err;

	fz_err_set(&err, -EINVAL, "unknown name '%s'", "%s%n");
	ck_assert_str_eq(err.msg, "unknown name '%s%n'");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("err");
	TCase *tc = tcase_create("err");

	tcase_add_test(tc, code_and_sentence);
	tcase_add_test(tc, nobody_listens);
	tcase_add_test(tc, long_text_is_cut);
	tcase_add_test(tc, cause_behind_a_long_path);
	tcase_add_test(tc, percent_in_an_argument);
	suite_add_tcase(suite, tc);
	return suite;
}
