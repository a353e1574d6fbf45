// SPDX-License-Identifier: GPL-2.0-or-later
/* How the findings about a kernel are come by: the best source wins. */
#include <fz/machine.h>

#include <stdio.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define DYNAMIC "#1 SMP PREEMPT_DYNAMIC x"
#define RT      "#1 SMP PREEMPT_RT x"

static const struct {
	const char *release;
	const char *version;
	const char *debugfs; /* NULL = not mounted, or no rights */
	const char *cmdline;
	const char *config; /* NULL = none */
	const char *mode;
	const char *basis;
} preempts[] = {
	/* debugfs knows best. */
	{ "6.12.1", DYNAMIC, "(none) voluntary full\n", "preempt=full", NULL,
	  "none", "debugfs" },
	{ "6.12.1", DYNAMIC, "none (voluntary) full\n", "", NULL, "voluntary",
	  "debugfs" },
	{ "6.12.1", DYNAMIC, "none voluntary (full)\n", "", NULL, "full",
	  "debugfs" },
	{ "7.1.0", DYNAMIC, "full (lazy) \n", "", NULL, "lazy", "debugfs" },
	{ "7.1.0", RT, "(full) lazy\n", "", NULL, "rt-full", "debugfs" },
	{ "7.1.0", RT, "full (lazy)\n", "", NULL, "rt-lazy", "debugfs" },
	{ "7.1.0", DYNAMIC, "full (lazy)\n", "", "CONFIG_PREEMPT_RT=y\n",
	  "rt-lazy", "debugfs" },
	/* What it says must be understood. */
	{ "6.12.1", DYNAMIC, "none voluntary full\n", "preempt=none", NULL,
	  "none", "command line" },
	{ "6.12.1", DYNAMIC, "none (sometimes) full\n", "preempt=none", NULL,
	  "none", "command line" },
	{ "6.12.1", DYNAMIC, "", "preempt=none", NULL, "none", "command line" },
	/* The command line, where the kernel obeys it. */
	{ "6.1.0", DYNAMIC, NULL, "quiet preempt=voluntary ro", NULL,
	  "voluntary", "command line" },
	{ "6.1.0", DYNAMIC, NULL, "preempt=none preempt=full", NULL, "full",
	  "command line" },
	{ "6.1.0", DYNAMIC, NULL, "preempt=lazy", "CONFIG_PREEMPT=y\n", "full",
	  "config" },
	{ "6.12.1", DYNAMIC, NULL, "preempt=lazy", "CONFIG_PREEMPT=y\n", "full",
	  "config" },
	{ "6.13.0", DYNAMIC, NULL, "preempt=lazy", NULL, "lazy",
	  "command line" },
	{ "6.19.2", DYNAMIC, NULL, "preempt=none", NULL, "none",
	  "command line" },
	{ "6.19.2", DYNAMIC, NULL, "preempt=voluntary",
	  "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "lazy",
	  "config" },
	{ "7.0.0", DYNAMIC, NULL, "preempt=none", NULL, "", "unknown" },
	{ "7.3.0", DYNAMIC, NULL, "preempt=voluntary", NULL, "", "unknown" },
	{ "7.3.0", DYNAMIC, NULL, "preempt=full", NULL, "full",
	  "command line" },
	{ "6.12.1", RT, NULL, "preempt=none", "CONFIG_PREEMPT_RT=y\n",
	  "rt-full", "config" },
	{ "6.12.1", RT, NULL, "preempt=none",
	  "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "rt-full",
	  "config" },
	{ "6.12.1", DYNAMIC, NULL, "preempt=lazy",
	  "CONFIG_PREEMPT=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "full", "config" },
	{ "6.12.1", DYNAMIC, NULL, "preempt=sometimes", NULL, "", "unknown" },
	{ "6.12.1", DYNAMIC, NULL, "rcu.preempt=none nopreempt=full", NULL, "",
	  "unknown" },
	{ "6.12.1", DYNAMIC, NULL, "quiet -- preempt=full", NULL, "",
	  "unknown" },
	/* A kernel that is not dynamic does not look at it. */
	{ "6.12.1", "#1 SMP x", NULL, "preempt=full",
	  "CONFIG_PREEMPT_VOLUNTARY=y\n", "voluntary", "config" },
	{ "6.12.1", DYNAMIC, NULL, "preempt=full",
	  "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "full",
	  "command line" },
	/* The configuration. */
	{ "6.12.1", DYNAMIC, NULL, "",
	  "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_NONE=y\n"
	  "# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_DYNAMIC=y\n",
	  "none", "config" },
	{ "6.12.1", DYNAMIC, NULL, "", "CONFIG_PREEMPT_VOLUNTARY_BUILD=y\n", "",
	  "unknown" },
	{ "6.12.1", DYNAMIC, NULL, "", "CONFIG_PREEMPT=y\n", "full", "config" },
	{ "6.13.1", DYNAMIC, NULL, "", "CONFIG_PREEMPT_LAZY=y\n", "lazy",
	  "config" },
	{ "6.13.1", RT, NULL, "",
	  "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_LAZY=y\n", "rt-lazy", "config" },
	{ "6.13.1", RT, NULL, "", "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT=y\n",
	  "rt-full", "config" },
	{ "5.10.0", RT, NULL, "", "CONFIG_PREEMPT_RT=y\n", "rt-full",
	  "config" },
	/* The version string, until it became ambiguous. */
	{ "6.1.0", "#1 SMP PREEMPT Debian", NULL, "", NULL, "full", "version" },
	{ "6.12.9", "#1 SMP PREEMPT_RT Debian", NULL, "", NULL, "rt-full",
	  "version" },
	{ "6.13.0", "#1 SMP PREEMPT Debian", NULL, "", NULL, "", "unknown" },
	{ "6.1.0", DYNAMIC, NULL, "", NULL, "", "unknown" },
	{ "6.1.0", "#1 SMP Debian", NULL, "", NULL, "", "unknown" },
	{ "", "#1 SMP PREEMPT", NULL, "", NULL, "", "unknown" },
};

START_TEST(preempt_mode_by_the_best_source)
{
	char config_path[64];
	const struct fake_file files[] = {
		{ "/proc/sys/kernel/osrelease", preempts[_i].release },
		{ "/proc/sys/kernel/version", preempts[_i].version },
		{ "/proc/sys/kernel/arch", "x86_64\n" },
		{ "/proc/cmdline", preempts[_i].cmdline },
		{ preempts[_i].config ? config_path : "-",
		  preempts[_i].config ? preempts[_i].config : "" },
		{ preempts[_i].debugfs ? "/sys/kernel/debug/sched/preempt"
				       : "-",
		  preempts[_i].debugfs ? preempts[_i].debugfs : "" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_machine machine;

	snprintf(config_path, sizeof(config_path), "/boot/config-%s",
		 preempts[_i].release);
	fz_machine_read(&hooks, &machine);
	ck_assert_str_eq(machine.preempt_mode.value, preempts[_i].mode);
	ck_assert_str_eq(machine.preempt_mode.basis, preempts[_i].basis);
}
END_TEST

#define CLEAR_HUGE "ffffffff8123 T clear_huge_page\n"
#define FOLIO_ZERO \
	"ffffffff8100 T __pfx_folio_zero_user\nffffffff8110 T folio_zero_user\n"
#define NEITHER "ffffffff8100 T clear_huge_pages\nffffffff8110 T folio_zero\n"

static const struct {
	const char *release;
	const char *arch;
	const char *kallsyms; /* NULL = not readable */
	struct fz_finding kernel_policy;
	struct fz_finding base_policy;
} policies[] = {
	{ "5.10.0-9",
	  "x86_64",
	  CLEAR_HUGE,
	  { "discontiguous-page", "symbols" },
	  { "init-pages", "version" } },
	{ "6.11.2",
	  "x86_64",
	  CLEAR_HUGE,
	  { "discontiguous-page", "symbols" },
	  { "init-pages", "version" } },
	{ "6.12.0",
	  "x86_64",
	  FOLIO_ZERO,
	  { "discontiguous-page", "version" },
	  { "init-pages", "version" } },
	{ "6.19.8",
	  "x86_64",
	  FOLIO_ZERO,
	  { "discontiguous-page", "version" },
	  { "init-pages", "version" } },
	{ "6.12.0",
	  "x86_64",
	  NULL,
	  { "discontiguous-page", "version" },
	  { "init-pages", "version" } },
	{ "6.12.0",
	  "x86_64",
	  NEITHER,
	  { "discontiguous-page", "version" },
	  { "init-pages", "version" } },
	{ "7.0.0-rc1",
	  "x86_64",
	  FOLIO_ZERO,
	  { "neighbourhood-last", "version" },
	  { "init-pages-extent", "version" } },
	{ "7.3.1",
	  "aarch64",
	  FOLIO_ZERO,
	  { "neighbourhood-last", "version" },
	  { "", "unknown" } },
	{ "8.0.0",
	  "x86_64",
	  FOLIO_ZERO,
	  { "neighbourhood-last", "version" },
	  { "", "unknown" } },
	{ "x", "x86_64", FOLIO_ZERO, { "", "unknown" }, { "", "unknown" } },
	{ "x",
	  "x86_64",
	  CLEAR_HUGE,
	  { "discontiguous-page", "symbols" },
	  { "", "unknown" } },
};

static void finding_is(const struct fz_finding *got,
		       const struct fz_finding *want)
{
	ck_assert_str_eq(got->value, want->value);
	ck_assert_str_eq(got->basis, want->basis);
}

START_TEST(policies_by_symbol_and_version)
{
	const struct fake_file files[] = {
		{ "/proc/sys/kernel/osrelease", policies[_i].release },
		{ "/proc/sys/kernel/arch", policies[_i].arch },
		{ policies[_i].kallsyms ? "/proc/kallsyms" : "-",
		  policies[_i].kallsyms ? policies[_i].kallsyms : "" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_machine machine;

	fz_machine_read(&hooks, &machine);
	finding_is(&machine.kernel_policy, &policies[_i].kernel_policy);
	finding_is(&machine.base_policy, &policies[_i].base_policy);
}
END_TEST

static const struct {
	const char *cmdline;
	const char *config;
	const char *value;
	const char *basis;
} inits[] = {
	{ "init_on_alloc=1", "CONFIG_X=y\n", "on", "command line" },
	{ "init_on_alloc=0", "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n", "off",
	  "command line" },
	{ "init_on_alloc=on", NULL, "on", "command line" },
	{ "init_on_alloc=off", NULL, "off", "command line" },
	{ "init_on_alloc=y", NULL, "on", "command line" },
	{ "init_on_alloc=N", NULL, "off", "command line" },
	{ "init_on_alloc=1 init_on_alloc=0", NULL, "off", "command line" },
	{ "init_on_alloc=", NULL, "", "unknown" },
	{ "init_on_alloc=?", "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n", "on",
	  "config" },
	{ "init_on_free=1", NULL, "", "unknown" },
	{ "", "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n", "on", "config" },
	{ "", "# CONFIG_INIT_ON_ALLOC_DEFAULT_ON is not set\nCONFIG_X=y\n",
	  "off", "config" },
	{ "", NULL, "", "unknown" },
};

START_TEST(init_on_alloc_by_the_best_source)
{
	const struct fake_file files[] = {
		{ "/proc/sys/kernel/osrelease", "6.12.0" },
		{ "/proc/cmdline", inits[_i].cmdline },
		{ inits[_i].config ? "/boot/config-6.12.0" : "-",
		  inits[_i].config ? inits[_i].config : "" },
		{ 0 },
	};
	const struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_machine machine;

	fz_machine_read(&hooks, &machine);
	ck_assert_str_eq(machine.init_on_alloc.value, inits[_i].value);
	ck_assert_str_eq(machine.init_on_alloc.basis, inits[_i].basis);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("machine_findings");
	TCase *tcase = tcase_create("machine_findings");

	tcase_add_loop_test(tcase, preempt_mode_by_the_best_source, 0,
			    NR(preempts));
	tcase_add_loop_test(tcase, policies_by_symbol_and_version, 0,
			    NR(policies));
	tcase_add_loop_test(tcase, init_on_alloc_by_the_best_source, 0,
			    NR(inits));
	suite_add_tcase(suite, tcase);
	return suite;
}
