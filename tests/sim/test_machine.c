// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about saved machines, and about this one. */
#include <fz/machine.h>

#include <errno.h>
#include <stdio.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KIB 1024ull
#define MIB (1024 * KIB)

static int no_counters(void *state, const struct fz_perf_config *event,
		       int leader)
{
	(void)state;
	(void)event;
	(void)leader;
	return -ENOENT;
}

static void bare_metal(void *state, char id[FZ_HYPERVISOR_ID_BYTES])
{
	(void)state;
	memset(id, 0, FZ_HYPERVISOR_ID_BYTES);
}

static void kvm_guest(void *state, char id[FZ_HYPERVISOR_ID_BYTES])
{
	(void)state;
	memcpy(id, "KVMKVMKVM\0\0\0", FZ_HYPERVISOR_ID_BYTES);
}

static struct fz_hooks saved_machine(const char *root)
{
	struct fz_hooks hooks = saved_tree_hooks(root);

	hooks.perf_open = no_counters;
	hooks.hypervisor_id = bare_metal;
	return hooks;
}

static const struct {
	const char *root;
	const char *cpu;
	const char *uarch;
	const char *features;
	const char *kernel;
	const char *kernel_full;
	struct fz_finding preempt_mode;
	struct fz_finding kernel_policy;
	struct fz_finding base_policy;
	struct fz_finding init_on_alloc;
	unsigned int hz;
	const char *thp_enabled;
	const char *thp_defrag;
	uint64_t thp_pmd_bytes;
	size_t nr_mthp;
	size_t nr_pools;
	const char *governor;
	const char *clocksource;
	const char *hypervisor;
	bool virtualised;
	int perf_event_paranoid;
	uint64_t steal_ms;
} machines[] = {
	{
		.root = SAVED_TREE("xeon-guest"),
		.cpu = "Intel(R) Xeon(R) Processor",
		.uarch = "GenuineIntel 6/167/1",
		.features = "rep_good erms fsrm sse2 avx2 avx512f movdiri "
			    "movdir64b clwb constant_tsc nonstop_tsc",
		.kernel = "6.18.44",
		.kernel_full = "Linux 6.18.44 #1 SMP PREEMPT_DYNAMIC @0 x86_64",
		/* preempt=full is an argument of its init. */
		.preempt_mode = { "none", "config" },
		.kernel_policy = { "discontiguous-page", "version" },
		.base_policy = { "init-pages", "version" },
		.init_on_alloc = { "off", "config" },
		.hz = 250,
		.thp_enabled = "madvise",
		.thp_defrag = "madvise",
		.thp_pmd_bytes = 2 * MIB,
		.nr_mthp = 4,
		.nr_pools = 2,
		.governor = "",
		.clocksource = "tsc",
		.hypervisor = "",
		.virtualised = true,
		.perf_event_paranoid = 2,
		.steal_ms = 80,
	},
	{
		.root = SAVED_TREE("zen4"),
		.cpu = "AMD EPYC 9354 32-Core Processor",
		.uarch = "AuthenticAMD 25/17/1",
		.features = "rep_good erms fsrm sse2 avx2 avx512f clzero clwb "
			    "constant_tsc nonstop_tsc",
		.kernel = "6.12.48+deb13-amd64",
		.kernel_full = "Linux 6.12.48+deb13-amd64 #1 SMP "
			       "PREEMPT_DYNAMIC Debian 6.12.48-1 (2025-09-20) "
			       "x86_64",
		.preempt_mode = { "voluntary", "debugfs" },
		.kernel_policy = { "discontiguous-page", "version" },
		.base_policy = { "init-pages", "version" },
		.init_on_alloc = { "on", "config" },
		.hz = 250,
		.thp_enabled = "always",
		.thp_defrag = "madvise",
		.thp_pmd_bytes = 2 * MIB,
		.nr_pools = 2,
		.governor = "performance",
		.clocksource = "tsc",
		.hypervisor = "",
		.perf_event_paranoid = 3,
		.steal_ms = 0,
	},
	{
		.root = SAVED_TREE("arm64"),
		.cpu = "",
		.uarch = "0x41 0xd4f/0x0/1",
		.features = "mops sve",
		.kernel = "6.1.0-41-arm64",
		.kernel_full = "Linux 6.1.0-41-arm64 #1 SMP PREEMPT Debian "
			       "6.1.158-1 aarch64",
		.preempt_mode = { "full", "version" },
		.kernel_policy = { "discontiguous-page", "symbols" },
		.base_policy = { "", "unknown" },
		.init_on_alloc = { "on", "command line" },
		.thp_enabled = "never",
		.thp_defrag = "",
		.thp_pmd_bytes = 2 * MIB,
		.nr_pools = 4,
		.governor = "",
		.clocksource = "arch_sys_counter",
		.hypervisor = "kvm",
		.virtualised = true,
		.perf_event_paranoid = -1,
		.steal_ms = UINT64_MAX,
	},
	{
		.root = SAVED_TREE("kernel-7.3"),
		.cpu = "AMD EPYC 9354 32-Core Processor",
		.uarch = "AuthenticAMD 25/17/1",
		.features = "rep_good erms fsrm sse2 avx2 avx512f clzero clwb "
			    "constant_tsc nonstop_tsc",
		.kernel = "7.3.0-1-amd64",
		.kernel_full = "Linux 7.3.0-1-amd64 #1 SMP PREEMPT_DYNAMIC "
			       "Debian 7.3-1 x86_64",
		/* preempt=none is refused there. */
		.preempt_mode = { "lazy", "config" },
		.kernel_policy = { "neighbourhood-last", "version" },
		.base_policy = { "init-pages-extent", "version" },
		.init_on_alloc = { "off", "command line" },
		.hz = 1000,
		.thp_enabled = "",
		.thp_defrag = "",
		.nr_pools = 1,
		.governor = "",
		.clocksource = "",
		.hypervisor = "",
		.virtualised = true,
		.perf_event_paranoid = INT32_MIN,
		.steal_ms = UINT64_MAX,
	},
	{
		.root = SAVED_TREE("broken"),
		.cpu = "",
		.uarch = "",
		.features = "",
		.kernel = "nonsense",
		.kernel_full = "Linux nonsense  x86_64",
		.preempt_mode = { "", "unknown" },
		.kernel_policy = { "", "unknown" },
		.base_policy = { "", "unknown" },
		.init_on_alloc = { "", "unknown" },
		.thp_enabled = "",
		.thp_defrag = "",
		.nr_pools = 1,
		.governor = "",
		.clocksource = "",
		.hypervisor = "",
		.perf_event_paranoid = INT32_MIN,
		.steal_ms = UINT64_MAX,
	},
	{
		.root = SAVED_TREE("not-there"),
		.cpu = "",
		.uarch = "",
		.features = "",
		.kernel = "",
		.kernel_full = "",
		.preempt_mode = { "", "unknown" },
		.kernel_policy = { "", "unknown" },
		.base_policy = { "", "unknown" },
		.init_on_alloc = { "", "unknown" },
		.thp_enabled = "",
		.thp_defrag = "",
		.governor = "",
		.clocksource = "",
		.hypervisor = "",
		.perf_event_paranoid = INT32_MIN,
		.steal_ms = UINT64_MAX,
	},
};

