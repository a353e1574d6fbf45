// SPDX-License-Identifier: GPL-2.0-or-later
/* The system calls that a policy object's process may make. */
#include "call_filter.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

/* Names, as older kernels and other machines lack some. */
struct rule {
	const char *name;
	unsigned int nr; /* of `only`: 0 or 1 */
	struct scmp_arg_cmp only;
};

/* What malloc(), stdio, a sanitizer's run time and the wire need. */
static const char *const always[] = {
	"read",
	"write",
	"readv",
	"writev",
	"lseek",
	"close",
	"fstat",
	"munmap",
	"mremap",
	"mprotect",
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

/* What the dynamic loader needs besides. */
static const char *const loading[] = {
	"pread64",   "newfstatat", "stat",     "lstat",      "statx",  "access",
	"faccessat", "faccessat2", "readlink", "readlinkat", "getcwd",
};

#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC)

static const struct rule loading_some[] = {
	{ "open", 1, SCMP_A1(SCMP_CMP_MASKED_EQ, WRITING, O_RDONLY) },
	{ "openat", 1, SCMP_A2(SCMP_CMP_MASKED_EQ, WRITING, O_RDONLY) },
	/* The filter of planning. */
	{ "seccomp", 1, SCMP_A0(SCMP_CMP_EQ, SECCOMP_SET_MODE_FILTER, 0) },
};

/*
 * No pages of the pool, which may be under measurement, and none of the advice
 * by which root takes pages out of use.
 */
static const struct rule always_some[] = {
	{ "newfstatat", 1, SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH, 0) },
	{ "statx", 1,
	  SCMP_A2(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH) },
	{ "mmap", 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_HUGETLB, 0) },
	{ "madvise", 1, SCMP_A2(SCMP_CMP_EQ, MADV_DONTNEED, 0) },
	{ "madvise", 1, SCMP_A2(SCMP_CMP_EQ, MADV_FREE, 0) },
	{ "madvise", 1, SCMP_A2(SCMP_CMP_EQ, MADV_HUGEPAGE, 0) },
	{ "madvise", 1, SCMP_A2(SCMP_CMP_EQ, MADV_NOHUGEPAGE, 0) },
	{ "madvise", 1, SCMP_A2(SCMP_CMP_EQ, MADV_DONTDUMP, 0) },
	{ "ioctl", 1, SCMP_A1(SCMP_CMP_EQ, TCGETS, 0) }, /* isatty() */
	{ "prlimit64", 1, SCMP_A2(SCMP_CMP_EQ, 0, 0) },  /* getrlimit() */
};

static int allow(scmp_filter_ctx filter, struct rule rule)
{
	const int call = seccomp_syscall_resolve_name(rule.name);

	/* A call that this machine does not have is none to allow. */
	return call < 0 ? 0
			: seccomp_rule_add(filter, SCMP_ACT_ALLOW, call,
					   rule.nr, rule.only);
}

static int allow_names(scmp_filter_ctx filter, const char *const *names,
		       size_t nr)
{
	int code = 0;

	for (size_t i = 0; !code && i < nr; i++)
		code = allow(filter, (struct rule){ .name = names[i] });
	return code;
}

static int allow_rules(scmp_filter_ctx filter, const struct rule *rules,
		       size_t nr)
{
	int code = 0;

	for (size_t i = 0; !code && i < nr; i++)
		code = allow(filter, rules[i]);
	return code;
}

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static int allow_always(scmp_filter_ctx filter)
{
	const struct rule abort_rule = {
		"tgkill", 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0)
	};
	int code = allow_names(filter, always, LENGTH(always));

	if (!code)
		code = allow_rules(filter, always_some, LENGTH(always_some));
	return code ? code : allow(filter, abort_rule);
}

/* A call that has a rule above with a condition is allowed without as well. */
static int allow_loading(scmp_filter_ctx filter)
{
	const int code = allow_names(filter, loading, LENGTH(loading));

	return code ? code
		    : allow_rules(filter, loading_some, LENGTH(loading_some));
}

/* A kernel or a container without filters: go on without. */
static void load(bool loads)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
	int code;

	if (!filter)
		return;
	code = allow_always(filter);
	if (!code && loads)
		code = allow_loading(filter);
	/* The first filter has set it. */
	if (!code && !loads)
		code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);
	if (!code)
		(void)seccomp_load(filter);
	seccomp_release(filter);
}

void fz_call_filter_load(void)
{
	const struct sigaction action = { .sa_sigaction = tell_call,
					  .sa_flags = SA_SIGINFO };

	sigaction(SIGSYS, &action, NULL);
	load(true);
}

void fz_call_filter_plan(void)
{
	load(false);
}
