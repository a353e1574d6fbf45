// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the first LOG_MAX of all. */
#include "sim_log.h"

#include "fz_test.h"

static void log_span(void *state, unsigned int cpu, size_t task,
		     enum fz_sim_span what, uint64_t begin_ns, uint64_t end_ns)
{
	struct sim_log *log = state;

	if (log->nr_spans < LOG_MAX)
		log->span[log->nr_spans++] =
			(struct logged_span){ cpu, task, what, begin_ns,
					      end_ns };
}

static void log_woken(void *state, unsigned int cpu, size_t task,
		      uint64_t at_ns, uint64_t ran_ns)
{
	struct sim_log *log = state;

	(void)cpu;
	if (log->nr_woken < LOG_MAX)
		log->woken[log->nr_woken++] =
			(struct logged_time){ task, at_ns, ran_ns };
}

static void log_fault(void *state, unsigned int cpu, size_t task,
		      uint64_t begin_ns, uint64_t end_ns)
{
	struct sim_log *log = state;

	(void)cpu;
	if (log->nr_faults < LOG_MAX)
		log->fault[log->nr_faults++] =
			(struct logged_time){ task, begin_ns, end_ns };
}

void log_simulation(const struct fz_sim_params *params, struct sim_log *log,
		    struct fz_sim_result *result)
{
	const struct fz_sim_observer observer = {
		.state = log,
		.span = log_span,
		.woken = log_woken,
		.fault = log_fault,
	};
	struct fz_err err = { .msg = "" };

	log->nr_spans = log->nr_woken = log->nr_faults = 0;
	ck_assert_msg(fz_simulate(params, &observer, result, &err) == 0, "%s",
		      err.msg);
}
