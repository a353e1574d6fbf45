// SPDX-License-Identifier: GPL-2.0-or-later
/* A policy object plans as it would here; a bad one costs a sentence. */
#include "fz_test.h"

#include <fz/policy_object.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy_objects/troubles.h"
#include "random_request.h"

#define OBJECT(name) FZ_OBJECT_DIR "/" name ".so"

extern const struct fz_policy fz_policy_discontiguous_page;
extern const struct fz_policy fz_policy_neighbourhood_last;
extern const struct fz_policy fz_policy_streaming_neighbourhood_last;

/* For what has no end; the machine may be busy otherwise. */
static const struct fz_policy_limits small = {
	.cpu_ms = 200,
	.wall_ms = 60000,
	.memory_bytes = 64u << 20,
	.max_runs = 4000,
	.max_calls = 1u << 20,
};

/* For what waits. */
static const struct fz_policy_limits hasty = {
	.cpu_ms = 1000,
	.wall_ms = 1000,
	.memory_bytes = 64u << 20,
	.max_runs = 4000,
	.max_calls = 1u << 20,
};

static const struct fz_zero_request asked = { .nr_pages = 512,
					      .fault_page = 17 };

static unsigned int nr_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

static bool has_no_child(void)
{
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

static struct fz_policy_object *open_one(const char *path, bool verify,
					 const struct fz_policy_limits *limits)
{
	struct fz_policy_object *object = NULL;
	struct fz_err err = { .msg = "" };
	const int code = fz_policy_object_open(&object, path, verify, limits,
					       NULL, &err);

	ck_assert_msg(code == 0, "%s", err.msg);
	return object;
}

static bool plans_equal(const struct fz_plan *a, const struct fz_plan *b)
{
	bool equal = a->nr_runs == b->nr_runs && a->nr_pages == b->nr_pages &&
		     a->conditional == b->conditional;

	for (size_t i = 0; equal && i < a->nr_runs; i++) {
		const struct fz_run *x = &a->runs[i], *y = &b->runs[i];

		equal = x->first == y->first && x->nr == y->nr &&
			x->unit_pages == y->unit_pages &&
			x->call_pages == y->call_pages && x->op == y->op &&
			x->direction == y->direction && x->hint == y->hint &&
			x->resched == y->resched;
	}
	return equal;
}

static bool policies_agree(const struct fz_policy *a, const struct fz_policy *b,
			   const struct fz_zero_request *request)
{
	struct fz_plan plans[2] = { { .runs = NULL }, { .runs = NULL } };
	const int codes[] = { fz_policy_plan(a, request, &plans[0], NULL),
			      fz_policy_plan(b, request, &plans[1], NULL) };
	const bool agree =
		!codes[0] && !codes[1] && plans_equal(&plans[0], &plans[1]);

	fz_plan_fini(&plans[0]);
	fz_plan_fini(&plans[1]);
	return agree;
}

static const struct {
	const char *path;
	const struct fz_policy *policy;
} copies[] = {
	{ OBJECT("discontiguous_page"), &fz_policy_discontiguous_page },
	{ OBJECT("neighbourhood_last"), &fz_policy_neighbourhood_last },
	{ OBJECT("streaming_neighbourhood_last"),
	  &fz_policy_streaming_neighbourhood_last },
};

START_TEST(plans_are_the_same_as_here)
{
	struct fz_policy_object *object = open_one(copies[_i].path, true, NULL);
	const struct fz_policy *policy = fz_policy_object_policy(object);
	struct fz_random random = fz_random_begin(61, 0);
	unsigned int bad = 0;

	for (unsigned int i = 0; i < 2000 / SLOW_STRIDE; i++) {
		const struct fz_zero_request request = random_request(&random);

		bad += !policies_agree(policy, copies[_i].policy, &request);
	}
	ck_assert_uint_eq(bad, 0);
	ck_assert_str_eq(policy->name, "copied");
	ck_assert_str_eq(policy->summary, "what another policy does");
	ck_assert_str_eq(policy->kernels, "those of the other one");
	ck_assert_uint_eq(policy->uses,
			  FZ_USES_FAULT | FZ_USES_BATCH | FZ_USES_RADIUS);
	ck_assert_uint_eq(policy->models, FZ_PREEMPT_PREEMPTIBLE);
	ck_assert_uint_eq(policy->default_batch_pages, FZ_BATCH_PAGES);
	fz_policy_object_close(object);
	ck_assert(has_no_child());
}
END_TEST

START_TEST(steps_come_as_runs)
{
	struct fz_policy_object *object =
		open_one(OBJECT("stepwise"), true, NULL);
	const struct fz_policy *policy = fz_policy_object_policy(object);
	struct fz_run expected = { .nr = 512,
				   .unit_pages = 1,
				   .call_pages = 1,
				   .direction = FZ_DIRECTION_DOWN,
				   .hint = FZ_HINT_STREAMING,
				   .resched = FZ_RESCHED_AFTER };
	const struct fz_plan whole = { .runs = &expected,
				       .nr_runs = 1,
				       .nr_pages = 512,
				       .conditional = true };
	struct fz_plan plan;

	ck_assert_str_eq(policy->name, "step.wise_1");
	ck_assert_int_eq(fz_policy_plan(policy, &asked, &plan, NULL), 0);
	ck_assert(plans_equal(&plan, &whole));
	fz_plan_fini(&plan);
	fz_policy_object_close(object);
}
END_TEST

/* What is wanted where a name has no '/': no search, as dlopen() would. */
START_TEST(path_is_taken_as_it_is)
{
	struct fz_policy_object *object = NULL;
	struct fz_err err;

	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(fz_policy_object_open(&object, "libc.so.6", true, NULL,
					       NULL, &err),
			 -ENOENT);
	ck_assert_str_eq(err.msg, "cannot open 'libc.so.6': No such file or "
				  "directory");
	ck_assert_int_eq(chdir(FZ_OBJECT_DIR), 0);
	fz_policy_object_close(open_one("stepwise.so", true, NULL));
	ck_assert_ptr_null(object);
}
END_TEST

/* After it: does the object still plan? */
enum after {
	LIVES,
	DIES,
	ENDS_BY_A_CALL
};

#define BY_A_CALL "troubles' made a system call that a policy may not: "

static const struct {
	enum trouble trouble;
	enum after after;
	const char *msg; /* a part; NULL: it is a good plan */
} troubles[] = {
	{ TROUBLE_NONE, LIVES, NULL },
	{ TROUBLE_SKIPS, LIVES,
	  "/troubles.so': policy 'troubles', folio of 2M (order 9), fault page "
	  "17: page 0 is not cleared" },
	{ TROUBLE_TWICE, LIVES,
	  ": page 3 is cleared twice, in step 1 and in step 9" },
	{ TROUBLE_OUTSIDE, LIVES,
	  ": page 512, cleared in step 1, is outside the folio" },
	{ TROUBLE_EMPTY, LIVES, ": page 0 is not cleared" },
	{ TROUBLE_NO_RUN, LIVES, ": a run or a step is none: " },
	{ TROUBLE_CALLS, LIVES, ": more than 1048576 resched calls" },
	{ TROUBLE_CONDITIONAL, LIVES, NULL },
	{ TROUBLE_PRINTS, LIVES, NULL },
	{ TROUBLE_NAPS, LIVES, NULL },
	{ TROUBLE_LOOKS, LIVES, NULL },
	{ TROUBLE_LOOKS_FOR_LIMIT, LIVES, NULL },
	{ TROUBLE_RUNS, DIES, "made a plan of 5001 runs, more than 4000" },
	{ TROUBLE_LOOPS, DIES,
	  "/troubles.so': policy 'troubles' used more than 0.2 s of CPU time" },
	{ TROUBLE_SLEEPS, DIES, "gave no answer within 1 s" },
	{ TROUBLE_ABORTS, DIES, "crashed (SIGABRT)" },
	{ TROUBLE_RAISES, DIES, "crashed (signal 38)" },
	{ TROUBLE_WRITES_NULL, DIES, "crashed (SIGSEGV)" },
	{ TROUBLE_WRITES_ALL, DIES, "'troubles' " },
	{ TROUBLE_RECURSES, DIES, "crashed (SIGSEGV)" },
	{ TROUBLE_ALLOCATES, DIES, "crashed (SIGSEGV)" },
	{ TROUBLE_EXITS, DIES, "ended itself (exit status 3)" },
	{ TROUBLE_CLOSES, DIES, "was killed, or closed its descriptors" },
	{ TROUBLE_FORKS, ENDS_BY_A_CALL, BY_A_CALL },
	{ TROUBLE_FORKS_ON, ENDS_BY_A_CALL, BY_A_CALL },
	{ TROUBLE_EXECUTES, ENDS_BY_A_CALL, BY_A_CALL "execve" },
	{ TROUBLE_SOCKET, ENDS_BY_A_CALL, BY_A_CALL "socket" },
	{ TROUBLE_KILLS_PARENT, ENDS_BY_A_CALL, BY_A_CALL "kill" },
	{ TROUBLE_LIMITS, ENDS_BY_A_CALL, BY_A_CALL },
	{ TROUBLE_OPENS_TO_WRITE, ENDS_BY_A_CALL, BY_A_CALL "open" },
	{ TROUBLE_OPENS_TO_READ, ENDS_BY_A_CALL, BY_A_CALL "open" },
	{ TROUBLE_STATS, ENDS_BY_A_CALL, BY_A_CALL },
	{ TROUBLE_TAKES_HUGE_PAGES, ENDS_BY_A_CALL, BY_A_CALL "mmap" },
	{ TROUBLE_TAKES_OFFLINE, ENDS_BY_A_CALL, BY_A_CALL "madvise" },
	{ TROUBLE_MAKES_FILE, ENDS_BY_A_CALL, BY_A_CALL "memfd_create" },
	{ TROUBLE_GARBAGE, DIES, "sent what is no plan" },
	{ TROUBLE_TOO_MUCH, DIES, "sent what is no plan" },
	{ TROUBLE_TRICKLES, DIES, "gave no answer within 1 s" },
	{ TROUBLE_FORGED_COUNT, DIES,
	  "made a plan of 18446744073709551615 runs, more than 4000" },
};

/* A sanitizer ends a process in its own ways, and without a word; an emulator
 * has no limit of memory. */
static const char *expected_msg(int i)
{
	return (FZ_SANITIZED || FZ_EMULATED) && troubles[i].after != LIVES
		       ? "'troubles' "
		       : troubles[i].msg;
}

static int ask(const struct fz_policy *policy, enum trouble trouble,
	       struct fz_err *err)
{
	struct fz_zero_request request = asked;
	struct fz_plan plan;
	int code;

	request.radius_pages = trouble;
	code = fz_policy_plan(policy, &request, &plan, err);
	if (code)
		return code;
	code = fz_plan_verify(&plan, err);
	ck_assert_int_eq(plan.conditional, trouble == TROUBLE_CONDITIONAL);
	fz_plan_fini(&plan);
	return code;
}

/* For locks that were written to, and a sanitizer waits without memory. */
static bool may_wait(enum trouble trouble)
{
	return trouble == TROUBLE_SLEEPS || trouble == TROUBLE_WRITES_ALL ||
	       trouble == TROUBLE_ALLOCATES || trouble == TROUBLE_TRICKLES;
}

/* Without a filter those would really do it; limits and maps are not told. */
static bool is_beyond_emulator(int i)
{
	return troubles[i].after == ENDS_BY_A_CALL ||
	       troubles[i].trouble == TROUBLE_LOOKS_FOR_LIMIT ||
	       troubles[i].trouble == TROUBLE_WRITES_ALL;
}

START_TEST(trouble_costs_a_sentence)
{
	const int handed_on = dup(STDOUT_FILENO);
	const unsigned int before = nr_descriptors();
	const struct fz_policy_limits *limits =
		may_wait(troubles[_i].trouble) ? &hasty : &small;
	struct fz_policy_object *object =
		open_one(OBJECT("troubles"), true, limits);
	const struct fz_policy *policy = fz_policy_object_policy(object);
	const char *msg = expected_msg(_i);
	struct fz_err err = { .msg = "" }, again = { .msg = "" };
	int code;

	ck_assert_int_eq(ask(policy, TROUBLE_NONE, &err), 0);
	if (FZ_EMULATED && is_beyond_emulator(_i))
		return fz_policy_object_close(object);
	code = ask(policy, troubles[_i].trouble, &err);
	ck_assert_msg(code == (msg ? -EINVAL : 0), "%d: %s", code, err.msg);
	ck_assert_msg(strstr(err.msg, msg ? msg : ""), "%s", err.msg);
	code = ask(policy, TROUBLE_NONE, &again);
	if (troubles[_i].after == LIVES) {
		ck_assert_msg(code == 0, "%s", again.msg);
	} else {
		ck_assert_int_eq(code, -EINVAL);
		ck_assert_str_eq(again.msg, err.msg);
		ck_assert(has_no_child());
	}
	fz_policy_object_close(object);
	ck_assert(has_no_child());
	ck_assert_uint_eq(nr_descriptors(), before);
	close(handed_on);
}
END_TEST

/* The plan that is no plan of the policy's is one all the same; what the
 * policy answers then is to a question that was not asked. */
START_TEST(forged_plans_are_verified)
{
	struct fz_policy_object *object =
		open_one(OBJECT("troubles"), true, &small);
	const struct fz_policy *policy = fz_policy_object_policy(object);
	struct fz_err err = { .msg = "" };

	ck_assert_int_eq(ask(policy, TROUBLE_FORGED_PLAN, &err), 0);
	ck_assert_int_eq(ask(policy, TROUBLE_NONE, &err), -EINVAL);
	ck_assert_msg(strstr(err.msg, "sent what is no plan"), "%s", err.msg);
	fz_policy_object_close(object);
}
END_TEST

START_TEST(bytes_on_the_wire_may_be_anything)
{
	const unsigned int before = nr_descriptors();
	unsigned int bad = 0, plans = 0, tries = 300 / SLOW_STRIDE;

	for (unsigned int i = 0; i < tries; i++) {
		struct fz_policy_object *object =
			open_one(OBJECT("troubles"), true, &small);
		const struct fz_zero_request request = {
			.nr_pages = 512,
			.fault_page = i,
			.radius_pages = TROUBLE_FORGED_RANDOM
		};
		struct fz_err err = { .msg = "" };
		struct fz_plan plan;
		const int code = fz_policy_plan(fz_policy_object_policy(object),
						&request, &plan, &err);

		if (code) {
			bad += code != -EINVAL || !err.msg[0];
		} else {
			bad += fz_plan_verify(&plan, NULL) != 0;
			plans++;
			fz_plan_fini(&plan);
		}
		fz_policy_object_close(object);
	}
	ck_assert_uint_eq(bad, 0);
	ck_assert_uint_gt(plans, 0);
	ck_assert_uint_lt(plans, tries);
	ck_assert(has_no_child());
	ck_assert_uint_eq(nr_descriptors(), before);
}
END_TEST

/* For those who want to see what is wrong with a plan. */
START_TEST(unverified_plans_stay_in_the_folio)
{
	struct fz_policy_object *object =
		open_one(OBJECT("troubles"), false, &small);
	const struct fz_policy *policy = fz_policy_object_policy(object);
	struct fz_err err = { .msg = "" };
	static const enum trouble wrong[] = { TROUBLE_SKIPS, TROUBLE_TWICE,
					      TROUBLE_EMPTY };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fz_zero_request request = asked;
		struct fz_plan plan;

		request.radius_pages = wrong[i];
		ck_assert_int_eq(fz_policy_plan(policy, &request, &plan, &err),
				 0);
		ck_assert_int_eq(fz_plan_check(&plan, NULL), 0);
		ck_assert_int_eq(fz_plan_verify(&plan, NULL), -EINVAL);
		fz_plan_fini(&plan);
	}
	ck_assert_int_eq(ask(policy, TROUBLE_OUTSIDE, &err), -EINVAL);
	ck_assert_int_eq(ask(policy, TROUBLE_CALLS, &err), -EINVAL);
	fz_policy_object_close(object);
}
END_TEST

