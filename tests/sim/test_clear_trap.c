// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clear primitives run an instruction at a time, and on CPUs that are not
 * here: signal handlers count sfence, stand in for clzero and answer CPUID.
 */
#include <fz/clear.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "clear_contract.h"
#include "fz_test.h"

#ifdef __x86_64__
#include <asm/prctl.h>
#include <cpuid.h>
#include <x86intrin.h>

#define FLAGS_TF    0x100ull /* trap after each instruction */
#define TRAP_BYTES  ((size_t)1024)
#define LINE_BYTES  64
#define CPUID_FAULT 0
#define CPUID_RUNS  1

/* Of the process: a handler has nothing else. Each test is its own process. */
static struct {
	const unsigned char *buffer; /* [TRAP_BYTES] */
	unsigned int nr_steps;
	unsigned int nr_sfence;
	unsigned int nr_dirty; /* bytes not yet zero when sfence came */
} trap;

static const struct cpuid_fake {
	const char *what;
	unsigned int max_leaf, max_ext_leaf;
	unsigned int line_bytes;
	bool erms, clzero;
	const char *kernel_choice;
	bool clzero_runs;
} fakes[] = {
	{ "all", 0x20, 0x80000028, 64, true, true, "stosb", true },
	{ "Intel", 0x20, 0x80000008, 64, true, false, "stosb", false },
	{ "ERMS hidden", 0x20, 0x80000028, 64, false, true, "stosq", true },
	{ "no leaf 7", 0x6, 0x80000028, 64, true, true, "stosq", true },
	{ "old AMD", 0x1, 0x80000007, 64, false, true, "stosq", false },
	{ "long lines", 0x20, 0x80000028, 128, true, true, "stosb", false },
	{ "nothing", 0x1, 0x80000000, 64, false, false, "stosq", false },
};

static const struct cpuid_fake *fake; /* the one that is answered */

static void trap_install(int signal, void (*handler)(int, siginfo_t *, void *))
{
	const struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO,
	};

	ck_assert_int_eq(sigaction(signal, &action, NULL), 0);
}

static greg_t *trap_regs(void *context)
{
	return ((ucontext_t *)context)->uc_mcontext.gregs;
}

/* True if the next instruction is these bytes. */
static bool trap_is(const greg_t *regs, const char *code, size_t nr)
{
	return memcmp((const void *)regs[REG_RIP], code, nr) == 0;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
	const greg_t *regs = trap_regs(context);

	(void)signal;
	(void)info;
	trap.nr_steps++;
	if (!trap_is(regs, "\x0f\xae\xf8", 3))
		return;
	trap.nr_sfence++;
	for (size_t at = 0; at < TRAP_BYTES; at++)
		trap.nr_dirty += trap.buffer[at] != 0;
}

static void on_illegal(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = trap_regs(context);

	(void)info;
	if (!trap_is(regs, "\x0f\x01\xfc", 3)) {
		trap_install(signal, NULL);
		return;
	}
	memset((void *)(regs[REG_RAX] & -LINE_BYTES), 0, LINE_BYTES);
	regs[REG_RIP] += 3;
}

/* Where clzero is missing, a handler does its work. */
static bool runs_or_emulated(const struct fz_clear *clear)
{
	if (!fz_clear_why_unsupported(clear))
		return true;
	if (strcmp(clear->name, "clzero") != 0)
		return false;
	trap_install(SIGILL, on_illegal);
	return true;
}

START_TEST(clzero_zeroes_exactly)
{
	const struct fz_clear *clear = fz_clear_find("clzero");
	char first[160];
	unsigned int nr_bad;

	ck_assert(runs_or_emulated(clear));
	nr_bad = clear_contract_run(clear, first, sizeof(first));
	ck_assert_msg(nr_bad == 0, "%u wrong, first %s", nr_bad, first);
}
END_TEST

