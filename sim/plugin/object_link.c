// SPDX-License-Identifier: GPL-2.0-or-later
/* The process of a policy object, seen from the one that uses it. */
#include "object_link.h"

#include <errno.h>
#include <inttypes.h>
#include <seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fz/round.h>

#include "confine.h"
#include "object_child.h"
#include "stop_flag.h"

/* How often the time that it has used is looked at. */
#define LOOK_US 20000

#define NS_PER_MS 1000000u
#define NS_PER_S  1000000000u

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now))
		return 0;
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* CPU time of the process; a zombie still tells it. */
static uint64_t cpu_ns(const struct fz_object_link *link)
{
	clockid_t clock;

	return clock_getcpuclockid(link->pid, &clock) ? 0 : clock_ns(clock);
}

/* Holds also while nobody looks: between requests, or while we are stopped. */
static void limit_cpu(const struct fz_object_link *link)
{
	const uint64_t cpu_ms = link->limits.cpu_ms;
	struct rlimit limit;

	if (prlimit(link->pid, RLIMIT_CPU, NULL, &limit))
		return;
	/* Counted in seconds: never less than it may use. */
	limit.rlim_cur = link->cpu_ns / NS_PER_S + cpu_ms / 1000 +
			 (cpu_ms % 1000 != 0) + 1;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	prlimit(link->pid, RLIMIT_CPU, &limit, NULL);
}

/* Also where there are no filters, or it has deceived the one who sets them. */
static void deny_files(const struct fz_object_link *link)
{
	prlimit(link->pid, RLIMIT_NOFILE, &(struct rlimit){ 0, 0 }, NULL);
}

static void begin_time(struct fz_object_link *link)
{
	link->cpu_ns = cpu_ns(link);
	limit_cpu(link);
	link->begin_ns = clock_ns(CLOCK_MONOTONIC);
}

int fz_object_link_open(struct fz_object_link *link, const char *path,
			const struct fz_policy_limits *limits,
			const atomic_int *stop, struct fz_err *err)
{
	const struct timeval look = { .tv_usec = LOOK_US };
	const pid_t parent = getpid();
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return fz_err_set(err, -errno, "cannot load '%s': %s", path,
				  strerror(errno));
	setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look));
	pid = fork();
	if (pid == 0) {
		fz_confine_alone(parent, fds[1]);
		fz_confine_limits(limits->memory_bytes);
		fz_object_child_run(path);
	}
	close(fds[1]);
	if (pid < 0) {
		const int code = -errno;

		close(fds[0]);
		return fz_err_set(err, code,
				  "cannot load '%s': no process for it: %s",
				  path, strerror(-code));
	}
	*link = (struct fz_object_link){ .limits = *limits,
					 .stop = stop,
					 .pid = pid,
					 .fd = fds[0],
					 .dead_code = -EINVAL };
	begin_time(link);
	return 0;
}

/* Ends it and all that it may have begun; what it ended by. */
static int reap(struct fz_object_link *link)
{
	int status = 0;

	/* One that is ending keeps the status that it ends by. */
	kill(link->pid, SIGKILL);
	kill(-link->pid, SIGKILL);
	while (waitpid(link->pid, &status, 0) < 0 && errno == EINTR)
		;
	link->pid = 0;
	close(link->fd);
	return status;
}

