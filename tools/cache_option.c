// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads --cache. */
#include "cache_option.h"

#include <string.h>

#include <fz/topology_cache.h>

#include "command.h"
#include "options.h"

static int read_here(struct fz_cache_spec *here)
{
	struct fz_topology topology;
	struct fz_err err;

	if (fz_topology_read(&topology, &err)) {
		fz_complain("--cache: %s", err.msg);
		return FZ_EXIT_CANNOT_RUN;
	}
	if (!fz_topology_cache_spec(&topology, here, &err))
		return FZ_EXIT_DONE;
	fz_complain("--cache: %s: give them, as in --cache=32K/8,1M/8,32M/16",
		    err.msg);
	return FZ_EXIT_CANNOT_RUN;
}

static bool begins_with_here(const char *text)
{
	const size_t length = strcspn(text, ",");

	return length == strlen("here") && strncmp(text, "here", length) == 0;
}

int fz_cache_option(const char *command, const char *text,
		    struct fz_cache_spec *spec)
{
	struct fz_cache_spec here = { 0 };
	struct fz_err err;

	if (begins_with_here(text)) {
		const int status = read_here(&here);

		if (status)
			return status;
	}
	if (fz_cache_spec_parse(text, &here, spec, &err) == 0)
		return FZ_EXIT_DONE;
	fz_complain("--cache: %s", err.msg);
	return fz_usage(command);
}
