// SPDX-License-Identifier: GPL-2.0-or-later
/* Expands the options of `foliosim bench` into rows. */
#include "bench_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/stream_choice.h>

#include "command.h"

struct expansion {
	struct fz_bench_rows *rows;
	const struct fz_bench_options *options;
	const struct fz_bench_memory *memory;
	struct fz_row_config config; /* what is fixed so far */
	unsigned int threads;        /* 0 = the main thread */
	enum fz_preempt running_model;
	const struct fz_clear *stream;
	int status;
};

static void append(struct expansion *x, const char *reason)
{
	struct fz_row *row;

	if (x->rows->nr == FZ_BENCH_MAX_ROWS) {
		fz_complain("more than %u rows; ask for fewer combinations",
			    FZ_BENCH_MAX_ROWS);
		x->status = FZ_EXIT_USAGE;
		return;
	}
	row = &x->rows->rows[x->rows->nr++];
	*row = (struct fz_row){ .config = x->config };
	if (x->config.engine->zero) {
		fz_row_set_buffers(row, x->memory->buffers);
		if (!row->buffers)
			reason = x->memory->reason.msg;
	}
	if (reason)
		fz_row_set_reason(row, reason);
}

static bool plan_streams(const struct fz_policy *policy, uint64_t nr_pages,
			 uint64_t fault_page, uint64_t radius_pages)
{
	const struct fz_zero_request request = {
		.nr_pages = nr_pages,
		.fault_page = fault_page,
		.radius_pages = radius_pages,
	};
	struct fz_plan plan;
	bool streams;

	if (fz_policy_plan(policy, &request, &plan, NULL))
		return false;
	streams = fz_plan_uses_hint(&plan, FZ_HINT_STREAMING);
	fz_plan_fini(&plan);
	return streams;
}

/* At an end a folio has the largest far range, if it has any. */
static bool config_streams(const struct fz_policy *policy, uint64_t nr_pages,
			   uint64_t radius_pages)
{
	return plan_streams(policy, nr_pages, 0, radius_pages) ||
	       plan_streams(policy, nr_pages, nr_pages / 2, radius_pages) ||
	       plan_streams(policy, nr_pages, nr_pages - 1, radius_pages);
}

/* What is priced need not run here. */
static const char *why_primitives(const struct fz_row_config *config)
{
	const char *why;

	if (!config->engine->zero)
		return NULL;
	why = fz_clear_why_unsupported(config->clear);
	if (!why && config->stream)
		why = fz_clear_why_unsupported(config->stream);
	return why;
}

static void expand_streams(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	x->config.stream = NULL;
	if (!config_streams(x->config.policy,
			    x->config.folio_bytes >> FZ_PAGE_SHIFT,
			    x->config.radius_pages)) {
		append(x, why_primitives(&x->config));
		return;
	}
	if (!o->nr_streams) {
		x->config.stream = x->stream;
		append(x, x->stream ? why_primitives(&x->config)
			  : x->config.engine->zero
				  ? "no streaming primitive runs here"
				  : "the profile has no streaming primitive");
		return;
	}
	for (size_t i = 0; i < o->nr_streams && !x->status; i++) {
		x->config.stream = o->streams[i];
		append(x, why_primitives(&x->config));
	}
}

static void expand_clears(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	if (!o->nr_clears) {
		x->config.clear = fz_clear_kernel_choice();
		expand_streams(x);
		return;
	}
	for (size_t i = 0; i < o->nr_clears && !x->status; i++) {
		x->config.clear = o->clears[i];
		expand_streams(x);
	}
}

static void expand_radii(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	x->config.radius_pages = FZ_RADIUS_PAGES;
	if (!(x->config.policy->uses & FZ_USES_RADIUS) || !o->nr_radii) {
		expand_clears(x);
		return;
	}
	for (size_t i = 0; i < o->nr_radii && !x->status; i++) {
		x->config.radius_pages = o->radii[i];
		expand_clears(x);
	}
}

