/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ending on a signal after everything was given back. */
#ifndef FZ_STOP_SIGNAL_H
#define FZ_STOP_SIGNAL_H

#include <stdatomic.h>

/*
 * From now on the signals that would end the program only set the flag (one
 * that was ignored stays so), and SIGPIPE and SIGXFSZ are errors of the write.
 * Return: the flag, which holds the signal's number.
 */
const atomic_int *fz_stop_signal_catch(void);

/* The same flag, also where nothing is caught: then it stays 0. */
const atomic_int *fz_stop_signal(void);

/* Nothing is held any more: a second signal ends the program at once. */
void fz_stop_signal_release(void);

/* Die of the signal that was caught; return if there was none. */
void fz_stop_signal_reraise(void);

#endif
