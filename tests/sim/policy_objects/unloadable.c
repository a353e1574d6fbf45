// SPDX-License-Identifier: GPL-2.0-or-later
/* Policy objects that are none, one for each LACK_. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include <fz/policy.h>

void fz_no_such_function(void);
void some_plan(struct fz_plan_builder *builder,
	       const struct fz_zero_request *request);

void some_plan(struct fz_plan_builder *builder,
	       const struct fz_zero_request *request)
{
	(void)request;
	fz_plan_might_sleep(builder);
#ifdef LACK_FUNCTION
	fz_no_such_function();
#endif
}

#if defined(LACK_END)
__attribute__((constructor)) static void begin(void)
{
	for (volatile unsigned int i = 0;; i++)
		;
}
#elif defined(LACK_LIFE)
__attribute__((constructor)) static void begin(void)
{
	raise(SIGSEGV);
}
#elif defined(LACK_PATIENCE)
__attribute__((constructor)) static void begin(void)
{
	_exit(5);
}
#elif defined(LACK_MANNERS)
__attribute__((constructor)) static void begin(void)
{
	static const char zeros[4096];

	for (int fd = 3; fd < 100; fd++)
		if (write(fd, zeros, sizeof(zeros)) < 0)
			continue;
}
#elif defined(LACK_PEACE)
__attribute__((constructor)) static void begin(void)
{
	fork();
}
#endif

#if defined(LACK_SYMBOL)
#define OBJECT fz_another_word
#elif defined(LACK_STRUCT)
const uint32_t fz_policy = FZ_POLICY_ABI;
#define OBJECT fz_another_word
#elif defined(LACK_BYTES)
const uint32_t fz_policy[] = { FZ_POLICY_ABI, sizeof(struct fz_policy), 0 };
#define OBJECT fz_another_word
#elif defined(LACK_DATA)
void fz_policy(void);
void fz_policy(void)
{
}
#define OBJECT fz_another_word
#else
#define OBJECT fz_policy
#endif

const struct fz_policy OBJECT = {
#if defined(LACK_VERSION)
	.abi = FZ_POLICY_ABI + 1,
	.bytes = sizeof(struct fz_policy) + 8,
#elif defined(LACK_SIZE)
	.abi = FZ_POLICY_ABI,
	.bytes = sizeof(struct fz_policy) - 8,
#elif !defined(LACK_HEAD)
	FZ_POLICY_HEAD,
#endif
#if defined(LACK_GOOD_NAME)
	.name = "Policy, \033[31mred",
#elif defined(LACK_SHORT_NAME)
	.name = "a23456789-123456789-123456789-123456789-123456789-123456789-"
		"12345",
#elif !defined(LACK_NAME)
	.name = "lacks-something",
#endif
#if defined(LACK_SUMMARY)
	.summary = "",
#else
	.summary = "all but something",
#endif
#if !defined(LACK_KERNELS)
	.kernels = "none",
#endif
#if !defined(LACK_MODELS)
	.models = FZ_PREEMPT_ANY,
#endif
#if defined(LACK_USES)
	.uses = 1u << 9,
#endif
#if defined(LACK_PLAN)
	.make_plan = NULL,
#else
	.plan = some_plan,
#endif
};
