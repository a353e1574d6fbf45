// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of every thread that zeroes. */
#include <fz/counters.h>

#include <pthread.h>

#include <fz/round.h>
#include <fz/team.h>

/* What threads make of one list. */
struct opening {
	const struct fz_bench *lead;
	const struct fz_counter_list *asked;
	pthread_mutex_t lock;
	/* Under the lock: */
	struct fz_counter_list *list;
	int code;
	struct fz_err *err;
};

static void merge(struct fz_counter_list *list,
		  const struct fz_counter_list *found)
{
	for (size_t i = 0; i < list->nr; i++) {
		struct fz_counter *counter = &list->counter[i];
		const struct fz_counter *one = &found->counter[i];

		if (!counter->code)
			counter->code = one->code;
		if (one->user_only)
			*counter = (struct fz_counter){
				.event = one->event,
				.code = counter->code,
				.user_only = true,
			};
	}
	if (found->read_ns > list->read_ns)
		list->read_ns = found->read_ns;
}

static void open_on(struct opening *opening, struct fz_bench *bench)
{
	struct fz_counter_list found = *opening->asked;
	struct fz_err err = { "" };
	const int code =
		fz_counters_open(&bench->counters, bench->hooks, &found, &err);

	pthread_mutex_lock(&opening->lock);
	if (!code)
		merge(opening->list, &found);
	else if (!opening->code)
		opening->code = fz_err_set(opening->err, code, "%s", err.msg);
	pthread_mutex_unlock(&opening->lock);
}

static void open_worker(void *arg, unsigned int worker)
{
	struct opening *opening = arg;

	open_on(opening, fz_team_bench(opening->lead->team, worker));
}

int fz_bench_count(struct fz_bench *bench, struct fz_counter_list *list,
		   const struct fz_perf_rights *rights, struct fz_err *err)
{
	const struct fz_counter_list asked = *list;
	struct opening opening = {
		.lead = bench,
		.asked = &asked,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.list = list,
		.err = err,
	};

	if (bench->team)
		fz_team_run(bench->team, fz_team_size(bench->team), open_worker,
			    &opening);
	else
		open_on(&opening, bench);
	for (size_t i = 0; i < list->nr; i++)
		fz_counter_explain(&list->counter[i], rights);
	return opening.code;
}
