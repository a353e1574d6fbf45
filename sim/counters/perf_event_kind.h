/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Software events for which user and kernel mode are not what they seem. */
#ifndef FZ_PERF_EVENT_KIND_H
#define FZ_PERF_EVENT_KIND_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The kernel raises these in its own name, so that a counter of user mode alone
 * would say 0 whatever happens.
 */
static inline bool event_is_kernels_own(uint32_t type, uint64_t config)
{
	return type == PERF_TYPE_SOFTWARE &&
	       (config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

/* These are the thread's time, whatever is excluded. */
static inline bool event_is_clock(uint32_t type, uint64_t config)
{
	return type == PERF_TYPE_SOFTWARE &&
	       (config == PERF_COUNT_SW_TASK_CLOCK ||
		config == PERF_COUNT_SW_CPU_CLOCK);
}

#endif
