// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups of counters of one thread. */
#include <fz/counters.h>

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "perf_event_kind.h"

/* What a read gives before the values. */
#define HEAD_WORDS 3u
#define NR_WORDS   (HEAD_WORDS + FZ_MAX_COUNTERS)

/* Readings that the price of one is the least of. */
#define NR_PRICE_READS 16

struct reading {
	uint64_t words[NR_WORDS];
	bool failed;
};

/* Counters that run at the same time and are read with one call. */
struct group {
	int member[FZ_MAX_COUNTERS];   /* [nr]; the first one leads */
	size_t event[FZ_MAX_COUNTERS]; /* [nr] index in the list */
	size_t nr;
	struct reading before;
};

struct fz_counters {
	const struct fz_hooks *hooks;
	struct group groups[FZ_MAX_COUNTERS]; /* [nr_groups] */
	size_t nr_groups;
};

static bool is_refusal(int code)
{
	return code == -EACCES || code == -EPERM;
}

/* With the kernel's part if that may be counted, else without. */
static int open_counter(const struct fz_hooks *hooks,
			struct fz_counter *counter, int leader)
{
	struct fz_perf_config *event = &counter->event.perf;
	struct fz_perf_config user = *event;
	int code, again;

	if (counter->event.foreign)
		return -ENOENT;
	code = hooks->perf_open(hooks->state, event, leader);
	if (!is_refusal(code) || event->exclude_kernel || event->exclude_user ||
	    event_is_kernels_own(event->type, event->config))
		return code;
	user.exclude_kernel = true;
	again = hooks->perf_open(hooks->state, &user, leader);
	if (again < 0)
		return is_refusal(again) ? code : again;
	if (!event_is_clock(event->type, event->config)) {
		*event = user;
		counter->user_only = true;
	}
	return again;
}

void fz_counter_explain(struct fz_counter *counter,
			const struct fz_perf_rights *rights)
{
	counter->reason[0] = '\0';
	if (counter->code)
		fz_perf_refusal(counter->reason, sizeof(counter->reason),
				counter->code, counter->event.source, rights);
	else if (counter->user_only)
		fz_perf_needs(counter->reason, sizeof(counter->reason), rights);
}

struct fz_counter fz_counter_try(const struct fz_hooks *hooks,
				 const struct fz_perf_event *event,
				 const struct fz_perf_rights *rights)
{
	struct fz_counter counter = { .event = *event };
	const int opened = open_counter(hooks, &counter, -1);

	if (opened < 0)
		counter.code = opened;
	else
		hooks->perf_close(hooks->state, opened);
	fz_counter_explain(&counter, rights);
	return counter;
}

static void group_close(const struct fz_hooks *hooks, struct group *group)
{
	/* The leader last: without it the others would be leaders. */
	while (group->nr > 0)
		hooks->perf_close(hooks->state, group->member[--group->nr]);
}

static void group_add(struct group *group, size_t event, int opened)
{
	group->member[group->nr] = opened;
	group->event[group->nr++] = event;
}

/* All members at once. */
static void group_start(const struct fz_hooks *hooks, const struct group *group,
			struct fz_counter_list *list)
{
	const int code = hooks->perf_enable(hooks->state, group->member[0]);

	for (size_t i = 0; code && i < group->nr; i++)
		list->counter[group->event[i]].code = code;
}

static bool group_read(const struct fz_hooks *hooks, const struct group *group,
		       struct reading *reading)
{
	const size_t nr = HEAD_WORDS + group->nr;
	const ssize_t bytes = hooks->perf_read(hooks->state, group->member[0],
					       reading->words, nr);

	reading->failed = bytes != (ssize_t)(nr * sizeof(reading->words[0])) ||
			  reading->words[0] != group->nr;
	return !reading->failed;
}

/* Is it on the CPU now? Others may hold the counters that it would need. */
static bool group_runs(const struct fz_hooks *hooks, const struct group *group)
{
	struct reading reading;

	return group_read(hooks, group, &reading) && reading.words[2] > 0;
}

