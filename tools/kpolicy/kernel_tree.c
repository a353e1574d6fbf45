// SPDX-License-Identifier: GPL-2.0-or-later
/* The few files of a kernel's source tree that are read. */
#include "kernel_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kpolicy_texts.h"

/* In the order in which mm/memory.c comes to include them. */
static const char *const headers[] = {
	"include/linux/sizes.h",   "include/linux/range.h",
	"include/linux/mmzone.h",  "include/linux/mm.h",
	"include/linux/huge_mm.h", "include/linux/highmem.h",
	"mm/internal.h",
};

static const char *const code_files[] = { "mm/memory.c", "mm/page_alloc.c" };

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static char *join(const char *root, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", root, name) < 0 ? NULL : path;
}

static struct fz_kernel_source *new_source(struct fz_kernel_tree *tree)
{
	struct fz_kernel_source *sources = realloc(
		tree->sources, (tree->nr_sources + 1) * sizeof(*tree->sources));

	if (!sources)
		return NULL;
	tree->sources = sources;
	return &sources[tree->nr_sources];
}

static int add_file(struct fz_kernel_tree *tree, enum fz_kernel_part part,
		    const char *name, const char *path, struct fz_err *err)
{
	struct fz_kernel_source *source = new_source(tree);

	if (!source)
		return fz_err_set(err, -ENOMEM, "out of memory");
	tree->nr_sources++;
	return fz_kernel_source_read(source, part, name, path, err);
}

/* One that this kernel does not have is left out. */
static int add_own(struct fz_kernel_tree *tree, enum fz_kernel_part part,
		   const char *name, struct fz_err *err)
{
	char *path = join(tree->root, name);
	struct fz_err why = { "" };
	int status;

	if (!path)
		return fz_err_set(err, -ENOMEM, "out of memory");
	status = add_file(tree, part, name, path, &why);
	free(path);
	if (status == -ENOENT) {
		fz_kernel_source_fini(&tree->sources[--tree->nr_sources]);
		return 0;
	}
	return status ? fz_err_set(err, status, "%s", why.msg) : 0;
}

static int add_all(struct fz_kernel_tree *tree, enum fz_kernel_part part,
		   const char *const *names, size_t nr, struct fz_err *err)
{
	int status = 0;

	for (size_t i = 0; i < nr && !status; i++)
		status = add_own(tree, part, names[i], err);
	return status;
}

static int add_text(struct fz_kernel_tree *tree, enum fz_kernel_part part,
		    const char *name, const char *text, struct fz_err *err)
{
	struct fz_kernel_source *source = new_source(tree);
	char *copy = source ? strdup(text) : NULL;

	if (!copy)
		return fz_err_set(err, -ENOMEM, "out of memory");
	tree->nr_sources++;
	return fz_kernel_source_init(source, part, name, copy, strlen(copy))
		       ? fz_err_set(err, -ENOMEM, "out of memory")
		       : 0;
}

static int add_arch(struct fz_kernel_tree *tree,
		    const struct fz_kernel_tree_params *params,
		    struct fz_err *err)
{
	const char *const format[] = {
		"arch/%s/include/asm/page.h",
		params->is_32bit ? "arch/%s/include/asm/page_32.h"
				 : "arch/%s/include/asm/page_64.h",
	};
	char name[256], *path;
	int status = 0;

	snprintf(name, sizeof(name), "arch/%s", params->arch);
	path = join(tree->root, name);
	if (!path)
		return fz_err_set(err, -ENOMEM, "out of memory");
	if (strchr(params->arch, '/') || access(path, F_OK))
		status = fz_err_set(err, -ENOENT, "'%s' has no 'arch/%s'",
				    tree->root, params->arch);
	free(path);
	/* The second is included by the first, before its own words. */
	for (size_t i = NR(format); i-- && !status;) {
		snprintf(name, sizeof(name), format[i], params->arch);
		status = add_own(tree, FZ_KERNEL_ARCH, name, err);
	}
	return status;
}

static bool is_header(const char *name)
{
	const size_t length = strlen(name);

	return length > 2 && strcmp(name + length - 2, ".h") == 0;
}

static bool is_known(const struct fz_kernel_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->nr_sources; i++)
		if (strcmp(tree->sources[i].name, name) == 0)
			return true;
	return false;
}

/* Inside the tree first. */
static int add_also(struct fz_kernel_tree *tree,
		    const struct fz_kernel_tree_params *params,
		    bool headers_now, struct fz_err *err)
{
	int status = 0;

	for (size_t i = 0; i < params->nr_also && !status; i++) {
		const char *name = params->also[i];
		char *path;

		if (is_header(name) != headers_now || is_known(tree, name))
			continue;
		path = join(tree->root, name);
		if (!path)
			return fz_err_set(err, -ENOMEM, "out of memory");
		status = add_file(
			tree, headers_now ? FZ_KERNEL_HEADER : FZ_KERNEL_CODE,
			name, *name == '/' || access(path, F_OK) ? name : path,
			err);
		free(path);
	}
	return status;
}

