// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes from a process what a policy does not need. Nothing here is the only
 * guard: whatever passes, what the process sends is verified.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "object_wire.h"

/* A recursion without end should end soon where the stack has no limit. */
#define STACK_BYTES (8u << 20)

#define MAX_FILES 16

static void default_signals(void)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void keep_only(int wire)
{
	/* Out of the way of the numbers below. */
	const int high = fcntl(wire, F_DUPFD, FZ_WIRE_FD + 1);
	const int null = open("/dev/null", O_RDWR);

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (high < 0 || dup2(high, FZ_WIRE_FD) < 0)
		_exit(1);
	closefrom(FZ_WIRE_FD + 1);
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

/* Bytes of address space in use; 0 if the kernel does not say. */
static uint64_t mapped_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
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

/* An async-signal handler. It may be what a policy did in its own way. */
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
static const char *const allowed[] = {
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
		 struct scmp_arg_cmp condition)
{
	const int call = seccomp_syscall_resolve_name(name);

	/* A call that this machine does not have is none to allow. */
	return call < 0 ? 0
			: seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, nr,
					   condition);
}

static int allow_all(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp nothing = { .arg = 0 };
	const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
	int code = 0;

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		code = code ? code : allow(filter, allowed[i], 0, nothing);
	code = code ? code
		    : allow(filter, "open", 1,
			    SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
	code = code ? code
		    : allow(filter, "openat", 1,
			    SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
	/* isatty() of /dev/null; reading a limit; abort(). */
	code = code ? code
		    : allow(filter, "ioctl", 1, SCMP_A1(SCMP_CMP_EQ, TCGETS));
	code = code ? code
		    : allow(filter, "prlimit64", 1, SCMP_A2(SCMP_CMP_EQ, 0));
	return code ? code
		    : allow(filter, "tgkill", 1,
			    SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

static void filter_calls(void)
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

void fz_confine_limits(uint64_t memory_bytes)
{
	const uint64_t mapped = mapped_bytes();

	if (memory_bytes && mapped && memory_bytes < UINT64_MAX - mapped)
		limit(RLIMIT_AS, mapped + memory_bytes);
	limit(RLIMIT_STACK, STACK_BYTES);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_NOFILE, MAX_FILES);
	filter_calls();
}
