// SPDX-License-Identifier: GPL-2.0-or-later
/* Catches the signals that ask to stop. */
#include "stop_signal.h"

#include <stddef.h>

/* The one piece of mutable file-scope state that a handler needs. */
static volatile sig_atomic_t stop_signal;

static void on_stop(int number)
{
	stop_signal = number;
}

const volatile sig_atomic_t *fz_stop_signal_catch(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	/* No SA_RESTART: a write that blocks must return. */
	const struct sigaction action = { .sa_handler = on_stop };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
	return &stop_signal;
}

void fz_stop_signal_reraise(void)
{
	const int number = stop_signal;

	if (!number)
		return;
	signal(number, SIG_DFL);
	raise(number);
}