static const struct {
	const char *name;
	const char *msg; /* after the path */
} unloadable[] = {
	{ "symbol", " is no policy: it defines no 'const struct fz_policy "
		    "fz_policy'" },
	{ "struct", " has an fz_policy that is no 'const struct fz_policy' "
		    "which begins with FZ_POLICY_HEAD" },
	{ "data", " has an fz_policy that is no " },
	{ "head", " has an fz_policy that is no " },
	{ "bytes", " has a symbol fz_policy of 12 bytes where a 'const struct "
		   "fz_policy' has " },
	{ "size", " has an fz_policy of " },
	{ "version", " was built for policy ABI 2, this is foliosim with 1: "
		     "build it again with this version's headers" },
	{ "function", " cannot be loaded: undefined symbol: "
		      "fz_no_such_function" },
	{ "name", " has no '.name', which is required" },
	{ "good_name", " has the name 'Policy, ?[31mred': a name is made of " },
	{ "short_name", " has a '.name' of more than 64 bytes" },
	{ "summary", " has an empty '.summary' or '.kernels'" },
	{ "kernels", " has no '.kernels', which is required" },
	{ "models", " has '.models' that are no set of preemption models" },
	{ "uses", " has '.uses' that are no set of enum fz_policy_uses" },
	{ "plan", " has no '.plan', which is required" },
	{ "end", " used more than 0.2 s of CPU time, while it was loaded" },
	{ "life", " crashed (SIGSEGV), while it was loaded" },
	{ "manners", " sent what is no plan: it wrote into its process's "
		     "memory or descriptors, while it was loaded" },
	{ "patience", " ended itself (exit status 5), while it was loaded" },
	{ "peace", " made a system call that a policy may not: " },
};