/* `format` says what it did. -EINVAL. */
static int die(struct fz_object_link *link, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int die(struct fz_object_link *link, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(link->dead.msg, sizeof(link->dead.msg), format, args);
	va_end(args);
	reap(link);
	return -EINVAL;
}

#define USED_CPU "used more than %g s of CPU time"

static double cpu_s(const struct fz_object_link *link)
{
	return (double)link->limits.cpu_ms / 1000;
}

/* It has closed its end of the wire, most likely by its own end. */
static int die_of_itself(struct fz_object_link *link)
{
	const int status = reap(link);
	char *text = link->dead.msg;
	const size_t cap = sizeof(link->dead.msg);
	const char *name = sigabbrev_np(WTERMSIG(status));

	if (WIFEXITED(status))
		snprintf(text, cap, "ended itself (exit status %d)",
			 WEXITSTATUS(status));
	else if (WTERMSIG(status) == SIGSYS) /* it had blocked the signal */
		snprintf(text, cap, "made a system call that a policy may not");
	else if (WTERMSIG(status) == SIGKILL)
		snprintf(text, cap, "was killed, or closed its descriptors");
	else if (WTERMSIG(status) == SIGXCPU)
		snprintf(text, cap, USED_CPU, cpu_s(link));
	else if (name)
		snprintf(text, cap, "crashed (SIG%s)", name);
	else /* one of real time */
		snprintf(text, cap, "crashed (signal %d)", WTERMSIG(status));
	return -EINVAL;
}

static int die_of_call(struct fz_object_link *link, uint64_t number)
{
	char *name = number <= INT32_MAX
			     ? seccomp_syscall_resolve_num_arch(
				       SCMP_ARCH_NATIVE, (int)number)
			     : NULL;

	die(link, "made a system call that a policy may not: %s",
	    name ? name : "one without a name");
	free(name);
	return -EINVAL;
}

/* May it be waited for any longer? */
static int check_time(struct fz_object_link *link)
{
	const struct fz_policy_limits *limits = &link->limits;

	if (stop_flag_is_set(link->stop)) {
		die(link, FZ_STOPPED);
		link->dead_code = -EINTR;
		return -EINTR;
	}
	if (cpu_ns(link) - link->cpu_ns > limits->cpu_ms * NS_PER_MS)
		return die(link, USED_CPU, cpu_s(link));
	if (clock_ns(CLOCK_MONOTONIC) - link->begin_ns >
	    limits->wall_ms * NS_PER_MS)
		return die(link, "gave no answer within %g s",
			   (double)limits->wall_ms / 1000);
	return 0;
}

static int receive(struct fz_object_link *link, void *bytes, size_t nr)
{
	char *at = bytes;

	while (nr) {
		const ssize_t done = recv(link->fd, at, nr, 0);
		int code;

		if (done == 0 ||
		    (done < 0 && errno != EAGAIN && errno != EINTR))
			return die_of_itself(link);
		if (done > 0) {
			at += done;
			nr -= (size_t)done;
		}
		/* Also of bytes that come one by one. */
		code = nr ? check_time(link) : 0;
		if (code)
			return code;
	}
	return 0;
}

static int die_of_nonsense(struct fz_object_link *link)
{
	return die(link, "sent what is no plan: it wrote into its process's "
			 "memory or descriptors");
}

/* What the other end wrote ends somewhere, and a terminal may see it. */
static void make_harmless(char *text, size_t bytes)
{
	text[bytes - 1] = '\0';
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* 0 and a reply of that kind, or what came instead. */
static int receive_reply(struct fz_object_link *link, enum fz_wire_kind kind,
			 struct fz_wire_reply *reply, struct fz_err *err)
{
	const int code = receive(link, reply, sizeof(*reply));

	if (code)
		return code;
	if (reply->magic != FZ_WIRE_MAGIC)
		return die_of_nonsense(link);
	if (reply->kind == FZ_WIRE_CALL)
		return die_of_call(link, reply->number);
	if (reply->sequence != link->sequence)
		return die_of_nonsense(link);
	if (reply->kind == FZ_WIRE_NOTHING) {
		make_harmless(reply->text, sizeof(reply->text));
		return fz_err_set(err,
				  reply->code == -ENOMEM ? -ENOMEM : -EINVAL,
				  "%s", reply->text);
	}
	return reply->kind == kind ? 0 : die_of_nonsense(link);
}

static bool is_name(const char *name)
{
	return *name && *name != '-' && *name != '.' &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-")];
}

int fz_object_link_policy(struct fz_object_link *link,
			  struct fz_wire_policy *policy, struct fz_err *err)
{
	struct fz_wire_reply reply;
	int code = receive_reply(link, FZ_WIRE_POLICY, &reply, err);

	if (!code)
		code = receive(link, policy, sizeof(*policy));
	if (code)
		return link->pid ? code
				 : fz_err_set(err, code, "%s", link->dead.msg);
	make_harmless(policy->name, sizeof(policy->name));
	make_harmless(policy->summary, sizeof(policy->summary));
	make_harmless(policy->kernels, sizeof(policy->kernels));
	if (!is_name(policy->name))
		return fz_err_set(err, -EINVAL,
				  "has the name '%s': a name is made of a-z, "
				  "0-9, '.', '_' and '-', and begins with a "
				  "letter or a digit",
				  policy->name);
	if (!*policy->summary || !*policy->kernels)
		return fz_err_set(err, -EINVAL,
				  "has an empty '.summary' or '.kernels'");
	if (!policy->models || policy->models & ~FZ_PREEMPT_ANY)
		return fz_err_set(err, -EINVAL,
				  "has '.models' that are no set of preemption "
				  "models: FZ_PREEMPT_ANY is all of them");
	if (policy->uses &
	    ~(uint32_t)(FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS))
		return fz_err_set(err, -EINVAL,
				  "has '.uses' that are no set of enum "
				  "fz_policy_uses");
	deny_files(link);
	return 0;
}

static int send_request(struct fz_object_link *link,
			const struct fz_zero_request *request)
{
	struct fz_wire_request message;
	ssize_t done;

	/* Padding too: it is a copy of our memory. */
	memset(&message, 0, sizeof(message));
	message.sequence = ++link->sequence;
	message.request = *request;
	begin_time(link);
	done = send(link->fd, &message, sizeof(message),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
	if (done == (ssize_t)sizeof(message))
		return 0;
	return die_of_itself(link);
}

static int receive_runs(struct fz_object_link *link,
			const struct fz_wire_reply *reply, uint64_t nr_pages,
			struct fz_plan *plan)
{
	struct fz_run *runs;
	int code;

	if (reply->number > link->limits.max_runs)
		return die(link,
			   "made a plan of %" PRIu64
			   " runs, more than %" PRIu64,
			   reply->number, link->limits.max_runs);
	/* Every byte is written: the other end has the padding too. */
	runs = malloc((reply->number + 1) * sizeof(*runs));
	if (!runs) {
		die(link,
		    "made a plan of %" PRIu64
		    " runs, for which there was no memory",
		    reply->number);
		return -ENOMEM;
	}
	code = receive(link, runs, reply->number * sizeof(*runs));
	if (code) {
		free(runs);
		return code;
	}
	*plan = (struct fz_plan){ .runs = runs,
				  .nr_runs = reply->number,
				  .nr_pages = nr_pages,
				  .conditional = reply->conditional != 0 };
	return 0;
}

int fz_object_link_plan(struct fz_object_link *link,
			const struct fz_zero_request *request,
			struct fz_plan *plan, struct fz_err *err)
{
	struct fz_wire_reply reply;
	int code = link->dead_code;

	if (link->pid)
		code = send_request(link, request);
	if (link->pid && !code)
		code = receive_reply(link, FZ_WIRE_PLAN, &reply, err);
	if (link->pid && !code)
		code = receive_runs(link, &reply, request->nr_pages, plan);
	return link->pid ? code : fz_err_set(err, code, "%s", link->dead.msg);
}

void fz_object_link_close(struct fz_object_link *link)
{
	if (link->pid)
		reap(link);
}
