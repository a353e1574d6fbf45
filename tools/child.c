// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs programs. */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stop_signal.h"

/* How soon a signal is handed on, and how many looks later again: perf does
 * not see one that comes just before it begins to wait. */
#define LOOK_NS     20000000
#define LOOKS_AGAIN 10u

static int check_file(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	return access(path, X_OK) ? -errno : 0;
}

/* In the first folder of PATH that has it. */
int fz_child_check(const char *word)
{
	const char *folder = getenv("PATH");
	int code = -ENOENT;

	if (!*word || strchr(word, '/'))
		return check_file(word);
	if (!folder)
		folder = "/bin:/usr/bin"; /* execvp()'s */
	for (bool more = true; more && code;) {
		const size_t bytes = strcspn(folder, ":");
		char *path = NULL;
		int found = -ENOMEM;

		if (asprintf(&path, "%.*s/%s", bytes ? (int)bytes : 1,
			     bytes ? folder : ".", word) >= 0) {
			found = check_file(path);
			free(path);
		}
		/* One that may not be run is told of if there is no other. */
		if (!found || found != -ENOENT)
			code = found;
		more = folder[bytes] == ':';
		folder += bytes + more;
	}
	return code;
}

static void become(const struct fz_child *child)
{
	for (int fd = 0; fd < 3; fd++)
		if (child->fds[fd] >= 0)
			dup2(child->fds[fd], fd);
	/* Ignored by us, not by it. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	/* It takes what is not const, but changes nothing. */
	execvp(child->argv[0], (char *const *)child->argv);
	_exit(FZ_CHILD_NOT_FOUND);
}

pid_t fz_child_start(const struct fz_child *child)
{
	const pid_t pid = fork();

	if (pid == 0)
		become(child);
	return pid < 0 ? -errno : pid;
}

int fz_child_wait(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	const atomic_int *stop = fz_stop_signal_catch();
	unsigned int looks = 0;
	int status;

	for (;;) {
		const pid_t ended = waitpid(pid, &status, WNOHANG);

		if (ended == pid)
			break;
		if (ended < 0 && errno != EINTR)
			return -errno;
		if (*stop && looks++ % LOOKS_AGAIN == 0)
			kill(pid, *stop);
		nanosleep(&pause, NULL);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int fz_child_run(const struct fz_child *child)
{
	const pid_t pid = fz_child_start(child);

	return pid < 0 ? (int)pid : fz_child_wait(pid);
}
