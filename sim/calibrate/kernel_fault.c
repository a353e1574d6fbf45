// SPDX-License-Identifier: GPL-2.0-or-later
/* What a fault costs beside its zeroing. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/statistics.h>
#include <fz/units.h>

#include "calibration.h"

/* Of the budget, together with what was before. */
#define FAULT_PART 0.86

#define MIN_PAIRS 5u
#define MAX_PAIRS 41u

/* Pages of nothing, for faults that zero nothing. */
#define EMPTY_BYTES ((uint64_t)16 << 20)

/* Medians of a round's faults, the kernel's less the same plan's in user
 * space. */
struct differences {
	double ns[MAX_PAIRS];
	size_t nr;
};

static struct fz_row_config kernel_config(const struct calibration *c)
{
	const struct fz_page_size page = fz_buffer_page(c->params->buffer);

	return (struct fz_row_config){
		.engine = &fz_engine_kernel,
		.page = page,
		.folio_bytes = page.bytes,
		.bytes = fz_buffer_bytes(c->params->buffer),
		.fault = FZ_FAULT_RANDOM,
		.use = FZ_USE_NONE,
	};
}

/* What this kernel does, if that is known: the policy is NULL if not. */
static struct fz_row_config plan_config(const struct calibration *c)
{
	const struct fz_machine *machine = c->params->machine;
	struct fz_row_config config = kernel_config(c);

	config.engine = &fz_engine_bare;
	config.policy = fz_policy_find(config.page.kind == FZ_PAGES_BASE
					       ? machine->base_policy.value
					       : machine->kernel_policy.value);
	config.clear = machine->kernel_clear;
	if (!fz_preempt_find(machine->preempt_mode.value, &config.preempt))
		config.preempt = FZ_PREEMPT_NONE;
	return config;
}

/* Inside the bucket that holds it, as if its values were evenly spread: else
 * the difference of two medians would be one of buckets. */
static double median_of(const struct fz_histogram *h)
{
	const double rank = (double)h->count / 2;
	struct fz_histogram_iter iter;
	struct fz_bucket bucket = { 0 };
	double below = 0;

	fz_histogram_begin(&iter, h);
	while (fz_histogram_next(&iter, &bucket) &&
	       below + (double)bucket.count < rank)
		below += (double)bucket.count;
	return (double)bucket.lo + (rank - below) / (double)bucket.count *
					   (double)(bucket.hi - bucket.lo);
}

static int median_of_round(struct calibration *c,
			   const struct fz_row_config *config, uint64_t round,
			   struct fz_samples *samples, double *ns,
			   struct fz_err *err)
{
	struct fz_buffer *const buffer = c->params->buffer;
	struct fz_round_result result;
	int code;

	fz_samples_init(samples);
	code = fz_round_run(c->bench, config, &buffer, round, samples, &result,
			    err);
	if (!code)
		*ns = median_of(&samples->fault_ns);
	return code;
}

/* One of each first, which is not kept. */
static int time_pairs(struct calibration *c, struct differences *differences,
		      struct fz_samples *samples, struct fz_err *err)
{
	const struct fz_row_config kernel = kernel_config(c);
	const struct fz_row_config plan = plan_config(c);

	for (uint64_t round = 0; round <= MAX_PAIRS; round++) {
		double kernel_ns, plan_ns;
		int code;

		if (round > MIN_PAIRS &&
		    calibration_late(c, FAULT_PART, "faults"))
			break;
		calibration_late(c, 1, "faults");
		code = median_of_round(c, &kernel, round, samples, &kernel_ns,
				       err);
		if (!code)
			code = median_of_round(c, &plan, round, samples,
					       &plan_ns, err);
		if (code)
			return code;
		if (round > 0)
			differences->ns[differences->nr++] =
				kernel_ns - plan_ns;
	}
	return 0;
}

/* Reading what was never written: a fault that maps the page of zeroes. */
static double empty_fault_ns(struct calibration *c)
{
	const struct fz_hooks *hooks = c->bench->hooks;
	const size_t nr = EMPTY_BYTES / FZ_PAGE_BYTES;
	double *ns = malloc(nr * sizeof(*ns));
	double median = NAN;
	char *at;

	if (!ns)
		return NAN;
	/* Written before, so that the only faults are those that are timed. */
	for (size_t i = 0; i < nr; i++)
		ns[i] = 0;
	at = hooks->map(hooks->state, NULL, EMPTY_BYTES, PROT_READ, 0);
	if (at != MAP_FAILED) {
		hooks->advise(hooks->state, at, EMPTY_BYTES, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < nr; i++) {
			const uint64_t begin = hooks->ticks(hooks->state);

			(void)*(volatile char *)(at + i * FZ_PAGE_BYTES);
			ns[i] = (double)(hooks->ticks(hooks->state) - begin) *
				c->bench->clock.ns_per_tick;
		}
		hooks->unmap(hooks->state, at, EMPTY_BYTES);
		median = fz_median(ns, nr);
	}
	free(ns);
	return median;
}

static void use_empty_fault(struct calibration *c, const char *why)
{
	c->out->profile.fault_ns = empty_fault_ns(c);
	if (isnan(c->out->profile.fault_ns))
		calibration_unknown(c, "fault_ns", "%.150s", why);
	else
		calibration_note(c, "fault_ns",
				 "a read fault of the page of zeroes, which "
				 "allocates nothing: %.150s",
				 why);
}

static void keep(struct calibration *c, const struct differences *d)
{
	const struct fz_interval ci =
		fz_bootstrap_median(d->ns, d->nr, 0.95, c->bench->seed);
	const double median = fz_median(d->ns, d->nr);
	char size[FZ_FORMAT_BYTES], why[128];

	fz_format_bytes(size, sizeof(size),
			fz_buffer_page(c->params->buffer).bytes);
	if (ci.lo <= 0) {
		snprintf(
			why, sizeof(why),
			"the kernel's faults of %s less the same plans in user "
			"space are %.0f to %.0f ns",
			size, ci.lo, ci.hi);
		use_empty_fault(c, why);
		return;
	}
	c->out->profile.fault_ns = median;
	calibration_note(
		c, "fault_ns",
		"the kernel's faults of %s less the same plans in user "
		"space, %.0f to %.0f ns in %zu rounds",
		size, ci.lo, ci.hi, d->nr);
}

int calibrate_fault(struct calibration *c)
{
	struct fz_samples *samples = malloc(sizeof(*samples));
	struct differences differences = { .nr = 0 };
	struct fz_err err = { "no memory for samples" };
	int code = -ENOMEM;

	if (!plan_config(c).policy) {
		free(samples);
		use_empty_fault(c, "it is not known how this kernel zeroes");
		return 0;
	}
	if (samples)
		code = time_pairs(c, &differences, samples, &err);
	free(samples);
	if (code == -EINTR)
		return code;
	if (code)
		use_empty_fault(c, err.msg);
	else
		keep(c, &differences);
	return 0;
}
