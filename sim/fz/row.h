/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of the table: one configuration and what was measured of it. */
#ifndef FZ_ROW_H
#define FZ_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/clear.h>
#include <fz/counts.h>
#include <fz/engine.h>
#include <fz/err.h>
#include <fz/policy.h>
#include <fz/preempt.h>
#include <fz/recorder.h>
#include <fz/use.h>

/**
 * enum fz_fault_choice - which page of a folio faults
 * @FZ_FAULT_NONE: the policy is not told; nothing is used afterwards but the
 *	whole folio
 * @FZ_FAULT_AT: always the same page
 * @FZ_FAULT_RANDOM: another one for each folio and round, the same for every
 *	row, from the seed
 * @FZ_FAULT_RECORDED: the one that a recording tells, for each folio
 */
enum fz_fault_choice {
	FZ_FAULT_NONE,
	FZ_FAULT_AT,
	FZ_FAULT_RANDOM,
	FZ_FAULT_RECORDED,
};

/**
 * struct fz_row_config - everything that a row's figures depend on
 * @engine: what zeroes
 * @policy: NULL for an engine that runs no plan
 * @clear: primitive of cached steps; NULL if the engine runs no plan
 * @stream: primitive of streaming steps; NULL if the policy has none
 * @page: pages of the buffer
 * @folio_bytes: size of a folio; 0 = of several sizes, see @auto_orders
 * @auto_orders: of a replay: the sizes that folios may have, see struct
 *	fz_folio_choice; 0 = @folio_bytes
 * @bytes: size of a buffer, a multiple of @folio_bytes; of a replay that is
 *	done, what it zeroed
 * @threads: workers that zero at the same time, each a buffer of its own; 0 =
 *	none: the calling thread zeroes one buffer
 * @fault: which page faults
 * @fault_page: with FZ_FAULT_AT
 * @fault_pages: with FZ_FAULT_RECORDED, of each folio of the buffer
 * @due_ns: when each folio of the buffer faults, from the first one on; NULL =
 *	at once
 * @preempt: preemption model
 * @batch_pages: 0 if the policy ignores it
 * @radius_pages: ignored if the policy ignores it
 * @highmem: see struct fz_zero_request
 * @per_page_clear: see struct fz_zero_request
 * @use: what is read after the fault
 */
struct fz_row_config {
	const struct fz_engine *engine;
	const struct fz_policy *policy;
	const struct fz_clear *clear;
	const struct fz_clear *stream;
	struct fz_page_size page;
	uint64_t folio_bytes;
	uint32_t auto_orders;
	uint64_t bytes;
	unsigned int threads;
	enum fz_fault_choice fault;
	uint64_t fault_page;
	const uint64_t *fault_pages;
	const uint64_t *due_ns;
	enum fz_preempt preempt;
	uint64_t batch_pages;
	uint64_t radius_pages;
	bool highmem;
	bool per_page_clear;
	enum fz_use use;
};

/**
 * fz_row_nr_buffers() - threads that zero, and buffers that they zero
 * @config: the row
 *
 * Return: at least 1.
 */
unsigned int fz_row_nr_buffers(const struct fz_row_config *config);

/**
 * fz_row_round_bytes() - what a round zeroes
 * @config: the row
 *
 * Return: bytes of all buffers.
 */
uint64_t fz_row_round_bytes(const struct fz_row_config *config);

/**
 * fz_row_request() - what the row's policy is asked
 * @config: the row
 * @fault_page: the faulting page of this folio
 *
 * Return: the request.
 */
struct fz_zero_request fz_row_request(const struct fz_row_config *config,
				      uint64_t fault_page);

/**
 * fz_row_check_plan() - has a row what a plan of its policy needs?
 * @config: the row
 * @fault_page: that the plan is for
 * @plan: the plan
 * @err: written on failure, names the policy; may be NULL
 *
 * Whether a row gets a streaming primitive is decided before all of its plans
 * are known. A policy from elsewhere may have others later.
 *
 * Return: 0, or -EINVAL if the plan streams and the row has nothing to do it
 * by.
 */
int fz_row_check_plan(const struct fz_row_config *config, uint64_t fault_page,
		      const struct fz_plan *plan, struct fz_err *err);

/**
 * fz_row_same_fault() - do the same pages of their folios fault?
 * @a: a row
 * @b: another row
 *
 * Return: true if so, or if neither is told a page.
 */
bool fz_row_same_fault(const struct fz_row_config *a,
		       const struct fz_row_config *b);

/**
 * fz_row_same_memory() - as many buffers and folios of one size and kind?
 * @a: a row
 * @b: another row
 *
 * Return: true if so.
 */
bool fz_row_same_memory(const struct fz_row_config *a,
			const struct fz_row_config *b);

/**
 * fz_row_meets_fault() - does a row belong with the faults of another?
 * @lead: the row that names the faults
 * @row: the row
 *
 * A row that is told no page belongs with any faults on its memory.
 *
 * Return: true if so.
 */
bool fz_row_meets_fault(const struct fz_row_config *lead,
			const struct fz_row_config *row);

/**
 * fz_row_same_steps() - would two rows take the same steps?
 * @a: a row
 * @b: another row
 *
 * Compares engine, memory, primitives, what is used afterwards, and the plans
 * without calls that do not act: for every faulting page of small folios, and
 * a spread of them for folios above 2 MiB. A plan that is conditional is not
 * the same as one that is not. A policy whose plans come from elsewhere
 * (@make_plan) is only like itself: who brings one wants to see it measured,
 * beside one that should be as fast.
 *
 * Return: true if measuring one measures the other.
 */
bool fz_row_same_steps(const struct fz_row_config *a,
		       const struct fz_row_config *b);

