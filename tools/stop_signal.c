// SPDX-License-Identifier: GPL-2.0-or-later
/* Catches the signals that would end the program. */
#include "stop_signal.h"

#include <signal.h>
#include <stddef.h>

/* Those that end a process by default and are sent by people and limits. */
static const int stop_signals[] = {
	SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGUSR1,
	SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
};

#define NR_STOP_SIGNALS (sizeof(stop_signals) / sizeof(stop_signals[0]))

/* A handler gets no argument: the one mutable state at file scope here. Other
 * threads read it, which a sig_atomic_t does not promise. */
static atomic_int stop_signal;
static atomic_int nothing_held;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "signal handlers may use them");

/* Once nothing is held, whoever asks a second time does not want to wait. */
static void on_stop(int number)
{
	if (stop_signal && nothing_held) {
		signal(number, SIG_DFL);
		raise(number);
	}
	stop_signal = number;
}

const atomic_int *fz_stop_signal_catch(void)
{
	/* Writes go on after the first signal. */
	const struct sigaction action = { .sa_handler = on_stop,
					  .sa_flags = SA_RESTART };
	struct sigaction old;

	for (size_t i = 0; i < NR_STOP_SIGNALS; i++) {
		sigaction(stop_signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(stop_signals[i], &action, NULL);
	}
	/* These become errors of the write. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return &stop_signal;
}

const atomic_int *fz_stop_signal(void)
{
	return &stop_signal;
}

void fz_stop_signal_release(void)
{
	nothing_held = 1;
}

void fz_stop_signal_reraise(void)
{
	const int number = stop_signal;

	if (!number)
		return;
	signal(number, SIG_DFL);
	raise(number);
}
