// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of clear primitives, and the contract of each. */
#include <fz/clear.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../bench/plain_clear.h"
#include "clear_contract.h"
#include "fz_test.h"
#include "sanitized.h"

static int nr_clears(void)
{
	int nr = 0;

	while (fz_clears[nr])
		nr++;
	return nr;
}

START_TEST(entry)
{
	const char *wrong = clear_contract_entry(fz_clears[_i]);

	ck_assert_msg(!wrong, "entry %d: %s", _i, wrong);
	ck_assert_ptr_eq(fz_clear_find(fz_clears[_i]->name), fz_clears[_i]);
}
END_TEST

START_TEST(zeroes_exactly)
{
	const struct fz_clear *clear = fz_clears[_i];
	char first[160];
	unsigned int nr_bad;

	if (fz_clear_why_unsupported(clear))
		return;
	nr_bad = clear_contract_run(clear, first, sizeof(first));
	ck_assert_msg(nr_bad == 0, "%u wrong, first %s", nr_bad, first);
}
END_TEST

START_TEST(stays_inside_its_pages)
{
	const struct fz_clear *clear = fz_clears[_i];

	if (fz_clear_why_unsupported(clear))
		return;
	ck_assert_uint_eq(clear_contract_fences(clear), 0);
}
END_TEST

/* Zeroes a byte too many, or reads one. */
static void greedy_clear(void *dst, size_t len_bytes)
{
	memset(dst, 0, len_bytes + 1);
}

static void nosy_clear(void *dst, size_t len_bytes)
{
	memset(dst, 0, len_bytes);
	(void)*((volatile unsigned char *)dst - 1);
}

static const struct fz_clear greedy = { .name = "greedy",
					.unit_bytes = 1,
					.clear = greedy_clear };
static const struct fz_clear nosy = { .name = "nosy",
				      .unit_bytes = 1,
				      .clear = nosy_clear };

START_TEST(contract_sees_a_byte_too_many)
{
	char first[160];

	ck_assert_uint_gt(clear_contract_run(&greedy, first, sizeof(first)), 0);
	ck_assert_str_eq(first, "greedy: offset 128, length 0: byte 128 is 0");
}
END_TEST

static void leave_no_core(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
}

START_TEST(fence_stops_a_write)
{
	leave_no_core();
	clear_contract_fences(&greedy);
}
END_TEST

START_TEST(fence_stops_a_read)
{
	leave_no_core();
	clear_contract_fences(&nosy);
}
END_TEST

/* A prefix or a continuation of a name is another name, known or not. */
START_TEST(find_is_exact)
{
	const char *const unknown[] = { "",       "STOSB",
					" stosb", "avx2_stream",
					"none",   "all" };
	const char *name = fz_clears[_i]->name;
	char other[64];

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		ck_assert_ptr_null(fz_clear_find(unknown[i]));
	for (size_t len = 0; len < strlen(name); len++) {
		snprintf(other, sizeof(other), "%.*s", (int)len, name);
		ck_assert_ptr_ne(fz_clear_find(other), fz_clears[_i]);
	}
	snprintf(other, sizeof(other), "%sx", name);
	ck_assert_ptr_ne(fz_clear_find(other), fz_clears[_i]);
}
END_TEST

/* Names are a contract with the user: none may vanish. */
START_TEST(shipped_names)
{
	const char *const shipped[] = {
		"stosb",    "stosq",  "unrolled",    "memset",
		"movnti",   "clzero", "avx2-stream", "avx512-stream",
		"portable", "dc-zva", "stp",         "stnp"
	};
	const size_t nr = sizeof(shipped) / sizeof(shipped[0]);

	for (size_t i = 0; i < nr; i++)
		ck_assert_msg(fz_clear_find(shipped[i]), "no '%s'", shipped[i]);
}
END_TEST

START_TEST(streaming_ones)
{
	const struct {
		const char *name;
		bool streaming;
	} cases[] = {
		{ "stosb", false },      { "stosq", false },
		{ "unrolled", false },   { "memset", false },
		{ "portable", false },   { "movnti", true },
		{ "avx2-stream", true }, { "avx512-stream", true },
		{ "clzero", true },      { "dc-zva", false },
		{ "stp", false },        { "stnp", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(fz_clear_find(cases[i].name)->streaming ==
				      cases[i].streaming,
			      "%s", cases[i].name);
}
END_TEST

START_TEST(runs_everywhere)
{
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("memset")));
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("portable")));
#ifdef __x86_64__
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("stosb")));
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("stosq")));
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("unrolled")));
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("movnti")));
#elif defined(__aarch64__)
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("stp")));
	ck_assert_ptr_null(fz_clear_why_unsupported(fz_clear_find("stnp")));
#endif
}
END_TEST

static void ck_assert_foreign(const char *name, const char *why)
{
	const char *said = fz_clear_why_unsupported(fz_clear_find(name));

	ck_assert_msg(said && strcmp(said, why) == 0, "%s: %s", name, said);
}