/**
 * enum fz_row_status - how far a row came
 * @FZ_ROW_PENDING: not measured yet
 * @FZ_ROW_MEASURED: all rounds
 * @FZ_ROW_PARTIAL: some rounds, then a signal or a failure
 * @FZ_ROW_UNSUPPORTED: cannot be measured here; the reason says why
 * @FZ_ROW_MODELLED: worked out, not measured
 */
enum fz_row_status {
	FZ_ROW_PENDING,
	FZ_ROW_MEASURED,
	FZ_ROW_PARTIAL,
	FZ_ROW_UNSUPPORTED,
	FZ_ROW_MODELLED,
};

/**
 * struct fz_noise - what disturbed the timed rounds of a row
 * @steal_ms: time the host took from the virtual CPUs
 * @involuntary_switches: times another task took the CPU
 * @migrations: rounds that ended on another CPU than they began on
 * @minor_faults: page faults while folios were zeroed and used
 *
 * UINT64_MAX is a counter that could not be read.
 */
struct fz_noise {
	uint64_t steal_ms;
	uint64_t involuntary_switches;
	uint64_t migrations;
	uint64_t minor_faults;
};

/**
 * struct fz_row_memory - what was found behind a row's buffers
 * @bytes: size of all buffers; 0 = there were none
 * @backing: the pages they got; of several buffers the worst
 * @first_touch_ns: time their first population took, one after the other
 *
 * Kept by value, so that it outlives the buffers.
 */
struct fz_row_memory {
	uint64_t bytes;
	struct fz_backing backing;
	uint64_t first_touch_ns;
};

/**
 * struct fz_round_thread - what one thread did in a round
 * @zero_seconds: from its first folio to the end of its last one
 * @sections_seconds: of these, its folios alone
 * @use_seconds: reading its buffer afterwards; 0 = it was not read
 * @cpu: the CPU it ended on
 */
struct fz_round_thread {
	double zero_seconds;
	double sections_seconds;
	double use_seconds;
	unsigned int cpu;
};

struct fz_row_probe;
struct fz_wake_source;

/**
 * struct fz_row - a row
 * @config: what is measured
 * @status: how far it came
 * @reason: with unsupported and partial: why
 * @no_use: of a modelled row whose use has no price: why; "" = it has, or
 *nothing is used
 * @buffers: [fz_row_nr_buffers()] its memory while it is measured; neither it
 *	nor they are owned; NULL if there is none
 * @memory: what was found behind the buffers
 * @nodes: [fz_row_nr_buffers()], where the pages of each buffer were found;
 *	owned; NULL = nobody looked
 * @twin: the row that is measured in its place; NULL if it is measured itself
 * @seconds: [rounds] sum of the timed sections of each round, with threads from
 *	the first start to the last end; owned
 * @use_seconds: [rounds] reading all buffers afterwards, from the first start
 *	to the last end; 0 = they were not read; owned
 * @threads: [rounds][fz_row_nr_buffers()], row-major; owned
 * @rounds: rounds done
 * @max_rounds: room in @seconds
 * @folios: of a replay: folios zeroed
 * @zeroed_bytes: of a replay: their bytes
 * @choice: of a replay: which of its folio sizes, see struct fz_replay_params
 * @points: acting resched points in all rounds
 * @conditional: some plan was, see struct fz_plan
 * @samples: histograms over all rounds; owned
 * @noise: what disturbed it
 * @counts: of the run's counters, over all rounds
 * @woken: who was woken while it was measured; not owned; NULL = nobody
 * @probe: what it leaves in the caches; not owned; NULL = nobody looked
 */
struct fz_row {
	struct fz_row_config config;
	enum fz_row_status status;
	char reason[FZ_ERR_MSG_BYTES];
	char no_use[FZ_ERR_MSG_BYTES];
	struct fz_buffer *const *buffers;
	struct fz_row_memory memory;
	struct fz_page_nodes *nodes;
	const struct fz_row *twin;
	double *seconds;
	double *use_seconds;
	struct fz_round_thread *threads;
	size_t rounds;
	size_t max_rounds;
	uint64_t folios;
	uint64_t zeroed_bytes;
	size_t choice;
	uint64_t points;
	bool conditional;
	struct fz_samples *samples;
	struct fz_noise noise;
	struct fz_counts counts;
	const struct fz_wake_source *woken;
	const struct fz_row_probe *probe;
};

/**
 * fz_row_set_buffers() - give a row its memory
 * @row: the row
 * @buffers: [fz_row_nr_buffers()], must stay as long as the row has them; NULL
 *	takes them away, and keeps what is found behind them then
 */
void fz_row_set_buffers(struct fz_row *row, struct fz_buffer *const *buffers);

/**
 * fz_row_data() - the row that holds the measurements
 * @row: a row
 *
 * Return: its twin, or itself.
 */
const struct fz_row *fz_row_data(const struct fz_row *row);

/**
 * fz_row_has_times() - can figures be worked out?
 * @row: a row that is measured itself
 *
 * Return: true with at least one round and no round shorter than a tick.
 */
bool fz_row_has_times(const struct fz_row *row);

/**
 * fz_row_set_reason() - mark a row that cannot be measured
 * @row: the row
 * @reason: a sentence
 *
 * A row with rounds becomes partial, one without becomes unsupported.
 */
void fz_row_set_reason(struct fz_row *row, const char *reason);

/**
 * fz_row_begin() - make room for rounds
 * @row: a row without rounds
 * @max_rounds: rounds it may get
 *
 * The room is touched, so that keeping a round takes no page fault.
 *
 * Return: 0 or -ENOMEM.
 */
int fz_row_begin(struct fz_row *row, size_t max_rounds);

/**
 * fz_row_fini() - free what the row owns
 * @row: the row
 */
void fz_row_fini(struct fz_row *row);

#endif
