// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of mappings, as the kernel and perf make them up. */
#include "backing_name.h"

#include <string.h>

static const struct {
	const char *start;
	enum fz_fault_backing backing;
} names[] = {
	{ "//anon", FZ_BACKING_ANON },
	{ "/anon_hugepage", FZ_BACKING_ANON },
	{ "[heap]", FZ_BACKING_ANON },
	{ "[stack", FZ_BACKING_ANON },
	{ "[anon", FZ_BACKING_ANON }, /* named by prctl(PR_SET_VMA) */
	{ "/dev/zero", FZ_BACKING_ANON },
	{ "/memfd:", FZ_BACKING_ANON },
	{ "/SYSV", FZ_BACKING_ANON },
	{ "/dev/hugepages/", FZ_BACKING_ANON },
	{ "//", FZ_BACKING_UNKNOWN }, /* perf had no name: //enomem, //toolong
				       */
	{ "[unknown]", FZ_BACKING_UNKNOWN },
	{ "", FZ_BACKING_FILE },
};

enum fz_fault_backing backing_of_name(const char *name, size_t bytes)
{
	size_t i = 0;

	if (bytes == 0)
		return FZ_BACKING_UNKNOWN;
	while (bytes < strlen(names[i].start) ||
	       memcmp(name, names[i].start, strlen(names[i].start)) != 0)
		i++;
	return names[i].backing;
}
