/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies of a command line: built-in ones by name, others by their file. */
#ifndef FZ_POLICY_OPTION_H
#define FZ_POLICY_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/policy.h>

#include "file_sum.h"
#include "options.h"

struct fz_policy_object;

/**
 * struct fz_policy_file - where a policy is from
 * @path: as it was given; NULL = it is built in; owned
 * @object: once it is loaded; owned
 * @sum: its size and its checksum, which tell a file that was compiled again
 *	from the one that was measured
 */
struct fz_policy_file {
	char *path;
	struct fz_policy_object *object;
	struct fz_file_sum sum;
};

/**
 * struct fz_policy_list - policies in the order given; zero it at the start
 * @policy: [nr], then NULL; those of files are there once they are loaded
 * @file: [nr]
 * @nr: their number
 */
struct fz_policy_list {
	const struct fz_policy *policy[FZ_LIST_MAX + 1];
	struct fz_policy_file file[FZ_LIST_MAX];
	size_t nr;
};

/* Append the policy of a word: with a '/' it is a path. Complains. */
bool fz_policy_list_add(struct fz_policy_list *list, const char *word);

/* Instead of what is in it, a comma-separated list; "all" is all that are built
 * in. Complains. */
bool fz_policy_list_parse(struct fz_policy_list *list, const char *value);

/*
 * Load what is in files, once all options are known and before memory is
 * mapped. Unless `verify`, plans may be wrong: see fz_policy_object_open().
 * Return: FZ_EXIT_DONE, or FZ_EXIT_FAILED after a complaint.
 */
int fz_policy_list_load(struct fz_policy_list *list, bool verify);

void fz_policy_list_fini(struct fz_policy_list *list);

/* The policies, NULL behind the last: of the list, or if it is empty all that
 * are built in. */
const struct fz_policy *const *
fz_policy_list_all(const struct fz_policy_list *list);

/* One of these by its name, or by a path of its file; NULL = none. */
const struct fz_policy *fz_policy_list_find(const struct fz_policy_list *list,
					    const char *word);

/* Complain about a name that is none, and list the known ones. */
void fz_policy_list_complain_unknown(const struct fz_policy_list *list,
				     const char *word);

#endif
