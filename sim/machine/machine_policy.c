// SPDX-License-Identifier: GPL-2.0-or-later
/* Which policies the running kernel zeroes pages with. */
#include "machine_parts.h"

#include <string.h>

#include "file_lines.h"

/* The name in "ffffffff815eb9b0 T folio_zero_user", without a ".isra.0". */
static bool symbol_take(void *arg, char *line)
{
	const char **found = arg;
	char *rest = NULL, *name;

	strtok_r(line, " ", &rest);
	strtok_r(NULL, " ", &rest);
	name = strtok_r(NULL, " \t.", &rest);
	if (!name)
		return true;
	if (strcmp(name, "clear_huge_page") == 0)
		*found = "clear_huge_page";
	else if (strcmp(name, "folio_zero_user") == 0)
		*found = "folio_zero_user";
	return !*found;
}

/*
 * clear_huge_page() converges on the fault page in every kernel that the
 * policies stand for. Its successor folio_zero_user() did at first and has
 * cleared the neighbourhood last since 7.0: there the symbol decides nothing.
 */
static void find_kernel_policy(const struct fz_hooks *hooks,
			       const struct fz_kernel_facts *facts,
			       struct fz_finding *finding)
{
	const char *symbol = NULL;

	fz_file_lines(hooks, "/proc/kallsyms", symbol_take, &symbol);
	if (symbol && strcmp(symbol, "clear_huge_page") == 0)
		fz_finding_set(finding, "discontiguous-page", "symbols");
	else if (facts->major == 0)
		fz_finding_set(finding, NULL, NULL);
	else if (fz_kernel_is_at_least(facts, 7, 0))
		fz_finding_set(finding, "neighbourhood-last", "version");
	else
		fz_finding_set(finding, "discontiguous-page", "version");
}

/* On x86 the allocator zeroes the page of an anonymous fault. */
static const char *base_policy(const struct fz_kernel_facts *facts)
{
	if (facts->major == 0 || facts->major > 7 ||
	    strcmp(facts->arch, "x86_64") != 0)
		return NULL;
	return facts->major == 7 ? "init-pages-extent" : "init-pages";
}

/* As the kernel reads a boolean parameter: by its first letters. */
static const char *switch_parse(const char *value)
{
	switch (value[0]) {
	case '1':
	case 'y':
	case 'Y':
	case 't':
	case 'T':
		return "on";
	case '0':
	case 'n':
	case 'N':
	case 'f':
	case 'F':
		return "off";
	case 'o':
	case 'O':
		if (value[1] == 'n' || value[1] == 'N')
			return "on";
		return value[1] == 'f' || value[1] == 'F' ? "off" : NULL;
	default:
		return NULL;
	}
}

static void find_init_on_alloc(const struct fz_kernel_facts *facts,
			       struct fz_finding *finding)
{
	char value[16];
	const char *found = NULL;

	if (fz_cmdline_find(facts->cmdline, "init_on_alloc=", value,
			    sizeof(value)))
		found = switch_parse(value);
	if (found)
		fz_finding_set(finding, found, "command line");
	else if (facts->config.known)
		fz_finding_set(finding,
			       facts->config.init_on_alloc ? "on" : "off",
			       "config");
	else
		fz_finding_set(finding, NULL, NULL);
}

void fz_find_policies(const struct fz_hooks *hooks,
		      const struct fz_kernel_facts *facts,
		      struct fz_machine *machine)
{
	find_kernel_policy(hooks, facts, &machine->kernel_policy);
	fz_finding_set(&machine->base_policy, base_policy(facts), "version");
	find_init_on_alloc(facts, &machine->init_on_alloc);
}
