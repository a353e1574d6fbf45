// SPDX-License-Identifier: GPL-2.0-or-later
/* Policies that are shared objects: planned in a process of their own. */
#include <fz/policy_object.h>

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>

#include "object_file.h"
#include "object_link.h"
#include "size_text.h"

const struct fz_policy_limits fz_policy_limits_default = {
	.cpu_ms = 3000,
	.wall_ms = 60000,
	.memory_bytes = 1ull << 30,
	.max_runs = 1u << 20,
	.max_calls = 1u << 24,
};

/* The policy is the first member: make_plan() finds the rest by it. */
struct fz_policy_object {
	struct fz_policy policy;
	struct fz_wire_policy words; /* the policy's strings */
	char *path;                  /* as the user wrote it */
	bool verify;
	uint64_t max_calls;
	pthread_mutex_t lock; /* of link: one request at a time */
	struct fz_object_link link;
};

static struct fz_policy_object *object_of(const struct fz_policy *policy)
{
	return (struct fz_policy_object *)(void *)policy;
}

/* "folio of 2M (order 9), fault page 17" */
static void describe(char *text, size_t cap,
		     const struct fz_zero_request *request)
{
	const uint64_t nr_pages = request->nr_pages;
	char size[64];

	if (nr_pages & (nr_pages - 1))
		snprintf(size, sizeof(size), "%" PRIu64 " pages", nr_pages);
	else
		snprintf(size, sizeof(size), "%s (order %d)",
			 fz_size_text(nr_pages * FZ_PAGE_BYTES).text,
			 __builtin_ctzll(nr_pages));
	snprintf(text, cap, "folio of %s, fault page %" PRIu64, size,
		 request->fault_page);
}

/* Resched calls take no pages, so nothing else bounds them. */
static int check_calls(const struct fz_plan *plan, uint64_t max_calls,
		       struct fz_err *err)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < plan->nr_runs; i++) {
		const struct fz_run *run = &plan->runs[i];

		if (run->op == FZ_OP_CLEAR)
			continue;
		if (run->nr > max_calls - calls)
			return fz_err_set(err, -EINVAL,
					  "more than %" PRIu64 " resched calls",
					  max_calls);
		calls += run->nr;
	}
	return 0;
}

/* Other ops have no other members, see DOC: plans. */
static void tidy(struct fz_plan *plan)
{
	for (size_t i = 0; i < plan->nr_runs; i++) {
		struct fz_run *run = &plan->runs[i];

		if (run->op != FZ_OP_CLEAR)
			*run = (struct fz_run){ .op = run->op, .nr = run->nr };
	}
}

static int check_plan(const struct fz_policy_object *object,
		      struct fz_plan *plan, struct fz_err *err)
{
	int code = check_calls(plan, object->max_calls, err);

	if (!code)
		code = object->verify ? fz_plan_verify(plan, err)
				      : fz_plan_check(plan, err);
	if (code)
		fz_plan_fini(plan);
	else
		tidy(plan);
	return code;
}

static int object_make_plan(const struct fz_policy *policy,
			    const struct fz_zero_request *request,
			    struct fz_plan *plan, struct fz_err *err)
{
	struct fz_policy_object *object = object_of(policy);
	struct fz_err why = { .msg = "" };
	char folio[128];
	bool dead;
	int code;

	pthread_mutex_lock(&object->lock);
	code = fz_object_link_plan(&object->link, request, plan, &why);
	dead = !object->link.pid;
	pthread_mutex_unlock(&object->lock);
	if (!code)
		code = check_plan(object, plan, &why);
	if (!code)
		return 0;
	if (code == -EINTR)
		return fz_err_set(err, code, "%s", why.msg);
	if (dead)
		return fz_err_set(err, code, "'%s': policy '%s' %s",
				  object->path, policy->name, why.msg);
	describe(folio, sizeof(folio), request);
	return fz_err_set(err, code, "'%s': policy '%s', %s: %s", object->path,
			  policy->name, folio, why.msg);
}

static void object_free(struct fz_policy_object *object)
{
	free(object->path);
	free(object);
}

static struct fz_policy_object *object_new(const char *path)
{
	struct fz_policy_object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->path = strdup(path);
	if (object->path)
		return object;
	free(object);
	return NULL;
}

/* The loader would search for a name without a '/'. */
static int open_link(struct fz_policy_object *object,
		     const struct fz_policy_limits *limits,
		     const atomic_int *stop, struct fz_err *err)
{
	char *path = NULL;
	int code;

	if (asprintf(&path, "%s%s", strchr(object->path, '/') ? "" : "./",
		     object->path) < 0)
		return fz_err_set(err, -ENOMEM, "no memory to load '%s'",
				  object->path);
	code = fz_object_link_open(&object->link, path, limits, stop, err);
	free(path);
	return code;
}

static int take_policy(struct fz_policy_object *object, struct fz_err *err)
{
	const struct fz_wire_policy *words = &object->words;
	struct fz_err why = { .msg = "" };
	const int code =
		fz_object_link_policy(&object->link, &object->words, &why);

	if (code == -EINTR)
		return fz_err_set(err, code, "%s", why.msg);
	if (code)
		return fz_err_set(err, code, "'%s' %s%s", object->path, why.msg,
				  object->link.pid ? ""
						   : ", while it was loaded");
	object->policy = (struct fz_policy){
		FZ_POLICY_HEAD,
		.name = words->name,
		.summary = words->summary,
		.kernels = words->kernels,
		.uses = words->uses,
		.models = words->models,
		.default_batch_pages = words->default_batch_pages,
		.make_plan = object_make_plan,
	};
	return 0;
}

int fz_policy_object_open(struct fz_policy_object **out, const char *path,
			  bool verify, const struct fz_policy_limits *limits,
			  const atomic_int *stop, struct fz_err *err)
{
	struct fz_policy_object *object;
	int code = fz_object_file_check(path, err);

	if (code)
		return code;
	object = object_new(path);
	if (!object)
		return fz_err_set(err, -ENOMEM, "no memory to load '%s'", path);
	if (!limits)
		limits = &fz_policy_limits_default;
	object->verify = verify;
	object->max_calls = limits->max_calls;
	code = open_link(object, limits, stop, err);
	if (code) {
		object_free(object);
		return code;
	}
	code = take_policy(object, err);
	if (code) {
		fz_object_link_close(&object->link);
		object_free(object);
		return code;
	}
	pthread_mutex_init(&object->lock, NULL);
	*out = object;
	return 0;
}

const struct fz_policy *
fz_policy_object_policy(const struct fz_policy_object *object)
{
	return &object->policy;
}

void fz_policy_object_close(struct fz_policy_object *object)
{
	if (!object)
		return;
	fz_object_link_close(&object->link);
	pthread_mutex_destroy(&object->lock);
	object_free(object);
}