/* The batch a row really uses, so that equal rows are seen to be equal. */
static uint64_t batch_of(const struct fz_row_config *config, uint64_t asked)
{
	struct fz_zero_request request = fz_row_request(config, 0);

	request.batch_pages = asked;
	return fz_policy_batch_pages(config->policy, &request);
}

static void expand_batches(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	x->config.batch_pages = batch_of(&x->config, 0);
	if (!(x->config.policy->uses & FZ_USES_BATCH) || !o->nr_batches) {
		expand_radii(x);
		return;
	}
	for (size_t i = 0; i < o->nr_batches && !x->status; i++) {
		x->config.batch_pages = batch_of(&x->config, o->batches[i]);
		expand_radii(x);
	}
}

static void expand_preempts(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	x->config.preempt = x->running_model;
	if (!o->nr_preempts) {
		expand_batches(x);
		return;
	}
	for (size_t i = 0; i < o->nr_preempts && !x->status; i++) {
		x->config.preempt = o->preempts[i];
		expand_batches(x);
	}
}

static void set_fault(struct fz_row_config *config,
		      const struct fz_fault_wish *wish)
{
	const uint64_t nr_pages = config->folio_bytes >> FZ_PAGE_SHIFT;

	config->fault = FZ_FAULT_AT;
	switch (wish->word) {
	case FZ_FAULT_WORD_NUMBER:
		config->fault_page = wish->number;
		return;
	case FZ_FAULT_WORD_FIRST:
		config->fault_page = 0;
		return;
	case FZ_FAULT_WORD_MIDDLE:
		config->fault_page = nr_pages / 2;
		return;
	case FZ_FAULT_WORD_LAST:
		config->fault_page = nr_pages - 1;
		return;
	case FZ_FAULT_WORD_RANDOM:
		config->fault = FZ_FAULT_RANDOM;
		config->fault_page = 0;
		return;
	}
}

static bool fault_is_known(const struct expansion *x, size_t nr)
{
	struct fz_row_config config = x->config;

	for (size_t i = 0; i < nr; i++) {
		set_fault(&config, &x->options->faults[i]);
		if (fz_row_same_fault(&config, &x->config))
			return true;
	}
	return false;
}

/* Call `expand` for every faulting page; "first,0" is one page. */
static void expand_faults(struct expansion *x,
			  void (*expand)(struct expansion *x))
{
	const struct fz_bench_options *o = x->options;
	const struct fz_fault_wish random = { .word = FZ_FAULT_WORD_RANDOM };

	if (!o->nr_faults) {
		set_fault(&x->config, &random);
		expand(x);
		return;
	}
	for (size_t i = 0; i < o->nr_faults && !x->status; i++) {
		set_fault(&x->config, &o->faults[i]);
		if (!fault_is_known(x, i))
			expand(x);
	}
}

static void expand_policies(struct expansion *x)
{
	const struct fz_policy *const *policies =
		fz_policy_list_all(&x->options->policies);

	for (size_t i = 0; policies[i] && !x->status; i++) {
		x->config.policy = policies[i];
		if (policies[i]->uses & FZ_USES_FAULT) {
			expand_faults(x, expand_preempts);
		} else {
			x->config.fault = FZ_FAULT_NONE;
			x->config.fault_page = 0;
			expand_preempts(x);
		}
	}
}

/* The running kernel has one model and its own primitives. */
static void append_kernel(struct expansion *x)
{
	const bool whole_pages = x->config.folio_bytes == x->config.page.bytes;

	append(x, whole_pages ? NULL
			      : "the kernel zeroes whole pages, so the "
				"kernel engine needs a folio of the page size");
}

static void expand_engine(struct expansion *x, const struct fz_engine *engine)
{
	x->config = (struct fz_row_config){
		.engine = engine,
		.page = x->memory->page,
		.folio_bytes = x->memory->folio_bytes,
		.bytes = x->memory->bytes,
		.threads = x->threads,
		.preempt = x->running_model,
		.highmem = x->options->highmem,
		.per_page_clear = x->options->per_page_clear,
		.use = x->options->use,
	};
	if (engine->runs_plans)
		expand_policies(x);
	else
		expand_faults(x, append_kernel);
}

