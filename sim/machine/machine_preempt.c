// SPDX-License-Identifier: GPL-2.0-or-later
/* The effective preemption mode of the running kernel. */
#include "machine_parts.h"

#include <stdio.h>
#include <string.h>

static const char *const modes[] = { "none", "voluntary", "full", "lazy" };

static const char *mode_find(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i], name) == 0)
			return modes[i];
	}
	return NULL;
}

/* On a PREEMPT_RT kernel "full" and "lazy" are modes of their own. */
static const char *mode_name(const struct fz_kernel_facts *facts,
			     const char *mode)
{
	if (!facts->rt || !mode)
		return mode;
	return strcmp(mode, "lazy") == 0 ? "rt-lazy" : "rt-full";
}

/* "none voluntary (full) lazy" */
static const char *debugfs_mode(const struct fz_hooks *hooks)
{
	char text[128], *open, *close;

	if (fz_read_text(hooks, "/sys/kernel/debug/sched/preempt", text,
			 sizeof(text)) < 0)
		return NULL;
	open = strchr(text, '(');
	close = open ? strchr(open, ')') : NULL;
	if (!close)
		return NULL;
	*close = '\0';
	return mode_find(open + 1);
}

/*
 * Does this kernel obey "preempt=MODE"? Recorded: 6.1 and 6.12 take none,
 * voluntary and full; 6.19 none, full and lazy; 7.0 to 7.3 on x86 full and
 * lazy only. lazy came with 6.13. PREEMPT_RT never took none and voluntary.
 */
static bool mode_is_offered(const struct fz_kernel_facts *facts,
			    const char *mode)
{
	if (facts->config.known && !facts->config.preempt_dynamic)
		return false;
	if (strcmp(mode, "lazy") == 0)
		return fz_kernel_is_at_least(facts, 6, 13);
	if (strcmp(mode, "full") == 0)
		return true;
	if (facts->rt)
		return false;
	if (strcmp(mode, "voluntary") == 0)
		return !fz_kernel_is_at_least(facts, 6, 19);
	return !fz_kernel_is_at_least(facts, 7, 0) ||
	       strcmp(facts->arch, "x86_64") != 0;
}

static const char *cmdline_mode(const struct fz_kernel_facts *facts)
{
	char value[32];
	const char *mode;

	if (!fz_cmdline_find(facts->cmdline, "preempt=", value, sizeof(value)))
		return NULL;
	mode = mode_find(value);
	return mode && mode_is_offered(facts, mode) ? mode : NULL;
}

static const char *config_mode(const struct fz_kconfig *config)
{
	if (config->preempt_lazy)
		return "lazy";
	if (config->preempt_full || config->preempt_rt)
		return "full";
	if (config->preempt_voluntary)
		return "voluntary";
	return config->preempt_none ? "none" : NULL;
}

static bool version_has(const char *version, const char *word)
{
	const size_t length = strlen(word);

	while (*version) {
		const size_t part = strcspn(version, " ");

		if (part == length && strncmp(version, word, length) == 0)
			return true;
		version += part;
		version += strspn(version, " ");
	}
	return false;
}

/*
 * PREEMPT_DYNAMIC says nothing about the mode; the other two are clear until
 * lazy came, which they do not tell from full.
 */
static const char *version_mode(const struct fz_kernel_facts *facts)
{
	if (facts->major == 0 || fz_kernel_is_at_least(facts, 6, 13))
		return NULL;
	if (version_has(facts->version, "PREEMPT") ||
	    version_has(facts->version, "PREEMPT_RT"))
		return "full";
	return NULL;
}

void fz_find_preempt(const struct fz_hooks *hooks,
		     const struct fz_kernel_facts *facts,
		     struct fz_finding *finding)
{
	const char *basis = "debugfs";
	const char *mode = debugfs_mode(hooks);

	if (!mode) {
		basis = "command line";
		mode = cmdline_mode(facts);
	}
	if (!mode) {
		basis = "config";
		mode = config_mode(&facts->config);
	}
	if (!mode) {
		basis = "version";
		mode = version_mode(facts);
	}
	fz_finding_set(finding, mode_name(facts, mode), basis);
}
