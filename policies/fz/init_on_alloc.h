/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What init_on_alloc=1 makes of a policy. */
#ifndef FZ_INIT_ON_ALLOC_H
#define FZ_INIT_ON_ALLOC_H

#include <stdbool.h>

#include <fz/policy.h>

/**
 * DOC: init_on_alloc
 *
 * With init_on_alloc=1 the allocator zeroes what it hands out. That concerns
 * THP and mTHP folios, not those of hugetlb. Up to 6.19 a fault then zeroes
 * them a second time; 7.x leaves that out, and with it the order of the policy.
 * Recorded on 6.12 and 7.3.
 */

/**
 * enum fz_init_on_alloc - what the kernel does about it
 * @FZ_INIT_OFF: init_on_alloc=0: the policy alone
 * @FZ_INIT_TWICE: 6.12: the allocator page by page, then the policy
 * @FZ_INIT_ONCE: 7.3: the allocator in one extent, and nothing else
 * @FZ_NR_INIT_ON_ALLOC: how many there are
 */
enum fz_init_on_alloc {
	FZ_INIT_OFF,
	FZ_INIT_TWICE,
	FZ_INIT_ONCE,
	FZ_NR_INIT_ON_ALLOC,
};

/**
 * fz_init_on_alloc_name() - its name on the command line
 * @init: which
 *
 * Return: "off", or the kernel that it was recorded on.
 */
const char *fz_init_on_alloc_name(enum fz_init_on_alloc init);

/**
 * struct fz_init_policy - a policy as such a kernel carries it out
 * @policy: of the same name; its plans have all that is zeroed. Not to be
 *	copied out of this struct.
 * @of: the policy alone
 */
struct fz_init_policy {
	struct fz_policy policy;
	const struct fz_policy *of;
};

/**
 * fz_policy_init_on_alloc() - what the allocator makes of a policy
 * @policy: the policy alone; must outlive what is returned
 * @init: what the allocator does
 *
 * Return: the policy as it is carried out.
 */
struct fz_init_policy fz_policy_init_on_alloc(const struct fz_policy *policy,
					      enum fz_init_on_alloc init);

#endif
