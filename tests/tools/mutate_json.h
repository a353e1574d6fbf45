/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON documents with something wrong in them. */
#ifndef MUTATE_JSON_H
#define MUTATE_JSON_H

#include <stdbool.h>

#include <fz/random.h>

/*
 * A copy in which some bytes, or else some members, are changed, removed or
 * doubled. For free().
 */
char *mutated_json(struct fz_random *random, const char *text, bool bytes);

/*
 * @good, in which the @nth occurrence of @from, counted from 0, is @to, and '
 * is ". For free(); the program aborts if there is none.
 */
char *changed_json(const char *good, unsigned int nth, const char *from,
		   const char *to);

#endif
