// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes from a process what a policy does not need. Nothing here is the only
 * guard: whatever passes, what the process sends is verified.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "call_filter.h"
#include "object_wire.h"

/* A recursion without end should end soon where the stack has no limit. */
#define STACK_BYTES (8u << 20)

#define MAX_FILES 16

/* What this program may have mapped, where the kernel does not say. */
#define ASSUMED_BYTES (1ull << 30)

static void default_signals(void)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void refuse(int wire, int error)
{
	struct fz_wire_reply reply = { .magic = FZ_WIRE_MAGIC,
				       .kind = FZ_WIRE_NOTHING,
				       .code = -EINVAL };

	snprintf(reply.text, sizeof(reply.text),
		 "cannot be loaded: no descriptor for its process: %s",
		 strerror(error));
	_exit(write(wire, &reply, sizeof(reply)) != sizeof(reply));
}

/* In an order that needs no descriptor beyond those that it leaves. */
static void keep_only(int wire)
{
	if (dup2(wire, FZ_WIRE_FD) < 0)
		refuse(wire, errno);
	closefrom(FZ_WIRE_FD + 1);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	/* The lowest that is free: all three are the same file. */
	if (open("/dev/null", O_RDWR) == STDIN_FILENO) {
		dup2(STDIN_FILENO, STDOUT_FILENO);
		dup2(STDIN_FILENO, STDERR_FILENO);
	}
}

void fz_confine_alone(pid_t parent, int wire)
{
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* Its crash is told in a sentence; a core would be ours. */
	prctl(PR_SET_DUMPABLE, 0);
	default_signals();
	keep_only(wire);
}

/* Bytes of address space in use. */
static uint64_t mapped_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!file)
		return ASSUMED_BYTES;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : ASSUMED_BYTES;
}

static void limit(int resource, uint64_t most)
{
	struct rlimit old;

	if (getrlimit((__rlimit_resource_t)resource, &old))
		return;
	if (most > old.rlim_max)
		most = old.rlim_max;
	setrlimit((__rlimit_resource_t)resource,
		  &(struct rlimit){ .rlim_cur = most, .rlim_max = most });
}

void fz_confine_limits(uint64_t memory_bytes)
{
	const uint64_t mapped = mapped_bytes();

	if (memory_bytes && memory_bytes < UINT64_MAX - mapped)
		limit(RLIMIT_AS, mapped + memory_bytes);
	limit(RLIMIT_STACK, STACK_BYTES);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_NOFILE, MAX_FILES);
	fz_call_filter_load();
}

void fz_confine_planning(void)
{
	for (int fd = FZ_WIRE_FD + 1; fd < MAX_FILES; fd++)
		close(fd);
	fz_call_filter_plan();
}
