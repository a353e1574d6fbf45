// SPDX-License-Identifier: GPL-2.0-or-later
/* Do compilers leave the clear primitives' instructions alone? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fz/clear.h>

#include "fz_test.h"
#include "sanitized.h"

#define TEXT_BYTES 65536

/* What objdump must and must not print for a function, in AT&T syntax. */
static const struct {
	const char *function;
	const char *wanted;
	const char *unwanted[4];
} cases[] = {
#if defined(__x86_64__)
	{ "stosb_clear", "\trep stos %al,", { "memset" } },
	{ "stosq_clear", "\trep stos %rax,", { "memset" } },
	{ "unrolled_clear", "\tret", { "\trep", "xmm", "ymm", "memset" } },
	{ "movnti_clear", "\tmovnti %r", { "\trep", "xmm", "ymm", "memset" } },
	{ "avx2_stream_clear", "\tvmovntdq %ymm", { "\trep", "zmm" } },
	{ "avx512_stream_clear", "\tvmovntdq %zmm", { "\trep", "%ymm" } },
	{ "clzero_clear", "\tclzero", { "\trep", "xmm" } },
	{ "portable_clear", "\tret", { "\trep", "xmm", "ymm", "memset" } },
#elif defined(__aarch64__)
	{ "dc_zva_clear", "\tdc\tzva, x", { "\tdmb", "\tdsb", "memset" } },
	{ "stp_clear", "\tstp\txzr, xzr, [x", { "\tstnp", "\tdmb", "\tq" } },
	{ "stnp_clear", "\tstnp\txzr, xzr, [x", { "\tstp", "\tdsb", "\tq" } },
	{ "portable_clear", "\tret", { "\tstp", "\tq", "memset" } },
#else
	{ "portable_clear", "<portable_clear>:", { "memset" } },
#endif
};

/* Fills text, [TEXT_BYTES], with the instructions of the function. */
static void disassemble(const char *function, char *text)
{
	char program[4096], command[8192];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	size_t nr_read;
	FILE *pipe;

	ck_assert_int_gt(len, 0);
	program[len] = '\0';
	snprintf(command, sizeof(command),
		 "'%s' -d --no-show-raw-insn --disassemble=%s '%s'", FZ_OBJDUMP,
		 function, program);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	nr_read = fread(text, 1, TEXT_BYTES - 1, pipe);
	text[nr_read] = '\0';
	ck_assert_int_eq(pclose(pipe), 0);
}

START_TEST(instructions)
{
	char *text = malloc(TEXT_BYTES);

	ck_assert_ptr_nonnull(text);
	disassemble(cases[_i].function, text);
	ck_assert_msg(strstr(text, cases[_i].wanted), "%s: no '%s' in\n%s",
		      cases[_i].function, cases[_i].wanted, text);
	for (int i = 0; i < 4 && cases[_i].unwanted[i]; i++)
		ck_assert_msg(!strstr(text, cases[_i].unwanted[i]),
			      "%s: '%s' in\n%s", cases[_i].function,
			      cases[_i].unwanted[i], text);
	free(text);
}
END_TEST

#ifdef __aarch64__
/* Where there is a trap flag, test_clear_trap.c watches it happen. */
START_TEST(stnp_ends_with_one_barrier)
{
	char *text = malloc(TEXT_BYTES), *barrier;

	ck_assert_ptr_nonnull(text);
	disassemble("stnp_clear", text);
	barrier = strstr(text, "\tdmb\tishst");
	ck_assert_msg(barrier && !strstr(barrier, "\tstnp") &&
			      !strstr(barrier + 1, "\tdmb"),
		      "%s", text);
	free(text);
}
END_TEST
#endif

const char *fz_test_skip_reason(void)
{
	if (FZ_SANITIZED)
		return "a sanitizer adds code of its own";
	if (system("command -v '" FZ_OBJDUMP "' >/dev/null") != 0)
		return "needs objdump";
	/* Else the linker takes none of the primitives. */
	if (!fz_clears[0])
		return "there are no clear primitives";
	return NULL;
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("clear code");
	TCase *tcase = tcase_create("instructions");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, instructions, 0,
			    sizeof(cases) / sizeof(cases[0]));
#ifdef __aarch64__
	tcase_add_test(tcase, stnp_ends_with_one_barrier);
#endif
	suite_add_tcase(suite, tcase);
	return suite;
}
