// SPDX-License-Identifier: GPL-2.0-or-later
/* The tasks of a simulation. */
#include "simulation.h"

#include <errno.h>
#include <inttypes.h>

#include <fz/folio.h>

#include "workload_made.h"
#include "workload_read.h"
#include "workload_trace.h"

/* All hardware threads of the profile, unless told otherwise. */
static int choose_cpus(struct fz_simulation *s)
{
	const struct fz_profile *profile = &s->profile.profile;

	s->workload.nr_cpus = (unsigned int)s->options.nr_cpus;
	if (s->workload.nr_cpus || s->options.source == FZ_SIMULATE_FILE)
		return FZ_EXIT_DONE;
	if (!profile->nr_cores || !profile->smt) {
		fz_complain("profile '%s' does not say how many CPUs there "
			    "are: give --cpus N",
			    profile->name);
		return FZ_EXIT_FAILED;
	}
	if ((uint64_t)profile->nr_cores * profile->smt > FZ_WORKLOAD_MAX_CPUS) {
		fz_complain("profile '%s' has more than %d CPUs: give --cpus N",
			    profile->name, FZ_WORKLOAD_MAX_CPUS);
		return FZ_EXIT_FAILED;
	}
	s->workload.nr_cpus = profile->nr_cores * profile->smt;
	return FZ_EXIT_DONE;
}

static int nothing_replayed(const struct fz_simulation *s)
{
	fz_complain("no fault to simulate among %" PRIu64 " records: "
		    "'foliosim trace info' tells what they are",
		    s->tally.records);
	return FZ_EXIT_FAILED;
}

static int collect(struct fz_simulation *s, struct fz_workload_trace *trace,
		   const atomic_int *stop)
{
	const struct fz_folio_sink sink = fz_workload_trace_sink(trace);
	const struct fz_replay_params params = {
		.choices = s->options.replay.choices,
		.nr_choices = s->options.replay.nr_choices,
		.unit_bytes = s->options.replay.recorded_bytes
				      ? s->options.replay.recorded_bytes
				      : FZ_PAGE_BYTES,
		.assume_anon = true,
		.stop = stop,
	};
	struct fz_err err = { "" };
	int code = fz_replay_run(fz_replay_traces_source(&s->traces), &params,
				 &sink, 1, &s->tally, &err);

	fz_replay_traces_complain(&s->traces);
	if (code) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	if (!s->tally.replayed)
		return nothing_replayed(s);
	if (s->tally.first_ns == UINT64_MAX)
		s->tally.first_ns = 0;
	if (!fz_workload_trace_finish(trace, &s->workload, s->tally.first_ns))
		return FZ_EXIT_DONE;
	fz_complain("out of memory");
	return FZ_EXIT_FAILED;
}

static int read_traces(struct fz_simulation *s, const atomic_int *stop)
{
	struct fz_workload_trace *trace = NULL;
	int status = fz_replay_traces_open(&s->traces, &s->options.replay);

	if (status)
		return status;
	if (fz_workload_trace_open(&trace)) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	status = collect(s, trace, stop);
	fz_workload_trace_close(trace);
	return status;
}

static int make_tasks(struct fz_simulation *s, const atomic_int *stop)
{
	const struct fz_simulate_options *o = &s->options;
	struct fz_err err = { "out of memory" };
	int code;

	if (o->source == FZ_SIMULATE_TRACES)
		return read_traces(s, stop);
	if (o->source == FZ_SIMULATE_FILE)
		code = fz_workload_read(&s->workload, o->workload, &err);
	else
		code = fz_workload_make_anon(&s->workload, o->bytes,
					     o->folio_bytes);
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("%s", err.msg);
	return FZ_EXIT_FAILED;
}

static int add_wakers(struct fz_simulation *s)
{
	const struct fz_simulate_options *o = &s->options;

	if (!o->has_waker ||
	    !fz_workload_add_wakers(&s->workload, o->waker, o->interval_ns))
		return FZ_EXIT_DONE;
	fz_complain("out of memory");
	return FZ_EXIT_FAILED;
}

static int check_end(const struct fz_simulation *s)
{
	struct fz_err err = { "" };

	if (s->options.until_ns != UINT64_MAX ||
	    !fz_workload_check_end(&s->workload, s->profile.profile.switch_ns,
				   &err))
		return FZ_EXIT_DONE;
	fz_complain("'%s' would not end: %s", s->options.workload, err.msg);
	return FZ_EXIT_FAILED;
}

int fz_simulation_find_workload(struct fz_simulation *s, const atomic_int *stop)
{
	int status = choose_cpus(s);

	if (!status)
		status = make_tasks(s, stop);
	if (!status)
		status = add_wakers(s);
	return status ? status : check_end(s);
}
