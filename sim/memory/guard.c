// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns a SIGBUS of the calling thread into an error code. */
#include "guard.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A signal handler is process-wide and gets no argument, so this is the one
 * place that cannot do without static state: who is guarded (per thread), and
 * the action to put back (while anybody is).
 */
static _Thread_local sigjmp_buf *volatile guarded_jump;

static struct {
	pthread_mutex_t lock;
	unsigned int nr_guards;
	struct sigaction old;
} guards = { .lock = PTHREAD_MUTEX_INITIALIZER };

/*
 * Not ours: hand on what the handler before us would have got. A default
 * action is put back, then the access faults again and gets it.
 */
static void pass_on(int number, siginfo_t *info, void *context)
{
	const bool sent = info->si_code <= 0; /* by kill() and its like */

	if (guards.old.sa_flags & SA_SIGINFO) {
		guards.old.sa_sigaction(number, info, context);
	} else if (guards.old.sa_handler != SIG_DFL &&
		   guards.old.sa_handler != SIG_IGN) {
		guards.old.sa_handler(number);
	} else if (guards.old.sa_handler == SIG_DFL || !sent) {
		sigaction(SIGBUS, &guards.old, NULL);
		if (sent)
			raise(SIGBUS);
	}
}

static void on_sigbus(int number, siginfo_t *info, void *context)
{
	if (guarded_jump && info->si_code > 0)
		siglongjmp(*guarded_jump, 1);
	pass_on(number, info, context);
}

static void guard_begin(void)
{
	struct sigaction action = {
		.sa_sigaction = on_sigbus,
		.sa_flags = SA_SIGINFO,
	};

	sigemptyset(&action.sa_mask);
	pthread_mutex_lock(&guards.lock);
	if (guards.nr_guards++ == 0)
		sigaction(SIGBUS, &action, &guards.old);
	pthread_mutex_unlock(&guards.lock);
}

static void guard_end(void)
{
	pthread_mutex_lock(&guards.lock);
	if (--guards.nr_guards == 0)
		sigaction(SIGBUS, &guards.old, NULL);
	pthread_mutex_unlock(&guards.lock);
}

int fz_guarded(void (*body)(void *), void *arg)
{
	sigjmp_buf *const outer = guarded_jump;
	sigjmp_buf jump;
	volatile int code = 0;

	guard_begin();
	if (sigsetjmp(jump, 1) == 0) {
		guarded_jump = &jump;
		body(arg);
	} else {
		code = -EFAULT;
	}
	guarded_jump = outer;
	guard_end();
	return code;
}