START_TEST(unloadable_is_refused)
{
	const unsigned int before = nr_descriptors();
	struct fz_policy_object *object = NULL;
	struct fz_err err = { .msg = "" };
	char path[512], msg[1024];

	/* Without a filter it would. */
	if (FZ_EMULATED && strcmp(unloadable[_i].name, "peace") == 0)
		return;
	snprintf(path, sizeof(path), "%s/lack_%s.so", FZ_OBJECT_DIR,
		 unloadable[_i].name);
	snprintf(msg, sizeof(msg), "'%s'%s", path, unloadable[_i].msg);
	ck_assert_int_eq(
		fz_policy_object_open(&object, path, true, &small, NULL, &err),
		-EINVAL);
	err.msg[strlen(msg)] = '\0';
	ck_assert_str_eq(err.msg, msg);
	ck_assert_ptr_null(object);
	ck_assert(has_no_child());
	ck_assert_uint_eq(nr_descriptors(), before);
}
END_TEST

struct asker {
	pthread_t thread;
	const struct fz_policy *policy;
	unsigned int seed;
	unsigned int bad;
};

static void *ask_often(void *arg)
{
	struct asker *asker = arg;
	struct fz_random random = fz_random_begin(asker->seed, 3);

	for (unsigned int i = 0; i < 300; i++) {
		const struct fz_zero_request request = random_request(&random);

		asker->bad += !policies_agree(
			asker->policy, &fz_policy_neighbourhood_last, &request);
	}
	return NULL;
}

