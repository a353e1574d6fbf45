// SPDX-License-Identifier: GPL-2.0-or-later
/* Worker threads that take every step together. */
#include <fz/team.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup_limits.h"
#include "memory_available.h"

/* Looks at the others before the CPU is offered to one that may need it. */
#define SPINS_BEFORE_YIELD 1000u

struct worker {
	struct fz_team *team;
	pthread_t thread;
	unsigned int index;
	unsigned int cpu;
	struct fz_bench bench;
	bool has_bench;
	int code; /* of opening the bench */
	struct fz_err err;
};

struct fz_team {
	const struct fz_bench *lead;
	uint64_t max_folio_pages;
	struct worker *workers; /* [nr] */
	unsigned int nr;        /* threads that run */
	unsigned int nr_cpus;   /* different ones */
	pthread_mutex_t lock;
	pthread_cond_t begun; /* there is a step, or an end */
	pthread_cond_t ended; /* the last worker is done with it */
	/* Under the lock: */
	uint64_t nr_steps; /* the number of the step */
	unsigned int nr_active;
	unsigned int nr_running;
	void (*step)(void *arg, unsigned int worker);
	void *arg;
	bool quit;
	/* Workers that stand at the start of the step. */
	atomic_uint nr_ready;
};

static void open_bench(void *arg, unsigned int index)
{
	struct fz_team *team = arg;
	struct worker *worker = &team->workers[index];
	const struct fz_hooks *hooks = team->lead->hooks;

	worker->code = hooks->pin(hooks->state, worker->cpu);
	if (worker->code) {
		fz_err_set(&worker->err, worker->code,
			   "cannot run a thread on CPU %u: %s", worker->cpu,
			   strerror(-worker->code));
		return;
	}
	worker->code = fz_bench_open_like(&worker->bench, team->lead,
					  team->max_folio_pages, &worker->err);
	worker->has_bench = !worker->code;
}

/*
 * Waking takes some 50 us, so whoever is awake waits for the others: unless
 * they take turns on a CPU, and cannot begin together at all.
 */
static void wait_for_all(struct fz_team *team, unsigned int nr)
{
	unsigned int spins = 0;

	if (nr > team->nr_cpus)
		return;

	atomic_fetch_add(&team->nr_ready, 1);
	while (atomic_load(&team->nr_ready) < nr)
		if (++spins % SPINS_BEFORE_YIELD == 0)
			sched_yield();
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct fz_team *team = worker->team;
	uint64_t nr_seen = 0;

	pthread_mutex_lock(&team->lock);
	for (;;) {
		while (team->nr_steps == nr_seen && !team->quit)
			pthread_cond_wait(&team->begun, &team->lock);
		if (team->quit)
			break;
		nr_seen = team->nr_steps;
		if (worker->index >= team->nr_active)
			continue;
		pthread_mutex_unlock(&team->lock);
		wait_for_all(team, team->nr_active);
		team->step(team->arg, worker->index);
		pthread_mutex_lock(&team->lock);
		if (--team->nr_running == 0)
			pthread_cond_signal(&team->ended);
	}
	pthread_mutex_unlock(&team->lock);
	return NULL;
}

/* All but those that a thread's own access raises, which must reach it. */
static void fill_mask(sigset_t *set)
{
	static const int own[] = { SIGBUS, SIGSEGV, SIGILL,
				   SIGFPE, SIGTRAP, SIGABRT };

	sigfillset(set);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(set, own[i]);
}

static int start(struct fz_team *team, const unsigned int *cpus,
		 unsigned int nr, struct fz_err *err)
{
	sigset_t mask, before;
	int code = 0;

	fill_mask(&mask);
	pthread_sigmask(SIG_SETMASK, &mask, &before);
	for (; team->nr < nr && !code; team->nr += !code) {
		struct worker *worker = &team->workers[team->nr];

		worker->team = team;
		worker->index = team->nr;
		worker->cpu = cpus[team->nr];
		code = -pthread_create(&worker->thread, NULL, work, worker);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code)
		return fz_err_set(err, code, "cannot start %u threads: %s", nr,
				  strerror(-code));
	return 0;
}

