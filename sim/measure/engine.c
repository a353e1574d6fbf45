// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of engines that measure. */
#include <fz/engine.h>

const struct fz_engine *const fz_engines[] = {
	&fz_engine_buffers,
	&fz_engine_kernel,
	&fz_engine_bare,
	NULL,
};
