/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that policy objects call. */
#ifndef POLICY_FUNCTIONS_H
#define POLICY_FUNCTIONS_H

/*
 * They are in this program even if nothing else in it uses them; NULL, or the
 * name of one that this program does not show to shared objects.
 */
const char *fz_policy_function_hidden(void);

#endif
