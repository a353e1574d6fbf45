// SPDX-License-Identifier: GPL-2.0-or-later
/* Catches the signals that would end the program. */
#include "stop_signal.h"

#include <stddef.h>

/* Those that end a process by default and are sent by people and limits. */
static const int stop_signals[] = {
	SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGUSR1,
	SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
};

#define NR_STOP_SIGNALS (sizeof(stop_signals) / sizeof(stop_signals[0]))

/* The one piece of mutable file-scope state that a handler needs. */
static volatile sig_atomic_t stop_signal;

static void on_stop(int number)
{
	stop_signal = number;
}

/* A signal that was ignored when the program began stays so. */
static void set_handler(int number, void (*handler)(int))
{
	const struct sigaction action = { .sa_handler = handler,
					  .sa_flags = SA_RESTART };
	struct sigaction old;

	sigaction(number, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

const volatile sig_atomic_t *fz_stop_signal_catch(void)
{
	for (size_t i = 0; i < NR_STOP_SIGNALS; i++)
		set_handler(stop_signals[i], on_stop);
	/* These become errors of the write. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return &stop_signal;
}

void fz_stop_signal_release(void)
{
	for (size_t i = 0; i < NR_STOP_SIGNALS; i++)
		set_handler(stop_signals[i], SIG_DFL);
}

void fz_stop_signal_reraise(void)
{
	const int number = stop_signal;

	if (!number)
		return;
	signal(number, SIG_DFL);
	raise(number);
}
