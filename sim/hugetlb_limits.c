// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the hugetlb cgroup limit that stands in the way of a mapping. */
#include "hugetlb_limits.h"

#include <stdio.h>
#include <string.h>

#include "file_lines.h"
#include "size_text.h"

#define DIR_BYTES 400

/* Names of a limit and its usage behind "hugetlb.2MB.". */
struct limit_names {
	const char *limit;
	const char *usage;
};

static const struct limit_names names_v1[] = {
	{ "limit_in_bytes", "usage_in_bytes" },
	{ "rsvd.limit_in_bytes", "rsvd.usage_in_bytes" },
};

static const struct limit_names names_v2[] = {
	{ "max", "current" },
	{ "rsvd.max", "rsvd.current" },
};

struct search {
	const struct fz_hooks *hooks;
	char size[FZ_FORMAT_BYTES + 1]; /* "2MB" */
	uint64_t bytes;
	bool found;
	struct fz_hugetlb_limit *limit;
	/* Where the controllers are mounted; empty = nowhere. */
	char mount_v1[DIR_BYTES];
	char mount_v2[DIR_BYTES];
};

static uint64_t limit_room(const struct fz_hugetlb_limit *limit)
{
	return limit->limit_bytes > limit->usage_bytes
		       ? limit->limit_bytes - limit->usage_bytes
		       : 0;
}

/* "max", like a file that is not there, is no limit. */
static void limit_look(struct search *search, const char *dir,
		       const struct limit_names *names)
{
	struct fz_hugetlb_limit limit = { 0 };
	char usage[sizeof(limit.path)];

	snprintf(limit.path, sizeof(limit.path), "%s/hugetlb.%s.%s", dir,
		 search->size, names->limit);
	snprintf(usage, sizeof(usage), "%s/hugetlb.%s.%s", dir, search->size,
		 names->usage);
	if (fz_read_u64(search->hooks, limit.path, &limit.limit_bytes))
		return;
	fz_read_u64(search->hooks, usage, &limit.usage_bytes);
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
			 const char *cgroup, const struct limit_names names[2])
{
	char dir[2 * DIR_BYTES];
	const size_t mount_length = strlen(mount);
	char *slash;

	if (mount_length == 0)
		return;
	if (strstr(cgroup, ".."))
		cgroup = ""; /* outside the cgroup namespace */
	snprintf(dir, sizeof(dir), "%s%s", mount, cgroup);
	for (;;) {
		limit_look(search, dir, &names[0]);
		limit_look(search, dir, &names[1]);
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
	if (!options || strlen(dir) >= DIR_BYTES)
		return true;
	if (strcmp(type, "cgroup2") == 0)
		strcpy(search->mount_v2, dir);
	else if (strcmp(type, "cgroup") == 0 && list_has(options, "hugetlb"))
		strcpy(search->mount_v1, dir);
	return true;
}

/* "9:hugetlb:/jobs/a" (version 1) or "0::/jobs/a" (version 2) */
static bool cgroup_take(void *arg, char *line)
{
	struct search *search = arg;
	char *controllers = strchr(line, ':');
	char *colon = controllers ? strchr(controllers + 1, ':') : NULL;
	const char *path;

	if (!colon || colon[1] != '/')
		return true;
	*colon = '\0';
	controllers++;
	path = colon[2] ? colon + 1 : "";
	if (controllers[0] == '\0')
		cgroup_climb(search, search->mount_v2, path, names_v2);
	else if (list_has(controllers, "hugetlb"))
		cgroup_climb(search, search->mount_v1, path, names_v1);
	return true;
}

bool fz_hugetlb_limit_find(const struct fz_hooks *hooks, uint64_t page_bytes,
			   uint64_t bytes, struct fz_hugetlb_limit *limit)
{
	struct search search = {
		.hooks = hooks,
		.bytes = bytes,
		.limit = limit,
	};

	/* The files are named with MB or GB where everybody else says M or G.
	 */
	snprintf(search.size, sizeof(search.size), "%sB",
		 fz_size_text(page_bytes).text);
	fz_file_lines(hooks, "/proc/self/mounts", mount_take, &search);
	fz_file_lines(hooks, "/proc/self/cgroup", cgroup_take, &search);
	return search.found;
}
