// SPDX-License-Identifier: GPL-2.0-or-later
/* The SIGBUS guard, with the real signal: memory behind a file's end. */
#include "guard.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fz_test.h"

#define PAGE 4096

/* Two pages of a file that holds one: the second gives SIGBUS. */
static volatile char *half_there(void)
{
	const int fd = memfd_create("half", MFD_CLOEXEC);
	void *memory;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, PAGE), 0);
	memory =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	close(fd);
	return memory;
}

struct touch {
	volatile char *at;
	volatile int nr_done;
};

static void touch(void *arg)
{
	struct touch *job = arg;

	job->nr_done = 1;
	*job->at = 1;
	job->nr_done = 2;
}

START_TEST(a_touch_that_works_returns_0)
{
	struct touch job = { half_there(), 0 };

	ck_assert_int_eq(fz_guarded(touch, &job), 0);
	ck_assert_int_eq(job.nr_done, 2);
	ck_assert_int_eq(*job.at, 1);
}
END_TEST

START_TEST(a_sigbus_becomes_an_error)
{
	struct touch job = { half_there() + PAGE, 0 };

	/* Again and again: nothing of the first one may stay behind. */
	for (int i = 0; i < 100; i++) {
		job.nr_done = 0;
		ck_assert_int_eq(fz_guarded(touch, &job), -EFAULT);
		ck_assert_int_eq(job.nr_done, 1);
	}
}
END_TEST

static bool mask_has_sigbus(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGBUS);
}

static _Atomic int nr_handled;
static sigjmp_buf own_jump;

static void own_handler(int number)
{
	(void)number;
	nr_handled++;
	siglongjmp(own_jump, 1);
}

static void own_action(int number, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	own_handler(number);
}

START_TEST(the_handler_before_is_put_back)
{
	const struct sigaction own = { .sa_handler = own_handler };
	struct touch job = { half_there() + PAGE, 0 };
	struct sigaction now;

	sigaction(SIGBUS, &own, NULL);
	ck_assert_int_eq(fz_guarded(touch, &job), -EFAULT);
	ck_assert_int_eq(nr_handled, 0);
	sigaction(SIGBUS, NULL, &now);
	ck_assert_ptr_eq(now.sa_handler, own_handler);
	ck_assert(!mask_has_sigbus());
	/* and it works */
	if (sigsetjmp(own_jump, 1) == 0)
		touch(&job);
	ck_assert_int_eq(nr_handled, 1);
}
END_TEST

static void nested(void *arg)
{
	struct touch *job = arg;
	struct touch inner = { job->at, 0 };

	job->nr_done = fz_guarded(touch, &inner) == -EFAULT ? 1 : 0;
	*job->at = 1;
	job->nr_done = 2;
}

START_TEST(guards_nest)
{
	struct touch job = { half_there() + PAGE, 0 };

	ck_assert_int_eq(fz_guarded(nested, &job), -EFAULT);
	ck_assert_int_eq(job.nr_done, 1);
}
END_TEST

struct thread_job {
	struct touch touch;
	int expected;
	size_t nr_wrong;
};

static void *thread_run(void *arg)
{
	struct thread_job *job = arg;

	for (int i = 0; i < 2000; i++)
		job->nr_wrong +=
			fz_guarded(touch, &job->touch) != job->expected;
	return NULL;
}

/* Guards of several threads begin and end in any order. */
START_TEST(threads_are_guarded_at_once)
{
	volatile char *const memory = half_there();
	struct thread_job jobs[4];
	pthread_t threads[4];
	struct sigaction before, now;

	sigaction(SIGBUS, NULL, &before);
	for (int i = 0; i < 4; i++) {
		jobs[i] = (struct thread_job){
			.touch.at = memory + (i % 2 ? PAGE : 0) + 64 * i,
			.expected = i % 2 ? -EFAULT : 0,
		};
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, thread_run, &jobs[i]),
			0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_uint_eq(jobs[i].nr_wrong, 0);
	}
	sigaction(SIGBUS, NULL, &now);
	ck_assert_ptr_eq(now.sa_handler, before.sa_handler);
}
END_TEST

struct bystander {
	volatile char *at;
	pthread_t thread;
	int nr_handled;
};

static void *bystander_run(void *arg)
{
	struct bystander *job = arg;

	if (sigsetjmp(own_jump, 1) == 0)
		*job->at = 1;
	return NULL;
}

static void bystander_start(void *arg)
{
	struct bystander *job = arg;

	pthread_create(&job->thread, NULL, bystander_run, job);
	pthread_join(job->thread, NULL);
	job->nr_handled = nr_handled;
}

static const struct sigaction old_actions[] = {
	{ .sa_handler = own_handler },
	{ .sa_sigaction = own_action, .sa_flags = SA_SIGINFO },
};

START_TEST(a_thread_without_guard_gets_the_old_handler)
{
	struct bystander job = { .at = half_there() + PAGE };

	sigaction(SIGBUS, &old_actions[_i], NULL);
	ck_assert_int_eq(fz_guarded(bystander_start, &job), 0);
	ck_assert_int_eq(job.nr_handled, 1);
}
END_TEST

START_TEST(a_thread_without_guard_or_handler_dies)
{
	struct bystander job = { .at = half_there() + PAGE };

	signal(SIGBUS, SIG_DFL);
	fz_guarded(bystander_start, &job);
}
END_TEST

static void kill_self(void *arg)
{
	kill(getpid(), SIGBUS);
	*(int *)arg = 1;
}

/* What kill() sends is no failed touch. */
START_TEST(a_sent_signal_is_not_caught)
{
	int done = 0;

	signal(SIGBUS, SIG_DFL);
	fz_guarded(kill_self, &done);
}
END_TEST

START_TEST(a_sent_signal_that_was_ignored_stays_ignored)
{
	int done = 0;

	signal(SIGBUS, SIG_IGN);
	ck_assert_int_eq(fz_guarded(kill_self, &done), 0);
	ck_assert_int_eq(done, 1);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("guard");
	TCase *tcase = tcase_create("guard");

	tcase_add_test(tcase, a_touch_that_works_returns_0);
	tcase_add_test(tcase, a_sigbus_becomes_an_error);
	tcase_add_test(tcase, the_handler_before_is_put_back);
	tcase_add_test(tcase, guards_nest);
	tcase_add_test(tcase, threads_are_guarded_at_once);
	tcase_add_loop_test(tcase, a_thread_without_guard_gets_the_old_handler,
			    0, 2);
	tcase_add_test_raise_signal(
		tcase, a_thread_without_guard_or_handler_dies, SIGBUS);
	tcase_add_test_raise_signal(tcase, a_sent_signal_is_not_caught, SIGBUS);
	tcase_add_test(tcase, a_sent_signal_that_was_ignored_stays_ignored);
	suite_add_tcase(suite, tcase);
	return suite;
}