static void finding_is(const struct fz_finding *got,
		       const struct fz_finding *want)
{
	ck_assert_str_eq(got->value, want->value);
	ck_assert_str_eq(got->basis, want->basis);
}

START_TEST(a_saved_machine_is_read)
{
	const struct fz_hooks hooks = saved_machine(machines[_i].root);
	struct fz_machine machine;

	memset(&machine, 0xff, sizeof(machine));
	fz_machine_read(&hooks, &machine);
	ck_assert_str_eq(machine.cpu, machines[_i].cpu);
	ck_assert_str_eq(machine.uarch, machines[_i].uarch);
	ck_assert_str_eq(machine.features, machines[_i].features);
	ck_assert_str_eq(machine.kernel, machines[_i].kernel);
#if defined(__x86_64__)
	ck_assert_str_eq(machine.kernel_full, machines[_i].kernel_full);
#endif
	finding_is(&machine.preempt_mode, &machines[_i].preempt_mode);
	finding_is(&machine.kernel_policy, &machines[_i].kernel_policy);
	finding_is(&machine.base_policy, &machines[_i].base_policy);
	finding_is(&machine.init_on_alloc, &machines[_i].init_on_alloc);
	ck_assert_uint_eq(machine.hz, machines[_i].hz);
	ck_assert_str_eq(machine.thp_enabled, machines[_i].thp_enabled);
	ck_assert_str_eq(machine.thp_defrag, machines[_i].thp_defrag);
	ck_assert_uint_eq(machine.thp_pmd_bytes, machines[_i].thp_pmd_bytes);
	ck_assert_uint_eq(machine.nr_mthp, machines[_i].nr_mthp);
	ck_assert_uint_eq(machine.pools.nr, machines[_i].nr_pools);
	ck_assert_str_eq(machine.governor, machines[_i].governor);
	ck_assert_str_eq(machine.clocksource, machines[_i].clocksource);
	ck_assert_str_eq(machine.hypervisor, machines[_i].hypervisor);
	ck_assert_int_eq(machine.virtualised, machines[_i].virtualised);
	ck_assert_int_eq(machine.perf_event_paranoid,
			 machines[_i].perf_event_paranoid);
	ck_assert_uint_eq(machine.steal_ms, machines[_i].steal_ms);
	ck_assert(!machine.has_pmu);
}
END_TEST

