/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload that is right, and what makes it wrong. */
#ifndef MADE_WORKLOADS_H
#define MADE_WORKLOADS_H

#include <stdbool.h>
#include <stddef.h>

/* A whole workload, of which tests change one thing; see changed_json(). */
extern const char good_workload[];

/**
 * struct wrong_workload - a change that makes it wrong
 * @nth: occurrence of @from, counted from 0
 * @from: what is replaced
 * @to: by this
 * @says: in the message
 * @fits: a schema has no way to tell
 */
struct wrong_workload {
	unsigned int nth;
	const char *from, *to, *says;
	bool fits;
};

extern const struct wrong_workload wrong_workloads[];
extern const size_t nr_wrong_workloads;

#endif
