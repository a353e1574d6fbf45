// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a policy that was made comes to stand. */
#include "kpolicy_files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fz/policies.h>

#include "kpolicy_code.h"
#include "view.h"

static const char suffix[] = ".so";

/* What a policy may be called: small letters, digits and '-', at most 64. */
static char *name_of(const char *object, size_t stem_length)
{
	const char *base = strrchr(object, '/') + 1;
	const size_t length = stem_length - (size_t)(base - object);
	char *name = strndup(base, length);
	char *to = name, *own;

	if (!name)
		return NULL;
	for (const char *at = name; *at; at++) {
		if (isalnum((unsigned char)*at))
			*to++ = (char)tolower((unsigned char)*at);
		else if (to > name && to[-1] != '-')
			*to++ = '-';
	}
	while (to > name && to[-1] == '-')
		to--;
	*to = '\0';
	/* The names of the built-in ones are taken. */
	if (asprintf(&own, "%.58s%s%s", name, *name ? "" : "kernel",
		     fz_policy_find(name) ? "-tree" : "") < 0)
		own = NULL;
	free(name);
	return own;
}

static char *object_of(const char *output, const char *function)
{
	char *object;

	if (output)
		return asprintf(&object, "%s%s",
				strchr(output, '/') ? "" : "./", output) < 0
			       ? NULL
			       : object;
	if (asprintf(&object, "./%s%s", function, suffix) < 0)
		return NULL;
	for (char *at = object; *at; at++)
		if (*at == '_')
			*at = '-';
	return object;
}

static size_t stem_length(const char *object)
{
	const size_t length = strlen(object), end = strlen(suffix);

	if (length > end && strcmp(object + length - end, suffix) == 0)
		return length - end;
	return length;
}

/* The tree stays as it is. */
static int check_place(const char *object, const char *root, struct fz_err *err)
{
	const size_t length = (size_t)(strrchr(object, '/') + 1 - object);
	char *folder = strndup(object, length);
	char *place = folder ? realpath(folder, NULL) : NULL;
	const int error = errno;
	char *tree = realpath(root, NULL);
	int code = 0;

	if (!place)
		code = fz_err_set(err, -error, "cannot write '%s': %s", object,
				  strerror(error));
	else if (tree && strncmp(place, tree, strlen(tree)) == 0 &&
		 strchr("/", place[strlen(tree)]))
		code = fz_err_set(err, -EINVAL,
				  "'%s' would be inside the tree: name a file "
				  "outside of it by -o",
				  object);
	free(folder);
	free(place);
	free(tree);
	return code;
}

int fz_kpolicy_files_init(struct fz_kpolicy_files *files, const char *output,
			  const char *function, const char *root,
			  struct fz_err *err)
{
	size_t stem;

	*files = (struct fz_kpolicy_files){ .object = object_of(output,
								function) };
	if (!files->object)
		return fz_err_set(err, -ENOMEM, "out of memory");
	if (files->object[strlen(files->object) - 1] == '/')
		return fz_err_set(err, -EISDIR,
				  "cannot write '%s': it is a "
				  "folder",
				  files->object);
	stem = stem_length(files->object);
	files->name = name_of(files->object, stem);
	if (asprintf(&files->source, "%.*s.c", (int)stem, files->object) < 0)
		files->source = NULL;
	if (asprintf(&files->temporary, "%s.%d", files->object, (int)getpid()) <
	    0)
		files->temporary = NULL;
	if (!files->name || !files->source || !files->temporary)
		return fz_err_set(err, -ENOMEM, "out of memory");
	return check_place(files->object, root, err);
}

void fz_kpolicy_files_fini(struct fz_kpolicy_files *files)
{
	if (files->temporary)
		unlink(files->temporary);
	free(files->object);
	free(files->source);
	free(files->temporary);
	free(files->name);
}

/* Is it no file yet, or one of ours? */
static bool may_overwrite(const char *path)
{
	FILE *in = fopen(path, "re");
	char begin[sizeof(FZ_KPOLICY_MARK)] = "";
	bool ours;

	if (!in)
		return errno == ENOENT || errno == EACCES;
	ours = !fgets(begin, sizeof(begin), in) ||
	       strcmp(begin, FZ_KPOLICY_MARK) == 0;
	fclose(in);
	return ours;
}

int fz_kpolicy_files_write(const struct fz_kpolicy_files *files,
			   const char *text, size_t bytes, struct fz_err *err)
{
	int code, fd;

	if (!may_overwrite(files->source))
		return fz_err_set(err, -EEXIST,
				  "'%s' is there, and not of kpolicy: name "
				  "another file by -o",
				  files->source);
	fd = open(files->source, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		  0666);
	code = fd < 0 ? -errno : fz_write_fd(fd, text, bytes);
	if (fd >= 0 && close(fd) && !code)
		code = -errno;
	return code ? fz_err_set(err, code, "cannot write '%s': %s",
				 files->source, strerror(-code))
		    : 0;
}

int fz_kpolicy_files_commit(const struct fz_kpolicy_files *files,
			    struct fz_err *err)
{
	if (rename(files->temporary, files->object))
		return fz_err_set(err, -errno, "cannot write '%s': %s",
				  files->object, strerror(errno));
	return 0;
}