/* 8 kB has a switch for shared memory only. */
START_TEST(mthp_sizes_ascend)
{
	static const struct fz_mthp want[] = {
		{ 16 * KIB, "never" },
		{ 64 * KIB, "madvise" },
		{ MIB, "always" },
		{ 2 * MIB, "inherit" },
	};
	const struct fz_hooks hooks = saved_machine(SAVED_TREE("xeon-guest"));
	struct fz_machine machine;

	fz_machine_read(&hooks, &machine);
	ck_assert_uint_eq(machine.nr_mthp, NR(want));
	for (size_t i = 0; i < machine.nr_mthp; i++) {
		ck_assert_uint_eq(machine.mthp[i].bytes, want[i].bytes);
		ck_assert_str_eq(machine.mthp[i].enabled, want[i].enabled);
	}
}
END_TEST

struct fake_perf {
	const char *paranoid;
	int code;
};

static int perf_answer(void *state, const struct fz_perf_config *event,
		       int leader)
{
	ck_assert_uint_eq(event->type, 0);
	ck_assert_uint_eq(event->config, 0);
	ck_assert_int_eq(leader, -1);
	return ((const struct fake_perf *)state)->code;
}

static void perf_end(void *state, int counter)
{
	(void)state;
	ck_assert_int_eq(counter, 0);
}

static ssize_t read_paranoid(void *state, const char *root, const char *path,
			     uint64_t offset, void *buf, size_t cap)
{
	const struct fake_perf *perf = state;
	const struct fake_file files[] = {
		{ perf->paranoid ? "/proc/sys/kernel/perf_event_paranoid" : "-",
		  perf->paranoid ? perf->paranoid : "" },
		{ perf->code
			  ? "-"
			  : "/sys/bus/event_source/devices/cpu/caps/pmu_name",
		  "skylake\n" },
		{ 0 },
	};

	return fake_read_file((void *)(uintptr_t)files, root, path, offset, buf,
			      cap);
}

