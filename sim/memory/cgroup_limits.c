// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the cgroup limit that stands in the way of a mapping. */
#include "cgroup_limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "file_lines.h"
#include "size_text.h"

/* A message names the path twice, beside other words. */
#define MAX_SHOWN_BYTES (FZ_ERR_MSG_BYTES / 3)

/* Names of a limit and its usage behind "hugetlb.2MB." or "memory.". */
struct limit_names {
	const char *limit;
	const char *usage;
};

/*
 * What one version of cgroup calls things. Usage counts the page cache of
 * files too, which the kernel drops before it kills: what was read once
 * (inactive) and what was read again (active). In version 1 only the lines
 * "total_" of memory.stat cover the cgroups below, as usage does.
 */
struct version {
	struct limit_names limits[2];
	const char *cache[2]; /* in memory.stat; NULL = none is counted */
};

struct controller {
	const char *name;
	struct version v1;
	struct version v2;
};

static const struct controller controller_hugetlb = {
	.name = "hugetlb",
	.v1.limits = { { "limit_in_bytes", "usage_in_bytes" },
		       { "rsvd.limit_in_bytes", "rsvd.usage_in_bytes" } },
	.v2.limits = { { "max", "current" }, { "rsvd.max", "rsvd.current" } },
};

static const struct controller controller_memory = {
	.name = "memory",
	.v1.limits = { { "limit_in_bytes", "usage_in_bytes" },
		       { "memsw.limit_in_bytes", "memsw.usage_in_bytes" } },
	.v1.cache = { "total_inactive_file", "total_active_file" },
	.v2.limits = { { "max", "current" }, { "high", "current" } },
	.v2.cache = { "inactive_file", "active_file" },
};

struct search {
	const struct fz_hooks *hooks;
	const struct controller *controller;
	char prefix[FZ_FORMAT_BYTES + 16]; /* "hugetlb.2MB" */
	uint64_t bytes;
	bool found;
	struct fz_cgroup_limit *limit;
	/* Where the controllers are mounted; empty = nowhere. */
	char mount_v1[PATH_MAX];
	char mount_v2[PATH_MAX];
};

static uint64_t limit_room(const struct fz_cgroup_limit *limit)
{
	return limit->limit_bytes > limit->usage_bytes
		       ? limit->limit_bytes - limit->usage_bytes
		       : 0;
}

struct cache {
	const char *const *names;
	uint64_t bytes;
};

/* "inactive_file 1671168" */
static bool cache_take(void *arg, char *line)
{
	struct cache *cache = arg;
	char *space = strchr(line, ' ');
	uint64_t bytes;

	if (!space)
		return true;
	*space = '\0';
	if ((strcmp(line, cache->names[0]) == 0 ||
	     strcmp(line, cache->names[1]) == 0) &&
	    fz_parse_u64(space + 1, &bytes, NULL) == 0)
		cache->bytes += bytes;
	return true;
}

/* Never a path that was cut: it would be another file's. */
static bool path_set(char path[PATH_MAX], const struct search *search,
		     const char *dir, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s.%s", dir, search->prefix, name) <
	       PATH_MAX;
}

static void cache_subtract(const struct search *search, const char *dir,
			   const struct version *version, uint64_t *usage_bytes)
{
	struct cache cache = { .names = version->cache };
	char path[PATH_MAX];

	if (!version->cache[0] || !path_set(path, search, dir, "stat"))
		return;
	fz_file_lines(search->hooks, path, cache_take, &cache);
	*usage_bytes -= cache.bytes < *usage_bytes ? cache.bytes : *usage_bytes;
}

/* "max", like a file that is not there, is no limit. */
static void limit_look(struct search *search, const char *dir,
		       const struct version *version,
		       const struct limit_names *names)
{
	struct fz_cgroup_limit limit;
	char usage[PATH_MAX];

	if (!path_set(limit.path, search, dir, names->limit) ||
	    !path_set(usage, search, dir, names->usage))
		return;
	limit.usage_bytes = 0;
	if (fz_read_u64(search->hooks, limit.path, &limit.limit_bytes))
		return;
	fz_read_u64(search->hooks, usage, &limit.usage_bytes);
	if (limit_room(&limit) < search->bytes)
		cache_subtract(search, dir, version, &limit.usage_bytes);
	if (limit_room(&limit) >= search->bytes)
		return;
	if (search->found && limit_room(search->limit) <= limit_room(&limit))
		return;
	*search->limit = limit;
	search->found = true;
}

/*
 * From the cgroup up to the mount point. In a container the path may be the
 * host's and not exist below the mount point, which is then the container's
 * own cgroup: it is the last one looked at.
 */
