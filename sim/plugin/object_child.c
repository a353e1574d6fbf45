// SPDX-License-Identifier: GPL-2.0-or-later
/* The process in which a policy object is loaded and plans. */
#include "object_child.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fz/policy.h>

#include "confine.h"
#include "object_wire.h"
#include "policy_functions.h"

static void send_reply(struct fz_wire_reply *reply)
{
	reply->magic = FZ_WIRE_MAGIC;
	if (!fz_wire_write(reply, sizeof(*reply)))
		_exit(0);
}

static void send_nothing(uint64_t sequence, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void send_nothing(uint64_t sequence, int code, const char *format, ...)
{
	struct fz_wire_reply reply = { .kind = FZ_WIRE_NOTHING,
				       .sequence = sequence,
				       .code = code };
	va_list args;

	va_start(args, format);
	vsnprintf(reply.text, sizeof(reply.text), format, args);
	va_end(args);
	send_reply(&reply);
}

/* The loader's sentence mostly begins with the path, which ours does too. */
static void refuse_loading(const char *path)
{
	const char *why = dlerror();
	const size_t bytes = strlen(path);

	if (why && strncmp(why, path, bytes) == 0 && why[bytes] == ':')
		why += bytes + 1 + (why[bytes + 1] == ' ');
	send_nothing(0, -EINVAL, "cannot be loaded: %s",
		     why ? why : "no reason is given");
}

/* That the object has there; what it says of itself is not enough. */
static size_t symbol_bytes(const void *symbol)
{
	const ElfW(Sym) *entry = NULL;
	Dl_info info;

	return dladdr1(symbol, &info, (void **)&entry, RTLD_DL_SYMENT) &&
			       entry &&
			       ELF64_ST_TYPE(entry->st_info) == STT_OBJECT
		       ? entry->st_size
		       : 0;
}

static bool check_version(const struct fz_policy *policy)
{
	const size_t head =
		offsetof(struct fz_policy, bytes) + sizeof(policy->bytes);
	const size_t bytes = symbol_bytes(policy);

	if (bytes < head || !policy->abi)
		send_nothing(0, -EINVAL,
			     "has an fz_policy that is no 'const struct "
			     "fz_policy' which begins with FZ_POLICY_HEAD");
	else if (policy->abi != FZ_POLICY_ABI)
		send_nothing(0, -EINVAL,
			     "was built for policy ABI %u, this is foliosim "
			     "with %u: build it again with this version's "
			     "headers",
			     policy->abi, FZ_POLICY_ABI);
	else if (policy->bytes != sizeof(*policy))
		send_nothing(0, -EINVAL,
			     "has an fz_policy of %u bytes where this foliosim "
			     "has %zu: build it again with this version's "
			     "headers",
			     policy->bytes, sizeof(*policy));
	else if (bytes < sizeof(*policy))
		send_nothing(0, -EINVAL,
			     "has a symbol fz_policy of %zu bytes where a "
			     "'const struct fz_policy' has %zu",
			     bytes, sizeof(*policy));
	else
		return true;
	return false;
}

/* What the words may be, the other end decides. */
static bool copy_word(char *to, size_t bytes, const char *from,
		      const char *member)
{
	if (!from)
		send_nothing(0, -EINVAL, "has no '.%s', which is required",
			     member);
	else if (strnlen(from, bytes) == bytes)
		send_nothing(0, -EINVAL, "has a '.%s' of more than %zu bytes",
			     member, bytes - 1);
	else
		return strcpy(to, from);
	return false;
}

static bool send_policy(const struct fz_policy *policy)
{
	struct fz_wire_reply reply = { .kind = FZ_WIRE_POLICY };
	struct fz_wire_policy words = {
		.uses = policy->uses,
		.models = policy->models,
		.default_batch_pages = policy->default_batch_pages,
	};

	if (!copy_word(words.name, sizeof(words.name), policy->name, "name") ||
	    !copy_word(words.summary, sizeof(words.summary), policy->summary,
		       "summary") ||
	    !copy_word(words.kernels, sizeof(words.kernels), policy->kernels,
		       "kernels"))
		return false;
	if (!policy->plan) {
		send_nothing(0, -EINVAL, "has no '.plan', which is required");
		return false;
	}
	send_reply(&reply);
	return fz_wire_write(&words, sizeof(words));
}

/* NULL after FZ_WIRE_NOTHING. */
static const struct fz_policy *load(const char *path)
{
	const char *hidden = fz_policy_function_hidden();
	const struct fz_policy *policy;
	void *object;

	if (hidden) {
		send_nothing(0, -EINVAL,
			     "cannot be loaded: this program does not show %s: "
			     "link it with ENABLE_EXPORTS",
			     hidden);
		return NULL;
	}
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object) {
		refuse_loading(path);
		return NULL;
	}
	policy = dlsym(object, "fz_policy");
	if (!policy) {
		send_nothing(0, -EINVAL,
			     "is no policy: it defines no 'const struct "
			     "fz_policy fz_policy'");
		return NULL;
	}
	if (!check_version(policy))
		return NULL;
	fz_confine_planning();
	return send_policy(policy) ? policy : NULL;
}

/*
 * Built for a folio without end: a run that leaves the real one is found, and
 * named, by who gets the plan.
 */
static int make_plan(const struct fz_policy *policy,
		     const struct fz_zero_request *request,
		     struct fz_plan *plan)
{
	struct fz_plan_builder *builder = fz_plan_builder_new(UINT64_MAX);

	if (builder)
		policy->plan(builder, request);
	return fz_plan_finish(builder, plan);
}

static void answer(const struct fz_policy *policy,
		   const struct fz_wire_request *asked)
{
	struct fz_wire_reply reply = { .kind = FZ_WIRE_PLAN,
				       .sequence = asked->sequence };
	struct fz_plan plan;
	const int code = make_plan(policy, &asked->request, &plan);

	if (code == -ENOMEM) {
		send_nothing(asked->sequence, code, "no memory for a plan");
		return;
	}
	if (code) {
		send_nothing(asked->sequence, code,
			     "a run or a step is none: an op, a direction, a "
			     "hint or a resched that does not exist, or units "
			     "or calls longer than their range");
		return;
	}
	reply.number = plan.nr_runs;
	reply.conditional = plan.conditional;
	send_reply(&reply);
	if (!fz_wire_write(plan.runs, plan.nr_runs * sizeof(*plan.runs)))
		_exit(0);
	fz_plan_fini(&plan);
}

_Noreturn void fz_object_child_run(const char *path)
{
	const struct fz_policy *policy = load(path);
	struct fz_wire_request asked;

	while (policy && fz_wire_read(&asked, sizeof(asked)))
		answer(policy, &asked);
	_exit(0);
}
