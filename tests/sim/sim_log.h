/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulation told its observer, for tests by hand. */
#ifndef SIM_LOG_H
#define SIM_LOG_H

#include <fz/simulate.h>

#define LOG_MAX 400u

struct logged_span {
	unsigned int cpu;
	size_t task;
	enum fz_sim_span what;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* A wake-up or a fault. */
struct logged_time {
	size_t task;
	uint64_t begin_ns;
	uint64_t end_ns;
};

struct sim_log {
	struct logged_span span[LOG_MAX];
	size_t nr_spans;
	struct logged_time woken[LOG_MAX];
	size_t nr_woken;
	struct logged_time fault[LOG_MAX];
	size_t nr_faults;
};

/* Runs it, which must succeed; the result needs no fini without bins. */
void log_simulation(const struct fz_sim_params *params, struct sim_log *log,
		    struct fz_sim_result *result);

#endif