/* Whatever the reason, a counter of its own may still do. */
static int join(struct fz_counters *c, struct fz_counter *counter, size_t event,
		const struct group *group)
{
	struct group *own = &c->groups[c->nr_groups];
	int opened = -EINVAL;

	if (group) {
		opened = open_counter(c->hooks, counter, group->member[0]);
		if (opened >= 0)
			group_add(&c->groups[c->nr_groups - 1], event, opened);
	}
	if (opened < 0) {
		opened = open_counter(c->hooks, counter, -1);
		if (opened >= 0) {
			c->nr_groups++;
			group_add(own, event, opened);
		}
	}
	return opened < 0 ? opened : 0;
}

/* All events of a source that were not refused, together as far as they fit. */
static void open_source(struct fz_counters *c, struct fz_counter_list *list,
			enum fz_perf_source source, bool alone)
{
	const size_t first = c->nr_groups;

	for (size_t i = 0; i < list->nr; i++) {
		struct fz_counter *counter = &list->counter[i];
		const struct group *last =
			c->nr_groups > first ? &c->groups[c->nr_groups - 1]
					     : NULL;

		if (counter->event.source == source && !counter->code)
			counter->code =
				join(c, counter, i, alone ? NULL : last);
	}
	for (size_t i = first; i < c->nr_groups; i++)
		group_start(c->hooks, &c->groups[i], list);
}

static void close_from(struct fz_counters *c, size_t first)
{
	while (c->nr_groups > first)
		group_close(c->hooks, &c->groups[--c->nr_groups]);
}

/*
 * The kernel takes a group that would fit an idle CPU. Where somebody else,
 * such as a watchdog, holds one of its counters the group never runs; alone its
 * members take turns with the rest.
 */
static void open_pmu(struct fz_counters *c, struct fz_counter_list *list)
{
	open_source(c, list, FZ_PERF_PMU, false);
	if (c->nr_groups == 0 || group_runs(c->hooks, &c->groups[0]))
		return;
	close_from(c, 0);
	open_source(c, list, FZ_PERF_PMU, true);
}

static uint64_t price_of_reading(struct fz_counters *c)
{
	const struct fz_hooks *hooks = c->hooks;
	uint64_t least_ns = UINT64_MAX;

	for (int i = 0; i < NR_PRICE_READS; i++) {
		const uint64_t begin_ns = hooks->now_ns(hooks->state);
		uint64_t ns;

		fz_counters_begin(c);
		ns = hooks->now_ns(hooks->state) - begin_ns;
		if (ns < least_ns)
			least_ns = ns;
	}
	return least_ns;
}

int fz_counters_open(struct fz_counters **out, const struct fz_hooks *hooks,
		     struct fz_counter_list *list, struct fz_err *err)
{
	struct fz_counters *c = calloc(1, sizeof(*c));

	if (!c)
		return fz_err_set(err, -ENOMEM, "no memory for counters");
	c->hooks = hooks;
	open_pmu(c, list);
	open_source(c, list, FZ_PERF_SOFTWARE, false);
	list->read_ns = c->nr_groups ? price_of_reading(c) : 0;
	*out = c;
	return 0;
}

void fz_counters_close(struct fz_counters *counters)
{
	if (!counters)
		return;
	close_from(counters, 0);
	free(counters);
}

void fz_counters_begin(struct fz_counters *counters)
{
	for (size_t i = 0; counters && i < counters->nr_groups; i++) {
		struct group *group = &counters->groups[i];

		group_read(counters->hooks, group, &group->before);
	}
}

static void group_count(const struct group *group, const struct reading *after,
			struct fz_counts *counts)
{
	const uint64_t *from = group->before.words, *to = after->words;
	const bool lost = group->before.failed || after->failed;

	for (size_t i = 0; i < group->nr; i++) {
		const size_t value = HEAD_WORDS + i;

		counts->of[group->event[i]] =
			lost ? (struct fz_count){ .lost = true }
			     : (struct fz_count){
				       .value = to[value] - from[value],
				       .enabled_ns = to[1] - from[1],
				       .running_ns = to[2] - from[2],
			       };
	}
}

void fz_counters_end(struct fz_counters *counters, struct fz_counts *counts)
{
	for (size_t i = 0; counters && i < counters->nr_groups; i++) {
		const struct group *group = &counters->groups[i];
		struct reading after;

		group_read(counters->hooks, group, &after);
		group_count(group, &after, counts);
	}
}
