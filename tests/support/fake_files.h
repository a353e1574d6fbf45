/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks that read files from a table of the test instead of a tree on disk. */
#ifndef FAKE_FILES_H
#define FAKE_FILES_H

#include <errno.h>
#include <string.h>

#include <fz/hooks.h>

/* A table ends with a NULL path. */
struct fake_file {
	const char *path;
	const char *text;
};

static inline ssize_t fake_read_file(void *state, const char *root,
				     const char *path, uint64_t offset,
				     void *buf, size_t cap)
{
	(void)root;
	for (const struct fake_file *file = state; file->path; file++) {
		size_t bytes = strlen(file->text);

		if (strcmp(file->path, path) != 0)
			continue;
		if (offset > bytes)
			offset = bytes;
		bytes -= offset;
		if (bytes > cap - 1)
			bytes = cap - 1;
		memcpy(buf, file->text + offset, bytes);
		((char *)buf)[bytes] = '\0';
		return (ssize_t)bytes;
	}
	return -ENOENT;
}

static inline int fake_list_nothing(void *state, const char *root,
				    const char *path,
				    void (*name)(void *arg, const char *entry),
				    void *arg)
{
	(void)state;
	(void)root;
	(void)path;
	(void)name;
	(void)arg;
	return -ENOENT;
}

static inline struct fz_hooks fake_files_hooks(const struct fake_file *files)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = (void *)(uintptr_t)files;
	hooks.root = "/nowhere";
	hooks.read_file = fake_read_file;
	hooks.list_dir = fake_list_nothing;
	return hooks;
}

/* The saved tree of that name below tests/sysroot. */
#define SAVED_TREE(name) (FZ_TEST_DIR "/sysroot/" name)

static inline struct fz_hooks saved_tree_hooks(const char *root)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.root = root;
	return hooks;
}

#endif
