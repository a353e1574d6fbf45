/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that a policy object's process may make. */
#ifndef CALL_FILTER_H
#define CALL_FILTER_H

/*
 * From here on only those of loading and planning: another one sends
 * FZ_WIRE_CALL and ends the process. A kernel or a container without such
 * filters goes on without.
 */
void fz_call_filter_load(void);

/* After loading: from here on only those of planning, which opens nothing. */
void fz_call_filter_plan(void);

#endif
