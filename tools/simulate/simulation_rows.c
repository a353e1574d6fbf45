// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of a simulation: made, and simulated in some threads. */
#include "simulation.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <fz/folio.h>

#include "timeline.h"

void fz_simulation_fini(struct fz_simulation *s)
{
	for (size_t i = 0; i < s->nr_rows; i++)
		if (fz_simulated_has_figures(&s->rows[i]))
			fz_sim_result_fini(&s->rows[i].result);
	free(s->rows);
	fz_workload_fini(&s->workload);
	fz_replay_traces_close(&s->traces);
}

bool fz_simulated_has_figures(const struct fz_simulated_row *row)
{
	return row->status == FZ_SIMULATED ||
	       row->status == FZ_SIMULATED_PARTIAL;
}

uint64_t fz_simulated_batch_bytes(const struct fz_simulated_row *row)
{
	const struct fz_zero_request request = { .batch_pages =
							 row->batch_pages };

	return fz_policy_batch_pages(&row->carried.policy, &request)
	       << FZ_PAGE_SHIFT;
}

/* Of any folio: the kind of its steps does not depend on it. A policy that has
 * no plan is a row with a reason. */
static void find_out_streams(struct fz_simulated_row *row)
{
	const struct fz_zero_request request = {
		.nr_pages = 512,
		.fault_page = 256,
		.preempt = row->preempt,
		.radius_pages = FZ_RADIUS_PAGES,
	};
	struct fz_plan plan;
	struct fz_err err = { "" };

	if (fz_policy_plan(&row->carried.policy, &request, &plan, &err)) {
		row->status = FZ_SIMULATED_UNSUPPORTED;
		snprintf(row->reason, sizeof(row->reason), "%s", err.msg);
		return;
	}
	row->streams = fz_plan_uses_hint(&plan, FZ_HINT_STREAMING);
	fz_plan_fini(&plan);
}

static int add_row(struct fz_simulation *s, struct fz_simulated_row row,
		   struct fz_err *err)
{
	const struct fz_profile *profile = &s->profile.profile;
	const enum fz_init_on_alloc init =
		s->options.hugetlb ? FZ_INIT_OFF : s->options.init;
	struct fz_simulated_row *larger;

	row.carried = fz_policy_init_on_alloc(row.policy, init);
	find_out_streams(&row);
	if (row.streams && !s->prices.streaming) {
		row.status = FZ_SIMULATED_UNSUPPORTED;
		snprintf(row.reason, sizeof(row.reason),
			 "profile '%s' has no primitive that streams",
			 profile->name);
	}
	larger = realloc(s->rows, (s->nr_rows + 1) * sizeof(*larger));
	if (!larger)
		return fz_err_set(err, -ENOMEM, "out of memory");
	s->rows = larger;
	s->rows[s->nr_rows++] = row;
	return 0;
}

/* One, where the policy knows no batches. */
static int add_batches(struct fz_simulation *s, const struct fz_policy *policy,
		       enum fz_preempt preempt, struct fz_err *err)
{
	const struct fz_bench_options *lists = &s->options.replay.bench;
	const bool uses = policy->uses & FZ_USES_BATCH;
	const size_t nr = uses && lists->nr_batches ? lists->nr_batches : 1;
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++)
		code = add_row(
			s,
			(struct fz_simulated_row){
				.policy = policy,
				.preempt = preempt,
				.batch_pages = uses ? lists->batches[i] : 0,
			},
			err);
	return code;
}

static int add_models(struct fz_simulation *s, const struct fz_policy *policy,
		      struct fz_err *err)
{
	const struct fz_bench_options *lists = &s->options.replay.bench;
	int code = 0;

	if (!lists->nr_preempts)
		return add_batches(s, policy, FZ_PREEMPT_NONE, err);
	for (size_t i = 0; i < lists->nr_preempts && !code; i++)
		code = add_batches(s, policy, lists->preempts[i], err);
	return code;
}

static int add_policies(struct fz_simulation *s, struct fz_err *err)
{
	const struct fz_policy *const *policies =
		fz_policy_list_all(&s->options.replay.bench.policies);
	int code = 0;

	for (size_t i = 0; policies[i] && !code; i++)
		code = add_models(s, policies[i], err);
	return code;
}

int fz_simulation_make_rows(struct fz_simulation *s)
{
	struct fz_err err;

	if (add_policies(s, &err)) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	if (!s->options.timeline || s->nr_rows == 1)
		return FZ_EXIT_DONE;
	fz_complain("--timeline shows one row, and these are %zu: give one "
		    "--policy, --preempt and --batch",
		    s->nr_rows);
	return FZ_EXIT_USAGE;
}

