/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader of a figure must know about the machine it was taken on. */
#ifndef FZ_MACHINE_H
#define FZ_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/clear.h>
#include <fz/hooks.h>
#include <fz/perf_rights.h>
#include <fz/pools.h>
#include <fz/topology.h>

/**
 * struct fz_finding - a fact and where it comes from
 * @value: the fact; empty = unknown
 * @basis: the source: "debugfs", "command line", "config", "symbols",
 *	"version"; "unknown" where @value is empty
 */
struct fz_finding {
	char value[32];
	char basis[32];
};

#define FZ_MAX_MTHP 16

/**
 * struct fz_mthp - one multi-size THP and its switch
 * @bytes: size
 * @enabled: the choice in brackets: "always", "inherit", "madvise", "never"
 */
struct fz_mthp {
	uint64_t bytes;
	char enabled[16];
};

/**
 * struct fz_machine - facts for a report; empty strings are unknown
 * @cpu: model name as the CPU tells it
 * @uarch: vendor, family, model and stepping, "AuthenticAMD 25/97/2"
 * @features: features that decide how memory is cleared, space-separated:
 *	erms fsrm rep_good avx2 avx512f clzero movdir64b …
 * @kernel: uname release
 * @kernel_full: uname -srvm
 * @preempt_mode: none, voluntary, full, lazy, rt-full or rt-lazy
 * @kernel_policy: name of the policy this kernel zeroes huge pages with
 * @base_policy: name of the policy it zeroes 4 KiB anonymous pages with
 * @kernel_clear: the primitive it zeroes with: fz_clear_kernel_choice()
 * @init_on_alloc: "on", "off" or empty, with its basis
 * @hz: CONFIG_HZ, 0 = unknown
 * @thp_enabled: always, madvise or never
 * @thp_defrag: as THP's defrag file says
 * @thp_pmd_bytes: hpage_pmd_size, 0 without THP
 * @nr_mthp: entries in @mthp
 * @mthp: [nr_mthp] ascending
 * @pools: the hugetlb pools
 * @topology: CPUs and caches
 * @governor: cpufreq governor of CPU 0, empty if there is none
 * @clock: what ticks are: "tsc", "cntvct", "clock_gettime"
 * @clocksource: the kernel's
 * @hypervisor: "kvm" and the like, empty on bare metal
 * @virtualised: the CPU says it is a guest
 * @has_pmu: a hardware counter could be opened
 * @pmu: why not, or what kind
 * @perf_event_paranoid: its value; INT32_MIN = unknown
 * @steal_ms: time stolen by the host since boot, UINT64_MAX = unknown
 */
struct fz_machine {
	char cpu[96];
	char uarch[64];
	char features[256];
	char kernel[96];
	char kernel_full[320];
	struct fz_finding preempt_mode;
	struct fz_finding kernel_policy;
	struct fz_finding base_policy;
	const struct fz_clear *kernel_clear;
	struct fz_finding init_on_alloc;
	unsigned int hz;
	char thp_enabled[16];
	char thp_defrag[24];
	uint64_t thp_pmd_bytes;
	size_t nr_mthp;
	struct fz_mthp mthp[FZ_MAX_MTHP];
	struct fz_pools pools;
	struct fz_topology topology;
	char governor[32];
	char clock[24];
	char clocksource[32];
	char hypervisor[32];
	bool virtualised;
	bool has_pmu;
	char pmu[128];
	int perf_event_paranoid;
	uint64_t steal_ms;
};

/**
 * fz_machine_read() - collect the facts
 * @hooks: the world
 * @machine: written; what cannot be read stays unknown
 */
void fz_machine_read(const struct fz_hooks *hooks, struct fz_machine *machine);

/**
 * fz_machine_perf_rights() - what a refused counter is explained with
 * @machine: the facts
 *
 * Return: those that matter for it.
 */
struct fz_perf_rights fz_machine_perf_rights(const struct fz_machine *machine);

#endif
