// SPDX-License-Identifier: GPL-2.0-or-later
/* Release, version and command line of the running kernel. */
#include "machine_parts.h"

#include <stdio.h>
#include <string.h>

/* What /proc/sys/kernel/arch would say on kernels before 6.1. */
#if defined(__x86_64__)
#define BUILD_ARCH "x86_64"
#elif defined(__aarch64__)
#define BUILD_ARCH "aarch64"
#elif defined(__riscv) && __riscv_xlen == 64
#define BUILD_ARCH "riscv64"
#else
#define BUILD_ARCH ""
#endif

static void text_read(const struct fz_hooks *hooks, const char *path,
		      char *text, size_t cap)
{
	if (fz_read_text(hooks, path, text, cap) < 0)
		text[0] = '\0';
}

static void arguments_cut(char *cmdline)
{
	char *end = strstr(cmdline, " -- ");

	if (end)
		*end = '\0';
}

void fz_kernel_facts_read(const struct fz_hooks *hooks,
			  struct fz_kernel_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	text_read(hooks, "/proc/sys/kernel/osrelease", facts->release,
		  sizeof(facts->release));
	text_read(hooks, "/proc/sys/kernel/version", facts->version,
		  sizeof(facts->version));
	text_read(hooks, "/proc/sys/kernel/arch", facts->arch,
		  sizeof(facts->arch));
	if (facts->arch[0] == '\0')
		strcpy(facts->arch, BUILD_ARCH);
	if (sscanf(facts->release, "%u.%u", &facts->major, &facts->minor) != 2)
		facts->major = facts->minor = 0;
	text_read(hooks, "/proc/cmdline", facts->cmdline,
		  sizeof(facts->cmdline));
	arguments_cut(facts->cmdline);
	fz_kconfig_read(hooks, facts->release, &facts->config);
	facts->rt = facts->config.preempt_rt ||
		    strstr(facts->version, "PREEMPT_RT");
}

bool fz_kernel_is_at_least(const struct fz_kernel_facts *facts,
			   unsigned int major, unsigned int minor)
{
	return facts->major > major ||
	       (facts->major == major && facts->minor >= minor);
}

bool fz_cmdline_find(const char *cmdline, const char *name, char *value,
		     size_t cap)
{
	const size_t skip = strlen(name);
	bool found = false;

	while (*cmdline) {
		const size_t length = strcspn(cmdline, " \t\n");

		if (length >= skip && strncmp(cmdline, name, skip) == 0) {
			snprintf(value, cap, "%.*s", (int)(length - skip),
				 cmdline + skip);
			found = true;
		}
		cmdline += length;
		cmdline += strspn(cmdline, " \t\n");
	}
	return found;
}

void fz_finding_set(struct fz_finding *finding, const char *value,
		    const char *basis)
{
	snprintf(finding->value, sizeof(finding->value), "%s",
		 value ? value : "");
	snprintf(finding->basis, sizeof(finding->basis), "%s",
		 value && value[0] ? basis : "unknown");
}
