// SPDX-License-Identifier: GPL-2.0-or-later
/* The switches of transparent huge pages, of the PMD size and below. */
#include "machine_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "name_number.h"

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"

/* "always [madvise] never" -> "madvise"; empty where nothing is in brackets. */
static void choice_read(const struct fz_hooks *hooks, const char *path,
			char *choice, size_t cap)
{
	char text[128], *open, *close;

	choice[0] = '\0';
	if (fz_read_text(hooks, path, text, sizeof(text)) < 0)
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return;
	*close = '\0';
	snprintf(choice, cap, "%s", open + 1);
}

/* Ascending insertion of "hugepages-64kB". */
static void mthp_add(void *arg, const char *name)
{
	struct fz_machine *machine = arg;
	uint64_t kib;
	size_t at;

	if (machine->nr_mthp == FZ_MAX_MTHP ||
	    !fz_name_number(name, "hugepages-", "kB", &kib) ||
	    kib > UINT64_MAX / 1024)
		return;
	for (at = machine->nr_mthp; at > 0; at--) {
		if (machine->mthp[at - 1].bytes < kib * 1024)
			break;
		machine->mthp[at] = machine->mthp[at - 1];
	}
	machine->mthp[at].bytes = kib * 1024;
	machine->nr_mthp++;
}

/* Sizes that only shared memory can use have no such switch: left out. */
static void mthp_switches_read(const struct fz_hooks *hooks,
			       struct fz_machine *machine)
{
	char path[128];
	size_t kept = 0;

	for (size_t i = 0; i < machine->nr_mthp; i++) {
		struct fz_mthp mthp = machine->mthp[i];

		snprintf(path, sizeof(path),
			 THP_DIR "/hugepages-%" PRIu64 "kB/enabled",
			 mthp.bytes / 1024);
		choice_read(hooks, path, mthp.enabled, sizeof(mthp.enabled));
		if (mthp.enabled[0])
			machine->mthp[kept++] = mthp;
	}
	machine->nr_mthp = kept;
}

void fz_machine_read_thp(const struct fz_hooks *hooks,
			 struct fz_machine *machine)
{
	choice_read(hooks, THP_DIR "/enabled", machine->thp_enabled,
		    sizeof(machine->thp_enabled));
	choice_read(hooks, THP_DIR "/defrag", machine->thp_defrag,
		    sizeof(machine->thp_defrag));
	fz_read_u64(hooks, THP_DIR "/hpage_pmd_size", &machine->thp_pmd_bytes);
	hooks->list_dir(hooks->state, hooks->root, THP_DIR, mthp_add, machine);
	mthp_switches_read(hooks, machine);
}
