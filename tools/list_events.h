/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The section events of `foliosim list`. */
#ifndef FZ_LIST_EVENTS_H
#define FZ_LIST_EVENTS_H

/*
 * Generic and software events, and whether they can be counted here. With a
 * text: all that have it in their names, those of the CPU's vendor too.
 * Return: FZ_EXIT_DONE, or FZ_EXIT_FAILED after a complaint.
 */
int fz_list_events(const char *text);

#endif
