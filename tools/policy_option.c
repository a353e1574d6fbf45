// SPDX-License-Identifier: GPL-2.0-or-later
/* Policies of a command line: built-in ones by name, others by their file. */
#include "policy_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/policies.h>
#include <fz/policy_object.h>

#include "names.h"
#include "stop_signal.h"

/* The next place, still empty. */
static bool make_room(struct fz_policy_list *list)
{
	if (list->nr < FZ_LIST_MAX)
		return true;
	fz_complain("--policy: more than %d policies", FZ_LIST_MAX);
	return false;
}

static bool add_built_in(struct fz_policy_list *list,
			 const struct fz_policy *policy)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->policy[i] != policy)
			continue;
		fz_complain("--policy: '%s' is given twice", policy->name);
		return false;
	}
	if (!make_room(list))
		return false;
	list->policy[list->nr++] = policy;
	return true;
}

static bool add_all(struct fz_policy_list *list)
{
	for (size_t i = 0; fz_policies[i]; i++)
		if (!add_built_in(list, fz_policies[i]))
			return false;
	return true;
}

static bool add_path(struct fz_policy_list *list, const char *path)
{
	char *copy;

	if (!make_room(list))
		return false;
	copy = strdup(path);
	if (copy)
		list->file[list->nr++].path = copy;
	else
		fz_complain("--policy: no memory");
	return copy;
}

/* Nothing is searched for, so a file is told from a name by a slash. */
static bool looks_like_file(const char *word)
{
	const char *dot = strrchr(word, '.');

	return dot && strcmp(dot, ".so") == 0;
}

bool fz_policy_list_add(struct fz_policy_list *list, const char *word)
{
	size_t i;

	if (strchr(word, '/'))
		return add_path(list, word);
	if (looks_like_file(word)) {
		fz_complain("unknown policy '%.100s': for a file write "
			    "./%.100s",
			    word, word);
		return false;
	}
	return fz_option_index("policy", word, fz_policy_name_at, &i) &&
	       add_built_in(list, fz_policies[i]);
}

bool fz_policy_list_parse(struct fz_policy_list *list, const char *value)
{
	struct fz_list words;
	bool ok = true;

	fz_policy_list_fini(list);
	if (!fz_list_parse(&words, "--policy", value))
		return false;
	for (size_t i = 0; i < words.nr && ok; i++)
		ok = strcmp(words.words[i], "all") == 0
			     ? add_all(list)
			     : fz_policy_list_add(list, words.words[i]);
	fz_list_fini(&words);
	return ok;
}

/* Lists and tables of commands have them. */
static bool is_reserved(const char *name)
{
	static const char *const words[] = { "all", "auto", "default", "kernel",
					     "none" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return false;
}

/* Rows, and what ratios compare with, are known by the name. */
static bool name_is_free(const struct fz_policy_list *list, size_t at)
{
	const char *name = list->policy[at]->name;
	const char *whose = fz_policy_find(name) ? "a built-in policy"
			    : is_reserved(name)  ? "something else"
						 : NULL;

	for (size_t i = 0; i < at && !whose; i++)
		if (list->file[i].path &&
		    strcmp(list->policy[i]->name, name) == 0)
			whose = list->file[i].path;
	if (!whose)
		return true;
	fz_complain("policy '%s' of %s has the name of %s: give it another "
		    "name",
		    name, list->file[at].path, whose);
	return false;
}

/* A file's sum is that of what is loaded only if it stays as it is. */
static int open_file(struct fz_policy_file *file, bool verify)
{
	const int unread = fz_file_sum_read(&file->sum, file->path);
	struct fz_err err = { "" };

	if (unread == -EFBIG) {
		fz_complain("'%s' is no policy: it is larger than %lld MiB",
			    file->path, FZ_FILE_SUM_MAX_BYTES >> 20);
		return FZ_EXIT_FAILED;
	}
	/* It says why, if it could not be read. */
	if (fz_policy_object_open(&file->object, file->path, verify, NULL,
				  fz_stop_signal(), &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	if (!unread && fz_file_sum_holds(&file->sum, file->path))
		return FZ_EXIT_DONE;
	fz_complain("'%s' changed while it was loaded: start again",
		    file->path);
	return FZ_EXIT_FAILED;
}

static int load(struct fz_policy_list *list, size_t at, bool verify)
{
	struct fz_policy_file *file = &list->file[at];
	const int status = open_file(file, verify);

	if (status)
		return status;
	list->policy[at] = fz_policy_object_policy(file->object);
	return name_is_free(list, at) ? FZ_EXIT_DONE : FZ_EXIT_FAILED;
}

int fz_policy_list_load(struct fz_policy_list *list, bool verify)
{
	int status = FZ_EXIT_DONE;

	for (size_t i = 0; i < list->nr && !status; i++)
		if (list->file[i].path)
			status = load(list, i, verify);
	return status;
}

void fz_policy_list_fini(struct fz_policy_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		fz_policy_object_close(list->file[i].object);
		free(list->file[i].path);
	}
	*list = (struct fz_policy_list){ .nr = 0 };
}

const struct fz_policy *const *
fz_policy_list_all(const struct fz_policy_list *list)
{
	return list->nr ? list->policy : fz_policies;
}

/* By whatever path. */
static bool is_file(const struct fz_policy_file *file, const char *word)
{
	return file->path && strchr(word, '/') &&
	       fz_file_sum_is_at(&file->sum, word);
}

const struct fz_policy *fz_policy_list_find(const struct fz_policy_list *list,
					    const char *word)
{
	const struct fz_policy *const *all = fz_policy_list_all(list);

	for (size_t i = 0; all[i]; i++)
		if (strcmp(all[i]->name, word) == 0 ||
		    (list->nr && is_file(&list->file[i], word)))
			return all[i];
	return NULL;
}

void fz_policy_list_complain_unknown(const struct fz_policy_list *list,
				     const char *word)
{
	char *known = NULL;
	size_t bytes;
	FILE *out = open_memstream(&known, &bytes);

	for (size_t i = 0; out && fz_policies[i]; i++)
		fprintf(out, "%s%s", i ? ", " : "", fz_policies[i]->name);
	for (size_t i = 0; out && i < list->nr; i++)
		if (list->file[i].path)
			fprintf(out, ", %s", list->policy[i]->name);
	if (out)
		fclose(out);
	fz_complain_known("policy", word, known);
	free(known);
}