static void expand_engines(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	if (!o->nr_engines) {
		expand_engine(x, &fz_engine_buffers);
		if (!x->status)
			expand_engine(x, &fz_engine_kernel);
		return;
	}
	for (size_t i = 0; i < o->nr_engines && !x->status; i++)
		expand_engine(x, o->engines[i]);
}

static void expand_threads(struct expansion *x)
{
	const struct fz_bench_options *o = x->options;

	x->threads = 0;
	if (!o->nr_threads)
		expand_engines(x);
	for (size_t i = 0; i < o->nr_threads && !x->status; i++) {
		x->threads = (unsigned int)o->threads[i];
		expand_engines(x);
	}
}

int fz_bench_rows_make(struct fz_bench_rows *rows,
		       const struct fz_bench_options *options,
		       const struct fz_bench_memories *memories,
		       enum fz_preempt running_model,
		       const struct fz_clear *stream)
{
	struct expansion x = {
		.rows = rows,
		.options = options,
		.running_model = running_model,
		.stream = stream,
	};

	if (!rows->rows)
		rows->rows = calloc(FZ_BENCH_MAX_ROWS, sizeof(*rows->rows));
	if (!rows->rows) {
		fz_complain("no memory for the rows");
		return FZ_EXIT_FAILED;
	}
	for (size_t i = 0; i < memories->nr && !x.status; i++) {
		x.memory = &memories->memory[i];
		expand_threads(&x);
	}
	return x.status;
}

/* Does any policy of the options stream on these folios? */
static bool rows_stream(const struct fz_bench_options *options,
			const struct fz_bench_memories *memories)
{
	const struct fz_policy *const *policies =
		fz_policy_list_all(&options->policies);

	for (size_t m = 0; m < memories->nr; m++)
		for (size_t i = 0; policies[i]; i++)
			if (config_streams(policies[i],
					   memories->memory[m].folio_bytes >>
						   FZ_PAGE_SHIFT,
					   0))
				return true;
	return false;
}

enum fz_preempt fz_bench_running_model(const struct fz_machine *machine,
				       const struct fz_bench_options *options)
{
	enum fz_preempt model = FZ_PREEMPT_NONE;

	if (!fz_preempt_find(machine->preempt_mode.value, &model) &&
	    !options->nr_preempts)
		fprintf(stderr,
			"foliosim: note: the kernel's preemption model is "
			"unknown; rows stand for 'none'\n");
	return model;
}

static struct fz_buffer *any_buffer(const struct fz_bench_memories *memories)
{
	for (size_t i = 0; i < memories->nr; i++)
		if (memories->memory[i].buffers)
			return memories->memory[i].buffers[0];
	return NULL;
}

const struct fz_clear *
fz_bench_rows_choose_stream(const struct fz_bench_options *options,
			    const struct fz_bench_memories *memories,
			    const struct fz_hooks *hooks)
{
	struct fz_buffer *buffer = any_buffer(memories);
	const struct fz_clear *stream;
	bool measured;

	if (options->nr_streams || !buffer || !rows_stream(options, memories))
		return NULL;
	stream = fz_stream_choice(hooks, buffer, &measured);
	if (stream)
		fprintf(stderr, "foliosim: note: --stream-clear %s %s\n",
			stream->name,
			measured ? "is as fast as any here, measured"
				 : "is taken: the buffer is too small for a "
				   "race");
	return stream;
}

void fz_bench_rows_warn_unpriced(const struct fz_bench_rows *rows)
{
	const char *reason = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct fz_row *row = &rows->rows[i];

		if (row->config.engine->zero ||
		    row->status != FZ_ROW_UNSUPPORTED)
			continue;
		nr++;
		reason = reason ? reason : row->reason;
	}
	if (nr)
		fz_complain("warning: %zu of %zu rows have no price: %s", nr,
			    rows->nr, reason);
}

void fz_bench_rows_leave(struct fz_bench_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		fz_row_set_buffers(&rows->rows[i], NULL);
}

void fz_bench_rows_fini(struct fz_bench_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		fz_row_fini(&rows->rows[i]);
	free(rows->rows);
}