static void cgroup_climb(struct search *search, const char *mount,
			 const char *cgroup, const struct version *version)
{
	char dir[2 * PATH_MAX]; /* looked at once it is short enough */
	const size_t mount_length = strlen(mount);
	char *slash;

	if (mount_length == 0)
		return;
	if (strstr(cgroup, ".."))
		cgroup = ""; /* outside the cgroup namespace */
	if (mount_length + strlen(cgroup) >= sizeof(dir))
		return;
	snprintf(dir, sizeof(dir), "%s%s", mount, cgroup);
	for (;;) {
		limit_look(search, dir, version, &version->limits[0]);
		limit_look(search, dir, version, &version->limits[1]);
		slash = strrchr(dir, '/');
		if (!slash || (size_t)(slash - dir) < mount_length)
			return;
		*slash = '\0';
	}
}

static bool list_has(char *list, const char *word)
{
	char *rest = NULL;

	for (char *at = strtok_r(list, ",", &rest); at;
	     at = strtok_r(NULL, ",", &rest)) {
		if (strcmp(at, word) == 0)
			return true;
	}
	return false;
}

/* "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0" */
static bool mount_take(void *arg, char *line)
{
	struct search *search = arg;
	char *rest = NULL;
	const char *dir, *type;
	char *options;

	strtok_r(line, " ", &rest);
	dir = strtok_r(NULL, " ", &rest);
	type = strtok_r(NULL, " ", &rest);
	options = strtok_r(NULL, " ", &rest);
	if (!options || strlen(dir) >= PATH_MAX)
		return true;
	if (strcmp(type, "cgroup2") == 0)
		strcpy(search->mount_v2, dir);
	else if (strcmp(type, "cgroup") == 0 &&
		 list_has(options, search->controller->name))
		strcpy(search->mount_v1, dir);
	return true;
}

/* "9:hugetlb:/jobs/a" (version 1) or "0::/jobs/a" (version 2) */
static bool cgroup_take(void *arg, char *line)
{
	struct search *search = arg;
	const struct controller *controller = search->controller;
	char *controllers = strchr(line, ':');
	char *colon = controllers ? strchr(controllers + 1, ':') : NULL;
	const char *path;

	if (!colon || colon[1] != '/')
		return true;
	*colon = '\0';
	controllers++;
	path = colon[2] ? colon + 1 : "";
	if (controllers[0] == '\0')
		cgroup_climb(search, search->mount_v2, path, &controller->v2);
	else if (list_has(controllers, controller->name))
		cgroup_climb(search, search->mount_v1, path, &controller->v1);
	return true;
}

static bool limit_find(struct search *search)
{
	fz_file_lines(search->hooks, "/proc/self/mounts", mount_take, search);
	fz_file_lines(search->hooks, "/proc/self/cgroup", cgroup_take, search);
	return search->found;
}

bool fz_hugetlb_limit_find(const struct fz_hooks *hooks, uint64_t page_bytes,
			   uint64_t bytes, struct fz_cgroup_limit *limit)
{
	struct search search = {
		.hooks = hooks,
		.controller = &controller_hugetlb,
		.bytes = bytes,
		.limit = limit,
	};

	/* The files are named with MB or GB where everybody else says M or G.
	 */
	snprintf(search.prefix, sizeof(search.prefix), "hugetlb.%sB",
		 fz_size_text(page_bytes).text);
	return limit_find(&search);
}

bool fz_memory_limit_find(const struct fz_hooks *hooks, uint64_t bytes,
			  struct fz_cgroup_limit *limit)
{
	struct search search = {
		.hooks = hooks,
		.controller = &controller_memory,
		.prefix = "memory",
		.bytes = bytes,
		.limit = limit,
	};

	return limit_find(&search);
}

int fz_cgroup_limit_error(const struct fz_cgroup_limit *limit, const char *what,
			  uint64_t bytes, struct fz_err *err)
{
	const uint64_t used = limit->usage_bytes;

	if (strlen(limit->path) > MAX_SHOWN_BYTES)
		return fz_err_set(err, -ENOMEM,
				  "cannot map %s: the limit '%s' of a cgroup "
				  "whose path is too long to show is %s, %s in "
				  "use; ask for less",
				  what, strrchr(limit->path, '/') + 1,
				  fz_size_text(limit->limit_bytes).text,
				  fz_size_text(used).text);
	return fz_err_set(
		err, -ENOMEM,
		"cannot map %s: the cgroup limit '%s' is %s, %s in use; ask "
		"for less, or raise it with: echo %" PRIu64 " > %s",
		what, limit->path, fz_size_text(limit->limit_bytes).text,
		fz_size_text(used).text,
		bytes < UINT64_MAX - used ? bytes + used : UINT64_MAX,
		limit->path);
}
