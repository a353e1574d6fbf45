/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process of a policy object, seen from the one that uses it. */
#ifndef OBJECT_LINK_H
#define OBJECT_LINK_H

#include <fz/policy_object.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "object_wire.h"

/*
 * Caller's memory. What comes from the other end may be anything; what these
 * functions return may be used. When the process is no longer good for anything
 * it is ended, and `dead` says why, without the object's path.
 */
struct fz_object_link {
	struct fz_policy_limits limits;
	const atomic_int *stop; /* NULL: nobody asks */
	pid_t pid;              /* 0 once it has ended */
	int fd;
	uint64_t sequence; /* of the latest request */
	uint64_t cpu_ns;   /* CPU time that it had at the latest request */
	uint64_t begin_ns; /* when that was */
	int dead_code;     /* negative errno */
	struct fz_err dead;
};

/* Forks; fz_object_link_policy() comes next. 0 or -errno. */
int fz_object_link_open(struct fz_object_link *link, const char *path,
			const struct fz_policy_limits *limits,
			const atomic_int *stop, struct fz_err *err);

/* The policy, its words bounded and printable. 0 or a negative errno. */
int fz_object_link_policy(struct fz_object_link *link,
			  struct fz_wire_policy *policy, struct fz_err *err);

/*
 * One plan, for the caller to fz_plan_fini(). Its runs are within the limits in
 * number and are not checked otherwise. 0, -EINVAL, -ENOMEM, or -EINTR: the
 * flag was set while it was waited for, and the process is ended.
 */
int fz_object_link_plan(struct fz_object_link *link,
			const struct fz_zero_request *request,
			struct fz_plan *plan, struct fz_err *err);

/* Ends the process. */
void fz_object_link_close(struct fz_object_link *link);

#endif