START_TEST(threads_may_ask)
{
	struct fz_policy_object *object =
		open_one(OBJECT("neighbourhood_last"), true, NULL);
	struct asker askers[4];
	unsigned int bad = 0;

	for (unsigned int i = 0; i < 4; i++) {
		askers[i] = (struct asker){
			.policy = fz_policy_object_policy(object), .seed = i
		};
		pthread_create(&askers[i].thread, NULL, ask_often, &askers[i]);
	}
	for (unsigned int i = 0; i < 4; i++) {
		pthread_join(askers[i].thread, NULL);
		bad += askers[i].bad;
	}
	ck_assert_uint_eq(bad, 0);
	fz_policy_object_close(object);
}
END_TEST

/* What it prints is no part of a result. */
START_TEST(prints_to_nowhere)
{
	struct fz_policy_object *object;
	struct fz_err err = { .msg = "" };
	int ends[2], code;
	char byte;

	ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
	dup2(ends[1], STDOUT_FILENO);
	dup2(ends[1], STDERR_FILENO);
	object = open_one(OBJECT("troubles"), true, &small);
	code = ask(fz_policy_object_policy(object), TROUBLE_PRINTS, &err);
	ck_assert_msg(code == 0, "%s", err.msg);
	fz_policy_object_close(object);
	ck_assert_int_eq(read(ends[0], &byte, 1), -1);
	ck_assert_int_eq(errno, EAGAIN);
}
END_TEST

