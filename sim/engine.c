// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of engines that measure. */
#include <fz/engine.h>

#include <string.h>

const struct fz_engine *const fz_engines[] = {
	&fz_engine_buffers,
	&fz_engine_kernel,
	&fz_engine_bare,
	NULL,
};

const struct fz_engine *fz_engine_find(const char *name)
{
	for (size_t i = 0; fz_engines[i]; i++)
		if (strcmp(fz_engines[i]->name, name) == 0)
			return fz_engines[i];
	return NULL;
}
