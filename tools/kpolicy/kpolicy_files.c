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
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fz/policies.h>
#include <fz/policy_object.h>

#include "kpolicy_code.h"
#include "stop_signal.h"
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
				strchr(output, '/') && *output != '-' ? ""
								      : "./",
				output) < 0
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

/* A shared object that brings a policy: its symbol's name is in it. */
static bool is_object(const char *bytes, size_t nr)
{
	static const char magic[] = "\177ELF", symbol[] = "\0fz_policy";

	return nr > sizeof(magic) && memcmp(bytes, magic, 4) == 0 &&
	       memmem(bytes, nr, symbol, sizeof(symbol));
}

static bool is_source(const char *bytes, size_t nr)
{
	return nr > strlen(FZ_KPOLICY_MARK) &&
	       memcmp(bytes, FZ_KPOLICY_MARK, strlen(FZ_KPOLICY_MARK)) == 0;
}

/* One that is empty may become anything. */
static int check_content(int fd, size_t nr,
			 bool (*is_ours)(const char *bytes, size_t nr),
			 const char *path, struct fz_err *err)
{
	char *bytes;
	bool ours;

	if (!nr)
		return 0;
	bytes = mmap(NULL, nr, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return fz_err_set(err, -errno, "cannot read '%s': %s", path,
				  strerror(errno));
	ours = is_ours(bytes, nr);
	munmap(bytes, nr);
	return ours ? 0
		    : fz_err_set(err, -EEXIST,
				 "'%s' is there, and not of kpolicy: name "
				 "another file by -o",
				 path);
}

/* What is replaced is nothing, or an earlier run's. */
static int check_old(const char *path,
		     bool (*is_ours)(const char *bytes, size_t nr),
		     struct fz_err *err)
{
	struct stat status;
	int code, fd;

	if (lstat(path, &status))
		return errno == ENOENT ? 0
				       : fz_err_set(err, -errno,
						    "cannot write '%s': %s",
						    path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return fz_err_set(err, -EEXIST,
				  "cannot write '%s': it is there, and is no "
				  "regular file",
				  path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return fz_err_set(err, -errno, "cannot read '%s': %s", path,
				  strerror(errno));
	code = check_content(fd, (size_t)status.st_size, is_ours, path, err);
	close(fd);
	return code;
}

static int check_object_name(const char *object, struct fz_err *err)
{
	const size_t length = strlen(object);

	if (object[length - 1] == '/')
		return fz_err_set(err, -EISDIR,
				  "cannot write '%s': it is a folder", object);
	if (length > 2 && strcmp(object + length - 2, ".c") == 0)
		return fz_err_set(err, -EINVAL,
				  "'%s' is the name of a C file: name the "
				  "shared object by -o, as in mine.so",
				  object);
	return 0;
}

static bool set_names(struct fz_kpolicy_files *files)
{
	const size_t stem = stem_length(files->object);
	const int pid = (int)getpid();

	files->name = name_of(files->object, stem);
	if (asprintf(&files->source, "%.*s.c", (int)stem, files->object) < 0)
		files->source = NULL;
	if (asprintf(&files->new_object, "%s.%d", files->object, pid) < 0)
		files->new_object = NULL;
	if (asprintf(&files->new_source, "%.*s.%d.c", (int)stem, files->object,
		     pid) < 0)
		files->new_source = NULL;
	return files->name && files->source && files->new_object &&
	       files->new_source;
}

int fz_kpolicy_files_init(struct fz_kpolicy_files *files, const char *output,
			  const char *function, const char *root,
			  struct fz_err *err)
{
	int code;

	*files = (struct fz_kpolicy_files){ .object = object_of(output,
								function) };
	if (!files->object)
		return fz_err_set(err, -ENOMEM, "out of memory");
	code = check_object_name(files->object, err);
	if (!code && !set_names(files))
		code = fz_err_set(err, -ENOMEM, "out of memory");
	if (!code)
		code = check_place(files->object, root, err);
	if (!code)
		code = check_old(files->object, is_object, err);
	if (!code)
		code = check_old(files->source, is_source, err);
	return code;
}

static void drop(char *path)
{
	if (path)
		unlink(path);
	free(path);
}

void fz_kpolicy_files_fini(struct fz_kpolicy_files *files)
{
	drop(files->new_object);
	drop(files->new_source);
	free(files->object);
	free(files->source);
	free(files->name);
}

/* The name of a run is its own: what is there is left from one that died. */
int fz_kpolicy_files_write(const struct fz_kpolicy_files *files,
			   const char *text, size_t bytes, struct fz_err *err)
{
	int code, fd;

	unlink(files->new_source);
	unlink(files->new_object);
	fd = open(files->new_source,
		  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	code = fd < 0 ? -errno : fz_write_fd(fd, text, bytes);
	if (fd >= 0 && close(fd) && !code)
		code = -errno;
	return code ? fz_err_set(err, code, "cannot write '%s': %s",
				 files->source, strerror(-code))
		    : 0;
}

/* A compiler may have options that make something else, or nothing. */
static int check_loads(const struct fz_kpolicy_files *files, struct fz_err *err)
{
	struct fz_policy_object *object;
	struct fz_err why = { "" };
	const int code =
		fz_policy_object_open(&object, files->new_object, false, NULL,
				      fz_stop_signal(), &why);
	const char *path = strstr(why.msg, files->new_object);

	if (!code) {
		fz_policy_object_close(object);
		return 0;
	}
	if (!path)
		return fz_err_set(err, code, "%s", why.msg);
	return fz_err_set(err, code, "%.*s%s%s", (int)(path - why.msg), why.msg,
			  files->object, path + strlen(files->new_object));
}

int fz_kpolicy_files_commit(const struct fz_kpolicy_files *files,
			    struct fz_err *err)
{
	const int code = check_loads(files, err);

	if (code)
		return code;
	if (rename(files->new_source, files->source))
		return fz_err_set(err, -errno, "cannot write '%s': %s",
				  files->source, strerror(errno));
	if (rename(files->new_object, files->object))
		return fz_err_set(err, -errno, "cannot write '%s': %s",
				  files->object, strerror(errno));
	return 0;
}
