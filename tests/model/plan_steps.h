/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plain arrays of steps, to compare plans with, and an expansion of runs that
 * shares nothing with the walker. */
#ifndef PLAN_STEPS_H
#define PLAN_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/plan.h>
#include <fz/random.h>

/* The caller's memory; all zero is empty. Running out of memory aborts. */
struct steps {
	struct fz_step *at; /* [nr] */
	size_t nr;
	size_t capacity;
};

void steps_fini(struct steps *steps);
void steps_clear(struct steps *steps, uint64_t first, uint64_t nr,
		 enum fz_hint hint);
void steps_call(struct steps *steps, enum fz_op op);

/*
 * Appends what a text says, words apart by blanks: "P" is a cond_resched(),
 * "M" a might_sleep(), "7" clears page 7, "4+3" the pages 4 to 6 in one call,
 * "~4+3" the same with streaming stores.
 */
void steps_parse(struct steps *steps, const char *text);

/* Appends what the walker says the plan is. */
void steps_walk(struct steps *steps, const struct fz_plan *plan);

/* Appends what the runs mean, from the words in fz/plan.h. */
void steps_expand(struct steps *steps, const struct fz_plan *plan);

/* The same steps? If not, first_bad is where they differ. */
bool steps_match(const struct steps *a, const struct steps *b,
		 size_t *first_bad);

/* Emits every step to a builder and finishes it; returns 0 or -errno. */
int steps_build(const struct steps *steps, uint64_t nr_pages,
		struct fz_plan *plan);

/* Any valid run inside a folio of nr_pages. */
struct fz_run random_run(struct fz_random *random, uint64_t nr_pages);

/* A plan of 0 to 5 such runs; pages may occur more than once. */
int random_plan(struct fz_random *random, uint64_t nr_pages,
		struct fz_plan *plan);

#endif