static struct fz_sim_params params_of(const struct fz_simulation *s,
				      const struct fz_simulated_row *row,
				      const atomic_int *stop)
{
	const struct fz_simulate_options *o = &s->options;

	return (struct fz_sim_params){
		.profile = &s->profile.profile,
		.nr_cpus = s->workload.nr_cpus,
		.policy = &row->carried.policy,
		.clear = s->prices.cached,
		.stream = row->streams ? s->prices.streaming : NULL,
		.preempt = row->preempt,
		.context = o->context,
		.batch_pages = row->batch_pages,
		.radius_pages = o->radius_pages,
		.slice_ns = o->slice_ns,
		.wins = o->wins,
		.warn_ns = o->warn_ns,
		.until_ns = o->until_ns,
		.max_events = o->max_events,
		.bandwidth_bin_ns = FZ_SIMULATION_BIN_NS,
		.seed = o->replay.bench.seed,
		.stop = stop,
		.tasks = s->workload.tasks,
		.nr_tasks = s->workload.nr_tasks,
	};
}

/* The library does not know how it is to be asked. */
static const char *advice(int code)
{
	switch (code) {
	case -E2BIG:
		return ": give a larger --max-events, or an end with --until";
	case -EDEADLK:
		return ": give an end with --until";
	default:
		return "";
	}
}

/* Why a row is not whole. */
static void set_reason(struct fz_simulated_row *row, int code,
		       const struct fz_err *err)
{
	snprintf(row->reason, sizeof(row->reason), "%.900s%s",
		 code == -EINTR ? "stopped by a signal"
		 : code         ? err->msg
				: "",
		 advice(code));
}

static void simulate(const struct fz_simulation *s,
		     struct fz_simulated_row *row,
		     const struct fz_sim_observer *observer,
		     const atomic_int *stop)
{
	const struct fz_sim_params params = params_of(s, row, stop);
	struct fz_err err = { "" };
	const int code = fz_simulate(&params, observer, &row->result, &err);

	row->status = code == 0        ? FZ_SIMULATED
		      : code == -EINTR ? FZ_SIMULATED_PARTIAL
				       : FZ_SIMULATED_UNSUPPORTED;
	set_reason(row, code, &err);
}

/* What threads that simulate share. */
struct work {
	const struct fz_simulation *simulation;
	const struct fz_sim_observer *observer;
	const atomic_int *stop;
	atomic_size_t next; /* row that nobody has begun */
};

static void *take_rows(void *state)
{
	struct work *work = state;
	const struct fz_simulation *s = work->simulation;
	size_t i;

	while (!*work->stop && (i = work->next++) < s->nr_rows)
		if (s->rows[i].status == FZ_SIMULATED_NOT)
			simulate(s, &s->rows[i], work->observer, work->stop);
	return NULL;
}

/* This thread is one of them; with fewer than asked for it takes longer. */
static void run_jobs(struct work *work, size_t nr_jobs)
{
	pthread_t *threads = calloc(nr_jobs, sizeof(*threads));
	size_t nr = 0;

	while (threads && nr + 1 < nr_jobs &&
	       !pthread_create(&threads[nr], NULL, take_rows, work))
		nr++;
	take_rows(work);
	while (nr)
		pthread_join(threads[--nr], NULL);
	free(threads);
}

static int run_all(struct fz_simulation *s,
		   const struct fz_sim_observer *observer,
		   const atomic_int *stop)
{
	const size_t nr_jobs = s->options.nr_jobs < s->nr_rows
				       ? s->options.nr_jobs
				       : s->nr_rows;
	struct work work = { s, observer, stop, 0 };

	run_jobs(&work, nr_jobs);
	s->partial = *stop;
	return FZ_EXIT_DONE;
}

static int run_with_timeline(struct fz_simulation *s, const atomic_int *stop)
{
	struct fz_timeline *timeline = NULL;
	struct fz_sim_observer observer;
	char title[128];
	int status, closed;

	snprintf(title, sizeof(title), "%s: %s, preempt %s",
		 s->profile.profile.name, s->rows[0].policy->name,
		 fz_preempt_name(s->rows[0].preempt));
	status = fz_timeline_open(&timeline, s->options.timeline, title,
				  s->workload.tasks);
	if (status)
		return status;
	observer = fz_timeline_observer(timeline);
	status = run_all(s, &observer, stop);
	closed = fz_timeline_close(timeline);
	return status ? status : closed;
}

int fz_simulation_run(struct fz_simulation *s, const atomic_int *stop)
{
	return s->options.timeline ? run_with_timeline(s, stop)
				   : run_all(s, NULL, stop);
}