static void on_signal(int number)
{
	(void)number;
}

/* A timer that interrupts every wait, and ^C for the whole process group. */
START_TEST(signals_do_no_harm)
{
	const struct sigaction action = { .sa_handler = on_signal };
	const struct itimerval soon = { { 0, 500 }, { 0, 500 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct fz_policy_object *object;
	struct fz_err err = { .msg = "" };
	int code;

	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	setpgid(0, 0);
	object = open_one(OBJECT("troubles"), true, &small);
	setitimer(ITIMER_REAL, &soon, NULL);
	kill(0, SIGINT);
	code = ask(fz_policy_object_policy(object), TROUBLE_NAPS, &err);
	setitimer(ITIMER_REAL, &never, NULL);
	ck_assert_msg(code == 0, "%s", err.msg);
	fz_policy_object_close(object);
}
END_TEST

static atomic_int stop;

static void on_stop(int number)
{
	stop = number;
}

/* Long before its time is up, and whatever it does meanwhile. */
START_TEST(stop_is_obeyed)
{
	static const enum trouble long_ones[] = { TROUBLE_SLEEPS,
						  TROUBLE_TRICKLES };
	const struct sigaction action = { .sa_handler = on_stop,
					  .sa_flags = SA_RESTART };
	const struct itimerval soon = { .it_value.tv_usec = 100000 };
	struct fz_policy_object *object = NULL;
	struct fz_err err = { .msg = "" }, again = { .msg = "" };
	const struct fz_policy *policy;

	sigaction(SIGALRM, &action, NULL);
	ck_assert_int_eq(fz_policy_object_open(&object, OBJECT("troubles"),
					       true, NULL, &stop, &err),
			 0);
	policy = fz_policy_object_policy(object);
	ck_assert_int_eq(ask(policy, TROUBLE_NONE, &err), 0);
	setitimer(ITIMER_REAL, &soon, NULL);
	ck_assert_int_eq(ask(policy, long_ones[_i], &err), -EINTR);
	ck_assert_str_eq(err.msg, "stopped by a signal");
	ck_assert(has_no_child());
	ck_assert_int_eq(ask(policy, TROUBLE_NONE, &again), -EINTR);
	ck_assert_str_eq(again.msg, err.msg);
	fz_policy_object_close(object);
}
END_TEST

START_TEST(stop_is_obeyed_while_loading)
{
	struct fz_policy_object *object = NULL;
	struct fz_err err = { .msg = "" };

	stop = SIGTERM;
	ck_assert_int_eq(fz_policy_object_open(&object, OBJECT("lack_end"),
					       true, NULL, &stop, &err),
			 -EINTR);
	ck_assert_str_eq(err.msg, "stopped by a signal");
	ck_assert_ptr_null(object);
	ck_assert(has_no_child());
}
END_TEST

/* Nobody looks while other rows are measured, or after ^Z. */
START_TEST(does_not_spin_unseen)
{
	struct fz_policy_object *object;
	const struct fz_policy *policy;
	struct fz_err err = { .msg = "" };
	siginfo_t info = { .si_pid = 0 };

	if (FZ_EMULATED)
		return;
	object = open_one(OBJECT("troubles"), true, &small);
	policy = fz_policy_object_policy(object);
	ck_assert_int_eq(ask(policy, TROUBLE_SPINS_AFTERWARDS, &err), 0);
	ck_assert_int_eq(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(info.si_status, SIGXCPU);
	ck_assert_int_eq(ask(policy, TROUBLE_NONE, &err), -EINVAL);
	ck_assert_msg(strstr(err.msg, "used more than 0.2 s of CPU time"), "%s",
		      err.msg);
	fz_policy_object_close(object);
	ck_assert(has_no_child());
}
END_TEST

/* Also where the kernel does not tell how much memory is in use. */
START_TEST(memory_is_limited_without_proc)
{
	struct fz_policy_object *object;
	struct fz_err err = { .msg = "" };
	int code;

	/* A sanitizer has more mapped than can be assumed. */
	if (FZ_SANITIZED || FZ_EMULATED ||
	    unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/proc", "tmpfs", 0, NULL))
		return;
	object = open_one(OBJECT("troubles"), true, &small);
	code = ask(fz_policy_object_policy(object), TROUBLE_LOOKS_FOR_LIMIT,
		   &err);
	ck_assert_msg(code == 0, "%s", err.msg);
	fz_policy_object_close(object);
}
END_TEST

static void limit_descriptors(int nr)
{
	const struct rlimit limit = { (rlim_t)nr, (rlim_t)nr };

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Two for us; the other process has as many as it needs then. */
START_TEST(few_descriptors_are_enough)
{
	struct fz_policy_object *object;
	struct fz_err err = { .msg = "" };
	const int next = dup(STDOUT_FILENO);
	int code;

	close(next);
	limit_descriptors(next + 2);
	object = open_one(OBJECT("troubles"), true, &small);
	code = ask(fz_policy_object_policy(object), TROUBLE_LOOKS, &err);
	ck_assert_msg(code == 0, "%s", err.msg);
	fz_policy_object_close(object);
}
END_TEST

/* The object is not to blame. */
static bool says_no_descriptor(void)
{
	struct fz_policy_object *object = NULL;
	struct fz_err err = { .msg = "" };

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	limit_descriptors(2);
	return fz_policy_object_open(&object, OBJECT("troubles"), true, &small,
				     NULL, &err) == -EINVAL &&
	       strstr(err.msg, "cannot be loaded: no descriptor for its "
			       "process: Bad file descriptor");
}

START_TEST(too_few_descriptors_are_told)
{
	const pid_t pid = fork();
	int status = -1;

	if (pid == 0)
		_exit(says_no_descriptor() ? 0 : 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* A container may forbid to forbid. */
static void refuse_filters(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	ck_assert_int_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
					  SCMP_SYS(seccomp), 0),
			 0);
	ck_assert_int_eq(
		seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL),
				 SCMP_SYS(prctl), 1,
				 SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0)),
		0);
	ck_assert_int_eq(seccomp_load(filter), 0);
	seccomp_release(filter);
}

/*
 * Then it can fork, and two answer what one is asked: some of it will be no
 * plan, but none that comes is bad. Both end.
 */
START_TEST(goes_on_without_filters)
{
	struct fz_policy_object *object;
	const struct fz_policy *policy;
	struct fz_err err = { .msg = "" };
	int status = 0, code;

	if (FZ_EMULATED)
		return;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	refuse_filters();
	object = open_one(OBJECT("troubles"), true, &small);
	policy = fz_policy_object_policy(object);
	ck_assert_int_eq(ask(policy, TROUBLE_NONE, &err), 0);
	/* Nor does it open files then. */
	code = ask(policy, TROUBLE_OPENS_TO_READ, &err);
	ck_assert_msg(code == 0, "%s", err.msg);
	ask(policy, TROUBLE_FORKS, &err);
	for (unsigned int i = 0; i < 100; i++)
		ask(policy, TROUBLE_NONE, &err);
	fz_policy_object_close(object);
	/* The other one, if root could make it: it has no parent but this. */
	if (waitpid(-1, &status, 0) > 0)
		ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	ck_assert(has_no_child());
}
END_TEST

/* Whoever loads it is killed; then it must end too. */
START_TEST(object_ends_with_its_user)
{
	int ready[2];
	pid_t user;
	char byte;

	/* An emulator makes nobody a reaper. */
	if (FZ_EMULATED)
		return;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ck_assert_int_eq(pipe(ready), 0);
	user = fork();
	if (user == 0) {
		struct fz_policy_object *object =
			open_one(OBJECT("troubles"), true, NULL);

		if (write(ready[1], "", 1) == 1)
			ask(fz_policy_object_policy(object), TROUBLE_SLEEPS,
			    NULL);
		_exit(1);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	/* So that it is in its plan, if it comes that far meanwhile. */
	usleep(100000);
	kill(user, SIGKILL);
	ck_assert_int_eq(waitpid(user, NULL, 0), user);
	ck_assert_int_gt(waitpid(-1, NULL, 0), 0); /* the orphan */
	ck_assert(has_no_child());
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.policy_object");
	TCase *tcase = tcase_create("policy_object");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, plans_are_the_same_as_here, 0,
			    (int)(sizeof(copies) / sizeof(copies[0])));
	tcase_add_test(tcase, steps_come_as_runs);
	tcase_add_test(tcase, path_is_taken_as_it_is);
	tcase_add_loop_test(tcase, trouble_costs_a_sentence, 0,
			    (int)(sizeof(troubles) / sizeof(troubles[0])));
	tcase_add_test(tcase, forged_plans_are_verified);
	tcase_add_test(tcase, bytes_on_the_wire_may_be_anything);
	tcase_add_test(tcase, unverified_plans_stay_in_the_folio);
	tcase_add_loop_test(tcase, unloadable_is_refused, 0,
			    (int)(sizeof(unloadable) / sizeof(unloadable[0])));
	tcase_add_test(tcase, threads_may_ask);
	tcase_add_test(tcase, prints_to_nowhere);
	tcase_add_test(tcase, signals_do_no_harm);
	tcase_add_loop_test(tcase, stop_is_obeyed, 0, 2);
	tcase_add_test(tcase, stop_is_obeyed_while_loading);
	tcase_add_test(tcase, does_not_spin_unseen);
	tcase_add_test(tcase, memory_is_limited_without_proc);
	tcase_add_test(tcase, few_descriptors_are_enough);
	tcase_add_test(tcase, too_few_descriptors_are_told);
	tcase_add_test(tcase, goes_on_without_filters);
	tcase_add_test(tcase, object_ends_with_its_user);
	suite_add_tcase(suite, tcase);
	return suite;
}