START_TEST(says_what_it_needs)
{
#ifndef __x86_64__
	ck_assert_foreign("stosb", "needs x86-64");
	ck_assert_foreign("clzero", "needs x86-64");
#endif
#ifndef __aarch64__
	ck_assert_foreign("dc-zva", "needs arm64");
	ck_assert_foreign("stp", "needs arm64");
	ck_assert_foreign("stnp", "needs arm64");
#endif
}
END_TEST

#ifdef __x86_64__
/* Is the word among the flags that the kernel shows? False if unknown. */
static bool cpuinfo_has(const char *word)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char *line = NULL, *save, *flag;
	size_t line_bytes = 0;
	bool found = false;

	while (file && !found && getline(&line, &line_bytes, file) > 0) {
		flag = strtok_r(line, " \t\n", &save);
		if (!flag || strcmp(flag, "flags") != 0)
			continue;
		while (!found && (flag = strtok_r(NULL, " \t\n", &save)))
			found = strcmp(flag, word) == 0;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

/*
 * The kernel shows a flag only if CPUID has it, so the other direction cannot
 * be told from here; test_clear_trap.c does.
 */
START_TEST(agrees_with_the_kernel)
{
	const struct {
		const char *flag;
		const char *name;
	} cases[] = {
		{ "avx2", "avx2-stream" },
		{ "avx512f", "avx512-stream" },
		{ "clzero", "clzero" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fz_clear *clear = fz_clear_find(cases[i].name);

		if (cpuinfo_has(cases[i].flag))
			ck_assert_ptr_null(fz_clear_why_unsupported(clear));
	}
}
END_TEST
#endif

START_TEST(kernel_choice)
{
	const struct fz_clear *choice = fz_clear_kernel_choice();

	ck_assert_ptr_nonnull(choice);
	ck_assert_ptr_null(fz_clear_why_unsupported(choice));
	ck_assert_ptr_eq(fz_clear_find(choice->name), choice);
#ifdef __x86_64__
	if (cpuinfo_has("erms"))
		ck_assert_str_eq(choice->name, "stosb");
#elif defined(__aarch64__)
	/* Linux lets user space have dc zva: only a hypervisor would not. */
	if (!fz_clear_why_unsupported(fz_clear_find("dc-zva")))
		ck_assert_str_eq(choice->name, "dc-zva");
	else
		ck_assert_str_eq(choice->name, "stnp");
#else
	ck_assert_str_eq(choice->name, "portable");
#endif
}
END_TEST

/* The loop that benchmarks compare with must do the same work. */
START_TEST(plain_loop)
{
	const uint64_t first_page[] = { 5, 0, 3 }, nr_pages[] = { 2, 1, 0 };
	const char cleared[8] = { 1, 0, 0, 0, 0, 1, 1, 0 }; /* by page */
	const size_t bytes = sizeof(cleared) * 4096;
	char *base = aligned_alloc(4096, bytes);
	size_t nr_bad = 0;

	ck_assert_ptr_nonnull(base);
	memset(base, 0x5a, bytes);
	plain_clear_extents(base, 3, first_page, nr_pages,
			    fz_clear_find("portable")->clear);
	for (size_t at = 0; at < bytes; at++)
		nr_bad += base[at] != (cleared[at / 4096] ? 0 : 0x5a);
	ck_assert_uint_eq(nr_bad, 0);
	free(base);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("clear");
	TCase *each = tcase_create("each primitive");
	TCase *table = tcase_create("table");
	TCase *contract = tcase_create("contract");

	tcase_set_timeout(each, 30);
	tcase_add_loop_test(each, entry, 0, nr_clears());
	tcase_add_loop_test(each, zeroes_exactly, 0, nr_clears());
	tcase_add_loop_test(each, stays_inside_its_pages, 0, nr_clears());
	tcase_add_loop_test(each, find_is_exact, 0, nr_clears());
	suite_add_tcase(suite, each);
	tcase_add_test(table, shipped_names);
	tcase_add_test(table, streaming_ones);
	tcase_add_test(table, runs_everywhere);
	tcase_add_test(table, says_what_it_needs);
#ifdef __x86_64__
	tcase_add_test(table, agrees_with_the_kernel);
#endif
	tcase_add_test(table, kernel_choice);
	tcase_add_test(table, plain_loop);
	suite_add_tcase(suite, table);
	tcase_set_timeout(contract, 30);
	tcase_add_test(contract, contract_sees_a_byte_too_many);
	/* A sanitizer has a handler of its own for this signal. */
	if (!FZ_SANITIZED) {
		tcase_add_test_raise_signal(contract, fence_stops_a_write,
					    SIGSEGV);
		tcase_add_test_raise_signal(contract, fence_stops_a_read,
					    SIGSEGV);
	}
	suite_add_tcase(suite, contract);
	return suite;
}
