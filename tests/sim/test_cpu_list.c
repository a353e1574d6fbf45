// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of CPUs, read in their order; what hwloc reads is the same set. */
#include <fz/cpu_list.h>

#include <errno.h>
#include <hwloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct {
	const char *text;
	size_t nr;
	unsigned int cpu[8];
} lists[] = {
	{ "0", 1, { 0 } },
	{ "8191", 1, { 8191 } },
	{ "007", 1, { 7 } },
	{ "0-3,8,5", 6, { 0, 1, 2, 3, 8, 5 } },
	{ "5,0-1", 3, { 5, 0, 1 } },
	{ "4-4", 1, { 4 } },
	{ "9,8,7", 3, { 9, 8, 7 } },
	{ "0-6:2", 4, { 0, 2, 4, 6 } },
	{ "0-7:2,1-7:2", 8, { 0, 2, 4, 6, 1, 3, 5, 7 } },
	{ "3-5:9", 1, { 3 } },
	{ "0-8191:8190", 2, { 0, 8190 } },
	{ "2-3:99999999999999999999", 1, { 2 } },
};

START_TEST(the_order_is_kept)
{
	struct fz_cpu_list list;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_cpu_list_parse(lists[_i].text, &list, &err), 0);
	ck_assert_uint_eq(list.nr, lists[_i].nr);
	for (size_t i = 0; i < list.nr; i++)
		ck_assert_uint_eq(list.cpu[i], lists[_i].cpu[i]);
	ck_assert_str_eq(err.msg, "");
}
END_TEST

START_TEST(all_cpus_fit)
{
	struct fz_cpu_list list;

	ck_assert_int_eq(fz_cpu_list_parse("0-8191", &list, NULL), 0);
	ck_assert_uint_eq(list.nr, FZ_MAX_CPUS_LISTED);
	ck_assert_uint_eq(list.cpu[8191], 8191);
}
END_TEST

#define GARBLED " is not understood: give numbers and ranges, as in 0-3,8"
#define NO_CPU  " has a number that no CPU has: give numbers up to 8191"

static const struct {
	const char *text;
	const char *behind; /* the quoted list */
} refused[] = {
	{ "", GARBLED },
	{ ",", GARBLED },
	{ "0,", GARBLED },
	{ ",0", GARBLED },
	{ "0,,1", GARBLED },
	{ " 0", GARBLED },
	{ "0 ", GARBLED },
	{ "0, 1", GARBLED },
	{ "-", GARBLED },
	{ "-1", GARBLED },
	{ "1-", GARBLED },
	{ "+1", GARBLED },
	{ "1-2-3", GARBLED },
	{ "0x3", GARBLED },
	{ "all", GARBLED },
	{ "1.5", GARBLED },
	{ "0-3:", GARBLED },
	{ "0-3:0", GARBLED },
	{ "3:2", GARBLED },
	{ "0-3:2:1", GARBLED },
	{ "0\n", GARBLED },
	{ "8192", NO_CPU },
	{ "0-8192", NO_CPU },
	{ "4294967296", NO_CPU },
	{ "18446744073709551616", NO_CPU },
	{ "99999999999999999999999999999999999999", NO_CPU },
	{ "5-2", " has the range 5-2, which runs backwards: give 2-5" },
	{ "1,1", " has cpu 1 twice: give each CPU once" },
	{ "0-3,2", " has cpu 2 twice: give each CPU once" },
	{ "8,0-9:4", " has cpu 8 twice: give each CPU once" },
};

START_TEST(what_is_no_list_is_refused)
{
	struct fz_cpu_list list;
	struct fz_err err = { "" };
	char want[FZ_ERR_MSG_BYTES];

	ck_assert_int_eq(fz_cpu_list_parse(refused[_i].text, &list, &err),
			 -EINVAL);
	snprintf(want, sizeof(want), "cpu list '%s'%s", refused[_i].text,
		 refused[_i].behind);
	ck_assert_str_eq(err.msg, want);
	ck_assert_int_eq(fz_cpu_list_parse(refused[_i].text, &list, NULL),
			 -EINVAL);
}
END_TEST

START_TEST(a_long_list_is_cut_in_its_message)
{
	struct fz_cpu_list list;
	struct fz_err err;
	char text[4096];

	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(fz_cpu_list_parse(text, &list, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.msg, "up to 8191"));
}
END_TEST

/* No CPU twice, none that is too large: true of whatever was taken. */
static bool is_sound(const struct fz_cpu_list *list)
{
	bool listed[FZ_MAX_CPUS_LISTED] = { false };

	if (list->nr == 0 || list->nr > FZ_MAX_CPUS_LISTED)
		return false;
	for (size_t i = 0; i < list->nr; i++) {
		if (list->cpu[i] >= FZ_MAX_CPUS_LISTED || listed[list->cpu[i]])
			return false;
		listed[list->cpu[i]] = true;
	}
	return true;
}

/* hwloc knows no steps, and reads 010 as 8, where taskset reads 10. */
static bool hwloc_reads_otherwise(const char *text)
{
	for (const char *at = text; *at; at++)
		if (*at == '0' && at[1] >= '0' && at[1] <= '9' &&
		    (at == text || at[-1] == ',' || at[-1] == '-'))
			return true;
	return strchr(text, ':') != NULL;
}

static bool is_what_hwloc_reads(const char *text,
				const struct fz_cpu_list *list)
{
	hwloc_bitmap_t theirs = hwloc_bitmap_alloc();
	hwloc_bitmap_t ours = hwloc_bitmap_alloc();
	bool same;

	for (size_t i = 0; i < list->nr; i++)
		hwloc_bitmap_set(ours, list->cpu[i]);
	same = hwloc_reads_otherwise(text) ||
	       (hwloc_bitmap_list_sscanf(theirs, text) == 0 &&
		hwloc_bitmap_isequal(ours, theirs));
	hwloc_bitmap_free(ours);
	hwloc_bitmap_free(theirs);
	return same;
}

START_TEST(mutated_lists_are_read_or_refused)
{
	static const char letters[] = "0123456789-,:-,: x";
	static const char seeds[][24] = { "0-3,8,16-30:2", "7,6,5,4", "10-29",
					  "0", "100,200,300-310" };
	struct fz_random random = fz_random_begin(1, 0);
	struct fz_cpu_list list;
	size_t nr_taken = 0, nr_wrong = 0;

	for (int i = 0; i < 4000; i++) {
		char text[24];
		size_t length, nr_changes;

		strcpy(text, seeds[fz_random_below(&random, NR(seeds))]);
		length = strlen(text);
		nr_changes = fz_random_below(&random, 4);
		for (size_t j = 0; j < nr_changes; j++)
			text[fz_random_below(&random, length)] =
				letters[fz_random_below(&random,
							sizeof(letters) - 1)];
		if (fz_cpu_list_parse(text, &list, NULL))
			continue;
		nr_taken++;
		nr_wrong +=
			!is_sound(&list) || !is_what_hwloc_reads(text, &list);
	}
	ck_assert_uint_eq(nr_wrong, 0);
	ck_assert_uint_gt(nr_taken, 1000);
	ck_assert_uint_lt(nr_taken, 3800);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("cpu_list");
	TCase *tcase = tcase_create("cpu_list");

	tcase_add_loop_test(tcase, the_order_is_kept, 0, NR(lists));
	tcase_add_test(tcase, all_cpus_fit);
	tcase_add_loop_test(tcase, what_is_no_list_is_refused, 0, NR(refused));
	tcase_add_test(tcase, a_long_list_is_cut_in_its_message);
	tcase_add_test(tcase, mutated_lists_are_read_or_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
