/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that are run. */
#ifndef FZ_CHILD_H
#define FZ_CHILD_H

#include <sys/types.h>

/**
 * struct fz_child - a program to run
 * @argv: NULL-terminated; found by PATH
 * @fds: [3] what its standard streams are; -1 = as ours
 */
struct fz_child {
	const char *const *argv;
	int fds[3];
};

#define FZ_CHILD_AS_OURS   \
	{                  \
		-1, -1, -1 \
	}

/* Can a program be run that is named so? 0; -errno: it will not be. */
int fz_child_check(const char *word);

/* What fz_child_wait() gives for a program that is not there. */
#define FZ_CHILD_NOT_FOUND 127

/* Its process, or -errno. */
pid_t fz_child_start(const struct fz_child *child);

/*
 * Until it ends; meanwhile a signal that would end us is handed on to it.
 * Return: its exit status, 128 and the number of a signal that ended it, or
 * -errno.
 */
int fz_child_wait(pid_t pid);

/* Start and wait. */
int fz_child_run(const struct fz_child *child);

#endif