static int open_benches(struct fz_team *team, struct fz_err *err)
{
	fz_team_run(team, team->nr, open_bench, team);
	for (unsigned int i = 0; i < team->nr; i++)
		if (team->workers[i].code)
			return fz_err_set(err, team->workers[i].code, "%s",
					  team->workers[i].err.msg);
	return 0;
}

static unsigned int count_different(const unsigned int *cpus, unsigned int nr)
{
	unsigned int different = 0;

	for (unsigned int i = 0; i < nr; i++) {
		bool seen = false;

		for (unsigned int j = 0; j < i && !seen; j++)
			seen = cpus[j] == cpus[i];
		different += !seen;
	}
	return different;
}

/* Records are touched when they are allocated: without this the kernel would
 * kill somebody. */
static int memory_check(const struct fz_hooks *hooks, unsigned int nr,
			uint64_t max_folio_pages, struct fz_err *err)
{
	const uint64_t bytes = nr * fz_bench_like_bytes(max_folio_pages);
	const uint64_t available = fz_memory_available(hooks);
	struct fz_cgroup_limit limit;
	char what[64];

	snprintf(what, sizeof(what), "records of %u threads", nr);
	if (bytes > available)
		return fz_err_set(err, -ENOMEM,
				  "%s take %" PRIu64 "M: '/proc/meminfo' "
				  "shows %" PRIu64 "M available; ask for fewer",
				  what, bytes >> 20, available >> 20);
	if (fz_memory_limit_find(hooks, bytes, &limit))
		return fz_cgroup_limit_error(&limit, what, bytes, err);
	return 0;
}

int fz_team_open(struct fz_team **out, const struct fz_bench *lead,
		 const unsigned int *cpus, unsigned int nr,
		 uint64_t max_folio_pages, struct fz_err *err)
{
	struct fz_team *team = calloc(1, sizeof(*team));
	int code;

	assert(nr > 0 && nr <= FZ_MAX_THREADS);
	if (!team)
		return fz_err_set(err, -ENOMEM, "no memory for threads");
	code = memory_check(lead->hooks, nr, max_folio_pages, err);
	if (code) {
		free(team);
		return code;
	}
	team->lead = lead;
	team->max_folio_pages = max_folio_pages;
	team->nr_cpus = count_different(cpus, nr);
	team->workers = calloc(nr, sizeof(*team->workers));
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->begun, NULL);
	pthread_cond_init(&team->ended, NULL);
	code = team->workers
		       ? start(team, cpus, nr, err)
		       : fz_err_set(err, -ENOMEM, "no memory for threads");
	if (!code)
		code = open_benches(team, err);
	if (code)
		fz_team_close(team);
	else
		*out = team;
	return code;
}

void fz_team_close(struct fz_team *team)
{
	if (!team)
		return;
	pthread_mutex_lock(&team->lock);
	team->quit = true;
	pthread_cond_broadcast(&team->begun);
	pthread_mutex_unlock(&team->lock);
	for (unsigned int i = 0; i < team->nr; i++) {
		pthread_join(team->workers[i].thread, NULL);
		if (team->workers[i].has_bench)
			fz_bench_close(&team->workers[i].bench);
	}
	pthread_cond_destroy(&team->ended);
	pthread_cond_destroy(&team->begun);
	pthread_mutex_destroy(&team->lock);
	free(team->workers);
	free(team);
}

struct fz_bench *fz_team_bench(struct fz_team *team, unsigned int worker)
{
	assert(worker < team->nr);
	return &team->workers[worker].bench;
}

unsigned int fz_team_size(const struct fz_team *team)
{
	return team->nr;
}

void fz_team_run(struct fz_team *team, unsigned int nr,
		 void (*step)(void *arg, unsigned int worker), void *arg)
{
	assert(nr > 0 && nr <= team->nr);
	pthread_mutex_lock(&team->lock);
	team->step = step;
	team->arg = arg;
	team->nr_active = team->nr_running = nr;
	atomic_store(&team->nr_ready, 0);
	team->nr_steps++;
	pthread_cond_broadcast(&team->begun);
	while (team->nr_running)
		pthread_cond_wait(&team->ended, &team->lock);
	pthread_mutex_unlock(&team->lock);
}
