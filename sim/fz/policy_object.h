/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies that are shared objects: planned in a process of their own. */
#ifndef FZ_POLICY_OBJECT_H
#define FZ_POLICY_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/policy.h>

/**
 * DOC: policy objects
 *
 * A policy object is a shared object with a `const struct fz_policy fz_policy`
 * that begins with FZ_POLICY_HEAD. It is loaded, and its plan() is called, only
 * in a child process, forked when the object is opened, with little memory,
 * little time and no way to other processes, files or the network. What comes
 * back are bytes: the policy's words, then plans, which are verified before
 * anybody uses them. Whatever the object does, the caller gets a plan that
 * clears every page of the folio once, or a sentence that says why not.
 *
 * The process may only make the system calls that loading and planning need. It
 * opens files only while it loads, and only for reading; it takes no huge pages
 * of the pool. Where the kernel has no such filter, as in some containers, the
 * limits remain. It is in a session of its own, prints to nowhere, and ends
 * with the thread that opened the object.
 *
 * Open objects early, before there are threads: a fork later, with huge pages
 * mapped, would copy them. The program must show its functions to the object
 * (CMake's ENABLE_EXPORTS, the linker's -rdynamic).
 */

/**
 * struct fz_policy_limits - what a policy object may use
 * @cpu_ms: CPU time of one plan, and of loading the object; while nobody waits
 *	for it, up to two seconds more until the next request
 * @wall_ms: time of one plan in which it need not have run
 * @memory_bytes: address space beyond what the process has at the fork, or
 *	beyond 1 GiB if that is unknown; 0 means without limit
 * @max_runs: of one plan
 * @max_calls: resched calls of one plan that are no part of a clearing run
 */
struct fz_policy_limits {
	uint64_t cpu_ms;
	uint64_t wall_ms;
	uint64_t memory_bytes;
	uint64_t max_runs;
	uint64_t max_calls;
};

/* Far beyond what any sound policy needs. */
extern const struct fz_policy_limits fz_policy_limits_default;

struct fz_policy_object;

/**
 * fz_policy_object_open() - load a policy
 * @out: written on success
 * @path: of the object; used as it is, nothing is searched for
 * @verify: refuse plans that do not clear every page once; else only those that
 *	are not well-formed or leave the folio
 * @limits: what it may use; NULL for the default
 * @stop: no longer waits for the object, now or for a plan, once this is not 0;
 *	NULL: never. Outlives the object
 * @err: written on failure: names the path
 *
 * Return: 0, -EINVAL if it is no policy of this version and machine or
 * misbehaves, -ENOMEM, -EINTR if @stop was set, or the negative errno of what
 *could not be opened.
 */
int fz_policy_object_open(struct fz_policy_object **out, const char *path,
			  bool verify, const struct fz_policy_limits *limits,
			  const atomic_int *stop, struct fz_err *err);

/**
 * fz_policy_object_policy() - the policy
 * @object: the object
 *
 * Its plans are asked for by fz_policy_plan(), from any thread. After an object
 * has crashed or used up its time there are no more plans of it, and every
 * request gets the same sentence. The codes are -EINVAL, -ENOMEM, and -EINTR if
 * @stop was set while the plan was waited for, which ends the object as well.
 *
 * Return: valid until fz_policy_object_close().
 */
const struct fz_policy *
fz_policy_object_policy(const struct fz_policy_object *object);

/**
 * fz_policy_object_close() - end its process
 * @object: the object; NULL is ignored
 */
void fz_policy_object_close(struct fz_policy_object *object);

#endif
