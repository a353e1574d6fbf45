// SPDX-License-Identifier: GPL-2.0-or-later
/* The system calls that a policy object's process may make. */
#include "call_filter.h"

#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "object_wire.h"

/* Only the message depends on it: a policy can raise the signal itself. */
static void tell_call(int number, siginfo_t *info, void *context)
{
	const struct fz_wire_reply reply = {
		.magic = FZ_WIRE_MAGIC,
		.kind = FZ_WIRE_CALL,
		.number = (uint64_t)info->si_syscall,
	};

	(void)number;
	(void)context;
	fz_wire_write(&reply, sizeof(reply));
	_exit(1);
}

/*
 * What the dynamic loader, malloc(), stdio on /dev/null, a sanitizer's run time
 * and the wire need. Names, as older kernels and other machines lack some.
 */
static const char *const always[] = {
	"read",
	"write",
	"readv",
	"writev",
	"pread64",
	"lseek",
	"close",
	"fstat",
	"newfstatat",
	"stat",
	"lstat",
	"statx",
	"access",
	"faccessat",
	"faccessat2",
	"readlink",
	"readlinkat",
	"getcwd",
	"mmap",
	"munmap",
	"mremap",
	"mprotect",
	"madvise",
	"brk",
	"futex",
	"membarrier",
	"rseq",
	"rt_sigaction",
	"rt_sigprocmask",
	"rt_sigreturn",
	"sigaltstack",
	"restart_syscall",
	"arch_prctl",
	"getpid",
	"gettid",
	"getppid",
	"getuid",
	"geteuid",
	"getgid",
	"getegid",
	"clock_gettime",
	"clock_getres",
	"gettimeofday",
	"time",
	"nanosleep",
	"clock_nanosleep",
	"sched_yield",
	"sched_getaffinity",
	"getrandom",
	"uname",
	"sysinfo",
	"getrusage",
	"getrlimit",
	"getcpu",
	"exit",
	"exit_group",
	"set_robust_list",
};

static int allow(scmp_filter_ctx filter, const char *name, unsigned int nr,
		 struct scmp_arg_cmp only)
{
	const int call = seccomp_syscall_resolve_name(name);

	/* A call that this machine does not have is none to allow. */
	return call < 0 ? 0
			: seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, nr,
					   only);
}

static int allow_all(scmp_filter_ctx filter)
{
	const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
	const scmp_datum_t self = (scmp_datum_t)getpid();
	const struct {
		const char *name;
		struct scmp_arg_cmp only;
	} some[] = {
		{ "open", SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY) },
		{ "openat", SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY) },
		{ "ioctl", SCMP_A1(SCMP_CMP_EQ, TCGETS, 0) }, /* isatty() */
		{ "prlimit64", SCMP_A2(SCMP_CMP_EQ, 0, 0) },  /* getrlimit() */
		{ "tgkill", SCMP_A0(SCMP_CMP_EQ, self, 0) },  /* abort() */
	};
	int code = 0;

	for (size_t i = 0; !code && i < sizeof(always) / sizeof(always[0]); i++)
		code = allow(filter, always[i], 0, some[0].only);
	for (size_t i = 0; !code && i < sizeof(some) / sizeof(some[0]); i++)
		code = allow(filter, some[i].name, 1, some[i].only);
	return code;
}

void fz_call_filter_load(void)
{
	const struct sigaction action = { .sa_sigaction = tell_call,
					  .sa_flags = SA_SIGINFO };
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);

	if (!filter)
		return;
	sigaction(SIGSYS, &action, NULL);
	/* A kernel or a container without filters: go on without. */
	if (allow_all(filter) == 0)
		(void)seccomp_load(filter);
	seccomp_release(filter);
}
