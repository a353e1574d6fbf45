/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the machine report share while it is being written. */
#ifndef FZ_SIM_MACHINE_PARTS_H
#define FZ_SIM_MACHINE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/hooks.h>
#include <fz/machine.h>

/**
 * struct fz_kconfig - what the report needs of the kernel's configuration
 * @known: a configuration was found
 * @hz: CONFIG_HZ
 * @preempt_none: CONFIG_PREEMPT_NONE: the default where the mode is dynamic
 * @preempt_voluntary: CONFIG_PREEMPT_VOLUNTARY
 * @preempt_full: CONFIG_PREEMPT
 * @preempt_lazy: CONFIG_PREEMPT_LAZY
 * @preempt_rt: CONFIG_PREEMPT_RT
 * @preempt_dynamic: CONFIG_PREEMPT_DYNAMIC: the command line can choose
 * @init_on_alloc: CONFIG_INIT_ON_ALLOC_DEFAULT_ON
 */
struct fz_kconfig {
	bool known;
	unsigned int hz;
	bool preempt_none;
	bool preempt_voluntary;
	bool preempt_full;
	bool preempt_lazy;
	bool preempt_rt;
	bool preempt_dynamic;
	bool init_on_alloc;
};

/**
 * struct fz_kernel_facts - what the findings about the kernel rest on
 * @release: like "6.12.48+deb13-amd64"; empty = unknown
 * @version: like "#1 SMP PREEMPT_DYNAMIC ..."
 * @arch: like "x86_64"
 * @major: 6; 0 = unknown
 * @minor: 12
 * @cmdline: command line up to "--", behind which are init's arguments
 * @config: the configuration
 * @rt: a PREEMPT_RT kernel, by configuration or version
 */
struct fz_kernel_facts {
	char release[96];
	char version[192];
	char arch[16];
	unsigned int major;
	unsigned int minor;
	char cmdline[4096];
	struct fz_kconfig config;
	bool rt;
};

/**
 * fz_kconfig_read() - /proc/config.gz, else /boot/config-RELEASE
 * @hooks: the world
 * @release: the kernel's
 * @config: written
 */
void fz_kconfig_read(const struct fz_hooks *hooks, const char *release,
		     struct fz_kconfig *config);

/**
 * fz_kernel_facts_read() - collect them
 * @hooks: the world
 * @facts: written; what cannot be read stays empty
 */
void fz_kernel_facts_read(const struct fz_hooks *hooks,
			  struct fz_kernel_facts *facts);

/**
 * fz_kernel_is_at_least() - compare the release
 * @facts: the facts
 * @major: 6
 * @minor: 12
 *
 * Return: true if it is known and not older.
 */
bool fz_kernel_is_at_least(const struct fz_kernel_facts *facts,
			   unsigned int major, unsigned int minor);

/**
 * fz_cmdline_find() - the last value of a kernel parameter
 * @cmdline: the command line
 * @name: with its "="
 * @value: [cap], written when found, cut to fit
 * @cap: size of @value in bytes
 *
 * Return: true if it is there.
 */
bool fz_cmdline_find(const char *cmdline, const char *name, char *value,
		     size_t cap);

/**
 * fz_finding_set() - write a finding
 * @finding: written
 * @value: the fact, NULL = unknown
 * @basis: its source, ignored where the fact is unknown
 */
void fz_finding_set(struct fz_finding *finding, const char *value,
		    const char *basis);

/**
 * fz_find_preempt() - the effective preemption mode
 * @hooks: the world
 * @facts: the kernel
 * @finding: written
 *
 * debugfs tells it; else the command line, where the kernel obeys it; else the
 * configuration; else, sometimes, the version string.
 */
void fz_find_preempt(const struct fz_hooks *hooks,
		     const struct fz_kernel_facts *facts,
		     struct fz_finding *finding);

/**
 * fz_find_policies() - how this kernel zeroes huge and base pages
 * @hooks: the world
 * @facts: the kernel
 * @machine: kernel_policy, base_policy and init_on_alloc are written
 */
void fz_find_policies(const struct fz_hooks *hooks,
		      const struct fz_kernel_facts *facts,
		      struct fz_machine *machine);

/**
 * fz_machine_read_cpu() - model, features, hypervisor, clocks, steal
 * @hooks: the world
 * @machine: those members are written
 */
void fz_machine_read_cpu(const struct fz_hooks *hooks,
			 struct fz_machine *machine);

/**
 * fz_machine_read_thp() - the switches of transparent huge pages
 * @hooks: the world
 * @machine: thp_* and mthp are written
 */
void fz_machine_read_thp(const struct fz_hooks *hooks,
			 struct fz_machine *machine);

/**
 * fz_machine_read_perf() - hardware counters and the right to use them
 * @hooks: the world
 * @machine: has_pmu, pmu and perf_event_paranoid; virtualised must be known
 */
void fz_machine_read_perf(const struct fz_hooks *hooks,
			  struct fz_machine *machine);

#endif
