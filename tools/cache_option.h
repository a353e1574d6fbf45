/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --cache, which names caches to model. */
#ifndef FZ_CACHE_OPTION_H
#define FZ_CACHE_OPTION_H

#include <fz/cache_spec.h>

/*
 * Read the value of a command's --cache, where "here" is this machine. Return:
 * FZ_EXIT_DONE or, after a complaint, another status.
 */
int fz_cache_option(const char *command, const char *text,
		    struct fz_cache_spec *spec);

#endif
