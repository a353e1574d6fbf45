// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of mappings, as the kernel and perf make them up. */
#include "backing_name.h"

#include <stdbool.h>
#include <string.h>

static const char deleted[] = " (deleted)";

/* A whole name, with or without a note that the file is gone. */
static const struct {
	const char *name;
	enum fz_fault_backing backing;
} names[] = {
	{ "//anon", FZ_BACKING_ANON },    { "/anon_hugepage", FZ_BACKING_ANON },
	{ "/dev/zero", FZ_BACKING_ANON }, { "[heap]", FZ_BACKING_ANON },
	{ "[stack]", FZ_BACKING_ANON },   { "[unknown]", FZ_BACKING_UNKNOWN },
	{ "", FZ_BACKING_UNKNOWN },
};

static const struct {
	const char *start;
	enum fz_fault_backing backing;
} starts[] = {
	{ "[stack:", FZ_BACKING_ANON },
	{ "[anon:", FZ_BACKING_ANON }, /* named by prctl(PR_SET_VMA) */
	{ "[anon_shmem:", FZ_BACKING_ANON },
	{ "/memfd:", FZ_BACKING_ANON },
	{ "/dev/hugepages/", FZ_BACKING_ANON },
	{ "//", FZ_BACKING_UNKNOWN }, /* no name: //enomem, //toolong */
};

static bool begins_with(const char *name, size_t bytes, const char *start)
{
	return bytes >= strlen(start) &&
	       memcmp(name, start, strlen(start)) == 0;
}

/* System V shared memory: its key in eight digits of hex. */
static bool is_sysv(const char *name, size_t bytes)
{
	size_t i = strlen("/SYSV");

	if (!begins_with(name, bytes, "/SYSV") || bytes != i + 8)
		return false;
	while (i < bytes && strchr("0123456789abcdef", name[i]))
		i++;
	return i == bytes;
}

enum fz_fault_backing backing_of_name(const char *name, size_t bytes)
{
	const size_t note = sizeof(deleted) - 1;

	if (bytes > note && memcmp(name + bytes - note, deleted, note) == 0)
		bytes -= note;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (bytes == strlen(names[i].name) &&
		    memcmp(name, names[i].name, bytes) == 0)
			return names[i].backing;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (begins_with(name, bytes, starts[i].start))
			return starts[i].backing;
	return is_sysv(name, bytes) ? FZ_BACKING_ANON : FZ_BACKING_FILE;
}