static const struct {
	struct fake_perf perf;
	bool virtualised;
	const char *pmu;
} perfs[] = {
	{ { "2\n", 0 }, false, "skylake" },
	{ { "2\n", -ENOENT },
	  true,
	  "ENOENT: no hardware counters (virtual machine)" },
	{ { "2\n", -ENOENT }, false, "ENOENT: no hardware counters" },
	{ { "2\n", -EOPNOTSUPP },
	  true,
	  "EOPNOTSUPP: no hardware counters (virtual machine)" },
	{ { "3\n", -EACCES },
	  false,
	  "EACCES: perf_event_paranoid is 3; needs CAP_PERFMON" },
	{ { "-1\n", -EPERM },
	  false,
	  "EPERM: perf_event_paranoid is -1; needs CAP_PERFMON" },
	{ { NULL, -EACCES }, false, "EACCES: needs CAP_PERFMON" },
	{ { NULL, -ENOSYS }, false, "ENOSYS: the kernel has no perf events" },
	{ { NULL, -EMFILE },
	  false,
	  "EMFILE: too many open files: raise 'ulimit -n'" },
};

START_TEST(missing_counters_have_a_reason)
{
	struct fake_perf perf = perfs[_i].perf;
	struct fz_hooks hooks = fz_hooks_default;
	struct fz_machine machine;

	hooks.state = &perf;
	hooks.read_file = read_paranoid;
	hooks.list_dir = fake_list_nothing;
	hooks.perf_open = perf_answer;
	hooks.perf_close = perf_end;
	hooks.hypervisor_id = perfs[_i].virtualised ? kvm_guest : bare_metal;
	fz_machine_read(&hooks, &machine);
	ck_assert_int_eq(machine.has_pmu, perf.code == 0);
	ck_assert_str_eq(machine.pmu, perfs[_i].pmu);
	ck_assert_int_eq(machine.virtualised, perfs[_i].virtualised);
	ck_assert_str_eq(machine.hypervisor,
			 perfs[_i].virtualised ? "kvm" : "");
}
END_TEST

START_TEST(riscv_extensions_are_words)
{
	static const struct fake_file files[] = {
		{ "/proc/cpuinfo",
		  "processor\t: 0\nhart\t\t: 1\n"
		  "isa\t\t: rv64imafdc_zicbom_zicboz_zicsr\nmmu\t\t: sv48\n" },
		{ 0 },
	};
	struct fz_hooks hooks = fake_files_hooks(files);
	struct fz_machine machine;

	hooks.hypervisor_id = bare_metal;
	fz_machine_read(&hooks, &machine);
	ck_assert_str_eq(machine.features, "zicboz");
}
END_TEST

START_TEST(the_real_machine_makes_sense)
{
	struct fz_machine machine;

	fz_machine_read(&fz_hooks_default, &machine);
	ck_assert_uint_gt(strlen(machine.kernel), 0);
	ck_assert_ptr_nonnull(strstr(machine.kernel_full, machine.kernel));
	ck_assert_uint_ge(machine.topology.nr_cpus, 1);
	ck_assert(machine.has_pmu || machine.pmu[0]);
	ck_assert_int_eq(machine.preempt_mode.value[0] == '\0',
			 strcmp(machine.preempt_mode.basis, "unknown") == 0);
	ck_assert_uint_gt(strlen(machine.clock), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("machine");
	TCase *tcase = tcase_create("machine");

	tcase_add_loop_test(tcase, a_saved_machine_is_read, 0, NR(machines));
	tcase_add_test(tcase, mthp_sizes_ascend);
	tcase_add_loop_test(tcase, missing_counters_have_a_reason, 0,
			    NR(perfs));
	tcase_add_test(tcase, riscv_extensions_are_words);
	tcase_add_test(tcase, the_real_machine_makes_sense);
	suite_add_tcase(suite, tcase);
	return suite;
}
