// SPDX-License-Identifier: GPL-2.0-or-later
/* What the machine's report says of transparent huge pages. */
#include "machine_parts.h"

#include "thp_files.h"

void fz_machine_read_thp(const struct fz_hooks *hooks,
			 struct fz_machine *machine)
{
	fz_thp_word_read(hooks, FZ_THP_DIR "/enabled", machine->thp_enabled,
			 sizeof(machine->thp_enabled));
	fz_thp_word_read(hooks, FZ_THP_DIR "/defrag", machine->thp_defrag,
			 sizeof(machine->thp_defrag));
	fz_read_u64(hooks, FZ_THP_DIR "/hpage_pmd_size",
		    &machine->thp_pmd_bytes);
	machine->nr_mthp = fz_mthp_read(hooks, machine->mthp);
}
