// SPDX-License-Identifier: GPL-2.0-or-later
/* Wakes threads while rows are measured. */
#include <fz/wake_watch.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include <fz/preempt.h>

/* Some thousand wake-ups of a tenth of a millisecond: a steady p99. */
#define BASELINE_NS 400000000u

/* Four MiB, and 26 s of a wake-up each tenth of a millisecond. */
#define MAX_WAKES (1u << 18)

struct fz_wakeup fz_wakeup_of(const struct fz_histogram *latency_ns)
{
	if (!latency_ns->count)
		return (struct fz_wakeup){ 0 };
	return (struct fz_wakeup){
		.mean_ns = fz_histogram_mean(latency_ns),
		.p50_ns = (double)fz_histogram_quantile(latency_ns, 0.5),
		.p99_ns = (double)fz_histogram_quantile(latency_ns, 0.99),
		.max_ns = (double)latency_ns->max,
	};
}

static struct fz_wakeup baseline(struct fz_waker *waker,
				 enum fz_waker_meanwhile meanwhile)
{
	struct fz_histogram latency_ns;

	fz_waker_baseline(waker, meanwhile, BASELINE_NS, &latency_ns);
	return fz_wakeup_of(&latency_ns);
}

/* Busy first: the waker learns from it what it cannot be faster than. */
static int source_open(struct fz_wake_source *source,
		       const struct fz_hooks *hooks,
		       const struct fz_wake_watch_params *params,
		       enum fz_waker_kind kind, unsigned int cpu,
		       struct fz_err *err)
{
	const struct fz_waker_params waker = {
		.kind = kind,
		.cpu = cpu,
		.interval_ns = params->interval_ns,
		.max_wakes = MAX_WAKES,
		.seed = params->seed,
		.clock = params->clock,
	};
	const int code = fz_waker_open(&source->waker, hooks, &waker, err);

	if (code)
		return code;
	source->kind = fz_waker_kind(source->waker);
	source->interval_ns = params->interval_ns;
	source->busy = baseline(source->waker, FZ_MEANWHILE_SPIN);
	source->has_idle = kind != FZ_WAKER_FLAG;
	if (source->has_idle)
		source->idle = baseline(source->waker, FZ_MEANWHILE_IDLE);
	return 0;
}

int fz_wake_watch_open(struct fz_wake_watch *watch,
		       const struct fz_hooks *hooks,
		       const struct fz_wake_watch_params *params,
		       struct fz_err *err)
{
	struct fz_wake_watch w = { .max_spans = params->max_folios };
	int code;

	w.spans = calloc(w.max_spans, sizeof(*w.spans));
	if (!w.spans)
		return fz_err_set(err, -ENOMEM, "no memory for wake-ups");
	code = source_open(&w.timer, hooks, params, params->kind, params->cpu,
			   err);
	if (!code && params->has_flag_cpu)
		code = source_open(&w.flag, hooks, params, FZ_WAKER_FLAG,
				   params->flag_cpu, err);
	if (code)
		fz_wake_watch_close(&w);
	else
		*watch = w;
	return code;
}

void fz_wake_watch_close(struct fz_wake_watch *watch)
{
	fz_waker_close(watch->timer.waker);
	fz_waker_close(watch->flag.waker);
	free(watch->spans);
	watch->timer.waker = watch->flag.waker = NULL;
	watch->spans = NULL;
}

struct fz_wake_source *fz_wake_watch_source(struct fz_wake_watch *watch,
					    const struct fz_row_config *config)
{
	struct fz_wake_source *source = &watch->timer;

	if (!config->engine->zero)
		return NULL;
	if (config->engine->runs_plans) {
		if (!config->engine->records ||
		    fz_preempt_is_preemptible(config->preempt))
			return NULL;
		source = &watch->flag;
	}
	return source->waker ? source : NULL;
}

struct fz_resched_flag *fz_wake_watch_begin(struct fz_wake_watch *watch,
					    const struct fz_row_config *config)
{
	struct fz_wake_source *source = fz_wake_watch_source(watch, config);

	watch->nr_spans = 0;
	watch->running = source ? source->waker : NULL;
	if (!watch->running)
		return NULL;
	fz_waker_begin(watch->running);
	return fz_waker_flag(watch->running);
}

void fz_wake_watch_span(struct fz_wake_watch *watch, uint64_t begin,
			uint64_t end)
{
	if (!watch || !watch->running)
		return;
	assert(watch->nr_spans < watch->max_spans);
	watch->spans[watch->nr_spans++] = (struct fz_tick_span){ begin, end };
}

struct fz_wakes fz_wake_watch_end(struct fz_wake_watch *watch)
{
	struct fz_waker *running = watch->running;

	watch->running = NULL;
	return running ? fz_waker_end(running) : (struct fz_wakes){ 0 };
}

bool fz_row_is_interrupted(const struct fz_row *row)
{
	const struct fz_wake_source *woken = fz_row_data(row)->woken;

	return woken && woken->kind != FZ_WAKER_FLAG;
}
