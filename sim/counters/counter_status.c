// SPDX-License-Identifier: GPL-2.0-or-later
/* What there is of a counter, in a word. */
#include <fz/counters.h>

#include <errno.h>

enum fz_counter_status fz_counter_status(const struct fz_counter *counter,
					 const struct fz_count *count)
{
	if (counter->code == -EACCES || counter->code == -EPERM)
		return FZ_COUNTER_DENIED;
	if (counter->code || count->lost || !count->running_ns)
		return FZ_COUNTER_UNSUPPORTED;
	return count->running_ns == count->enabled_ns ? FZ_COUNTER_COUNTED
						      : FZ_COUNTER_SCALED;
}

const char *fz_counter_status_name(enum fz_counter_status status)
{
	static const char *const names[] = {
		[FZ_COUNTER_COUNTED] = "counted",
		[FZ_COUNTER_SCALED] = "scaled",
		[FZ_COUNTER_UNSUPPORTED] = "unsupported",
		[FZ_COUNTER_DENIED] = "denied",
	};

	return names[status];
}

const char *fz_counter_mode(const struct fz_counter *counter)
{
	const struct fz_perf_config *event = &counter->event.perf;

	if (event->exclude_kernel)
		return "user";
	return event->exclude_user ? "kernel" : "user+kernel";
}