START_TEST(one_sfence_at_the_end)
{
	const struct fz_clear *clear = fz_clears[_i];
	unsigned char *buffer;

	if (!clear->streaming || !runs_or_emulated(clear))
		return;
	buffer = aligned_alloc(4096, 4096);
	ck_assert_ptr_nonnull(buffer);
	memset(buffer, 0x5a, TRAP_BYTES);
	trap.buffer = buffer;
	trap_install(SIGTRAP, on_step);
	__writeeflags(__readeflags() | FLAGS_TF);
	clear->clear(buffer, TRAP_BYTES);
	__writeeflags(__readeflags() & ~FLAGS_TF);
	/* A line is 64 bytes: no primitive does more at once. */
	ck_assert_uint_ge(trap.nr_steps, TRAP_BYTES / LINE_BYTES);
	ck_assert_msg(trap.nr_sfence == 1, "%s: %u sfence", clear->name,
		      trap.nr_sfence);
	ck_assert_msg(trap.nr_dirty == 0, "%s: sfence came %u bytes too early",
		      clear->name, trap.nr_dirty);
	free(buffer);
}
END_TEST

static int cpuid_set(int mode)
{
	return (int)syscall(SYS_arch_prctl, ARCH_SET_CPUID, mode);
}

static void fake_cpuid(unsigned int leaf, unsigned int *eax, unsigned int *ebx)
{
	switch (leaf) {
	case 0:
		*eax = fake->max_leaf;
		break;
	case 1:
		*ebx = (*ebx & ~0xff00u) | (fake->line_bytes / 8) << 8;
		break;
	case 7:
		*ebx = (*ebx & ~(1u << 9)) | (unsigned int)fake->erms << 9;
		break;
	case 0x80000000:
		*eax = fake->max_ext_leaf;
		break;
	case 0x80000008:
		*ebx = (*ebx & ~1u) | (unsigned int)fake->clzero;
		break;
	}
}

static void on_cpuid(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = trap_regs(context);
	const unsigned int leaf = (unsigned int)regs[REG_RAX];
	unsigned int eax, ebx, ecx, edx;

	(void)info;
	if (!trap_is(regs, "\x0f\xa2", 2)) {
		trap_install(signal, NULL);
		return;
	}
	cpuid_set(CPUID_RUNS);
	__cpuid_count(leaf, (unsigned int)regs[REG_RCX], eax, ebx, ecx, edx);
	cpuid_set(CPUID_FAULT);
	fake_cpuid(leaf, &eax, &ebx);
	regs[REG_RAX] = eax;
	regs[REG_RBX] = ebx;
	regs[REG_RCX] = ecx;
	regs[REG_RDX] = edx;
	regs[REG_RIP] += 2;
}

START_TEST(cpuid_decides)
{
	const struct fz_clear *choice;
	bool clzero_runs, stos_run;

	fake = &fakes[_i];
	trap_install(SIGSEGV, on_cpuid);
	ck_assert_int_eq(cpuid_set(CPUID_FAULT), 0);
	choice = fz_clear_kernel_choice();
	clzero_runs = !fz_clear_why_unsupported(fz_clear_find("clzero"));
	stos_run = !fz_clear_why_unsupported(fz_clear_find("stosb")) &&
		   !fz_clear_why_unsupported(fz_clear_find("stosq"));
	cpuid_set(CPUID_RUNS);
	ck_assert_msg(strcmp(choice->name, fake->kernel_choice) == 0,
		      "%s: chose %s", fake->what, choice->name);
	ck_assert_msg(clzero_runs == fake->clzero_runs, "%s: clzero %d",
		      fake->what, clzero_runs);
	ck_assert_msg(stos_run, "%s: rep stos refused", fake->what);
}
END_TEST

static bool cpuid_can_fault(void)
{
	if (cpuid_set(CPUID_FAULT) != 0) {
		printf("no CPUID faulting here: CPUID is not faked\n");
		return false;
	}
	cpuid_set(CPUID_RUNS);
	return true;
}

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("clear trap");
	TCase *step = tcase_create("step");
	TCase *cpuid = tcase_create("cpuid");
	int nr = 0;

	while (fz_clears[nr])
		nr++;
	tcase_set_timeout(step, 60);
	tcase_add_test(step, clzero_zeroes_exactly);
	tcase_add_loop_test(step, one_sfence_at_the_end, 0, nr);
	suite_add_tcase(suite, step);
	if (cpuid_can_fault())
		tcase_add_loop_test(cpuid, cpuid_decides, 0,
				    sizeof(fakes) / sizeof(fakes[0]));
	suite_add_tcase(suite, cpuid);
	return suite;
}

#else

const char *fz_test_skip_reason(void)
{
	return "needs x86-64";
}

Suite *fz_test_suite(void)
{
	return suite_create("clear trap");
}

#endif