/* "NAME = VALUE" in a line of its own. */
static bool makefile_value(const char *text, const char *name, char *value,
			   size_t bytes)
{
	const size_t length = strlen(name);

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		const char *at = text + length;

		if (strncmp(text, name, length) != 0)
			continue;
		at += strspn(at, " \t");
		if (*at != '=')
			continue;
		at += 1 + strspn(at + 1, " \t");
		snprintf(value, bytes, "%.*s", (int)strcspn(at, " \t\r\n#"),
			 at);
		return true;
	}
	return false;
}

static bool parse_version(struct fz_kernel_tree *tree, const char *makefile)
{
	char major[8], minor[8], sub[8] = "", extra[32] = "";
	char *end;

	if (!makefile_value(makefile, "VERSION", major, sizeof(major)) ||
	    !makefile_value(makefile, "PATCHLEVEL", minor, sizeof(minor)))
		return false;
	makefile_value(makefile, "SUBLEVEL", sub, sizeof(sub));
	makefile_value(makefile, "EXTRAVERSION", extra, sizeof(extra));
	/* It goes into a C string. */
	if (strpbrk(minor, "\"\\") || strpbrk(sub, "\"\\") ||
	    strpbrk(extra, "\"\\"))
		return false;
	tree->major = (unsigned int)strtoul(major, &end, 10);
	snprintf(tree->version, sizeof(tree->version), "%s.%s%s%s%s", major,
		 minor, *sub && strcmp(sub, "0") != 0 ? "." : "",
		 strcmp(sub, "0") != 0 ? sub : "", extra);
	return end != major && !*end;
}

static int check_tree(struct fz_kernel_tree *tree, struct fz_err *err)
{
	struct fz_kernel_source makefile;
	struct stat status;
	char *path;
	int code;

	if (stat(tree->root, &status))
		return fz_err_set(err, -errno, "cannot read '%s': %s",
				  tree->root, strerror(errno));
	path = join(tree->root, "mm/memory.c");
	code = path ? access(path, F_OK) : -1;
	free(path);
	path = join(tree->root, "Makefile");
	if (!path)
		return fz_err_set(err, -ENOMEM, "out of memory");
	if (!code) {
		code = fz_kernel_source_read(&makefile, FZ_KERNEL_CODE,
					     "Makefile", path, NULL);
		if (!code && !parse_version(tree, makefile.text))
			code = -EINVAL;
		fz_kernel_source_fini(&makefile);
	}
	free(path);
	return code ? fz_err_set(err, -EINVAL,
				 "'%s' is no kernel tree: it wants a Makefile "
				 "with a VERSION, and mm/memory.c",
				 tree->root)
		    : 0;
}

int fz_kernel_tree_open(struct fz_kernel_tree *tree,
			const struct fz_kernel_tree_params *params,
			struct fz_err *err)
{
	int status;

	*tree = (struct fz_kernel_tree){ .root = NULL };
	tree->root = strdup(params->root);
	if (!tree->root)
		return fz_err_set(err, -ENOMEM, "out of memory");
	for (size_t n = strlen(tree->root); n > 1 && tree->root[n - 1] == '/';)
		tree->root[--n] = '\0';
	status = check_tree(tree, err);
	if (!status && params->shim)
		status = add_file(tree, FZ_KERNEL_SHIM, params->shim,
				  params->shim, err);
	if (!status)
		status = add_text(tree, FZ_KERNEL_SHIM, "kpolicy_shim.h",
				  text_kpolicy_shim_h, err);
	if (!status)
		status = add_text(tree, FZ_KERNEL_SPARE, "kpolicy_fallback.h",
				  text_kpolicy_fallback_h, err);
	if (!status)
		status = add_arch(tree, params, err);
	if (!status)
		status = add_all(tree, FZ_KERNEL_HEADER, headers, NR(headers),
				 err);
	if (!status)
		status = add_also(tree, params, true, err);
	if (!status)
		status = add_all(tree, FZ_KERNEL_CODE, code_files,
				 NR(code_files), err);
	if (!status)
		status = add_also(tree, params, false, err);
	return status;
}

void fz_kernel_tree_close(struct fz_kernel_tree *tree)
{
	for (size_t i = 0; i < tree->nr_sources; i++)
		fz_kernel_source_fini(&tree->sources[i]);
	free(tree->sources);
	free(tree->root);
}
