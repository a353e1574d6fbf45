// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets by vectors of four ways, which every compiler can turn into something.
 */
#define FZ_LANES 4
#define FZ_ISA

#include "cache_bulk.h"

const struct fz_cache_path fz_cache_path_portable = {
	.access = access_line,
	.access_run = access_run,
	.remove = remove_lines,
};
