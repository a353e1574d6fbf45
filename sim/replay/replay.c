// SPDX-License-Identifier: GPL-2.0-or-later
/* From records to folios. */
#include <fz/replay.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/folio.h>

#include "stop_flag.h"

#define BATCH_RECORDS 512u

struct replay {
	const struct fz_replay_params *params;
	const struct fz_folio_sink *sinks; /* [nr_sinks] */
	size_t nr_sinks;
	struct fz_replay_tally *tally;
	struct fz_population *population;
	struct fz_err *err;
};

static int no_memory(struct replay *replay)
{
	return fz_err_set(
		replay->err, -ENOMEM,
		"no memory for populated folios of %llu regions",
		(unsigned long long)fz_population_regions(replay->population));
}

/* What nobody has any more was most of it a moment ago. */
static void note_most(struct replay *replay)
{
	struct fz_replay_tally *tally = replay->tally;
	const uint64_t regions = fz_population_regions(replay->population);
	const uint64_t bytes = fz_population_bytes(replay->population);

	tally->regions = regions > tally->regions ? regions : tally->regions;
	tally->bytes = bytes > tally->bytes ? bytes : tally->bytes;
}

static void clear_process(struct replay *replay, uint32_t pid)
{
	note_most(replay);
	fz_population_clear(replay->population, pid);
}

/* Where only threads are known, each stands for itself. */
static uint32_t process_of(const struct fz_fault *record)
{
	return record->knows & FZ_KNOWS_PID ? record->pid : record->tid;
}

/* Records that are not faults. */
static int take_event(struct replay *replay, const struct fz_fault *record)
{
	struct fz_population *population = replay->population;
	struct fz_replay_tally *tally = replay->tally;
	int code = 0;

	switch ((enum fz_event)record->event) {
	case FZ_EVENT_EXEC:
		tally->execs++;
		clear_process(replay, process_of(record));
		break;
	case FZ_EVENT_EXIT:
		/* The end of a thread leaves the process as it is. */
		if (record->tid != process_of(record))
			break;
		tally->exits++;
		clear_process(replay, process_of(record));
		break;
	case FZ_EVENT_FORK:
		note_most(replay);
		code = fz_population_fork(population, (uint32_t)record->value,
					  process_of(record));
		break;
	case FZ_EVENT_MMAP:
		tally->mappings++;
		code = fz_population_map(
			population, process_of(record), record->addr,
			record->value, (enum fz_fault_backing)record->backing);
		break;
	case FZ_EVENT_LOST:
		if (__builtin_add_overflow(tally->lost, record->value,
					   &tally->lost))
			tally->lost = UINT64_MAX;
		break;
	default:
		break;
	}
	return code ? no_memory(replay) : 0;
}

/* A mapping says what the record does not. */
static enum fz_fault_class class_of(struct replay *replay,
				    const struct fz_fault *record)
{
	struct fz_fault known = *record;

	if (record->backing == FZ_BACKING_UNKNOWN && !(record->addr >> 63))
		known.backing = fz_population_backing(
			replay->population, process_of(record), record->addr);
	return fz_fault_class_of(&known);
}

static void note_time(struct fz_replay_tally *tally,
		      const struct fz_fault *record)
{
	if (!(record->knows & FZ_KNOWS_TIME))
		return;
	if (tally->first_ns == UINT64_MAX)
		tally->first_ns = record->time_ns;
	if (record->time_ns > tally->last_ns)
		tally->last_ns = record->time_ns;
}

static int make_folio(struct replay *replay, size_t choice,
		      const struct fz_fault *record, unsigned int order)
{
	const uint64_t bytes = FZ_PAGE_BYTES << order;
	const struct fz_folio_fault fault = {
		.choice = choice,
		.order = order,
		.page = fz_folio_fault_page(record->addr, bytes),
		.pid = process_of(record),
		.time_ns = record->time_ns,
	};
	int code = 0;

	for (size_t i = 0; i < replay->nr_sinks && !code; i++)
		code = replay->sinks[i].fault(replay->sinks[i].state, &fault,
					      replay->err);
	return code;
}

static int take_answer(struct replay *replay, size_t choice,
		       const struct fz_fault *record,
		       const struct fz_folio_answer *answer)
{
	struct fz_replay_size *size = &replay->tally->sizes[choice];

	switch ((enum fz_folio_outcome)answer->outcome) {
	case FZ_FOLIO_THERE:
		size->saved++;
		return 0;
	case FZ_FOLIO_REPEAT:
		size->repeats++;
		return 0;
	case FZ_FOLIO_MADE:
		break;
	}
	size->faults++;
	size->freed += answer->freed;
	size->unmapped += answer->unmapped;
	size->bytes += FZ_PAGE_BYTES << answer->order;
	return make_folio(replay, choice, record, answer->order);
}

static int replay_fault(struct replay *replay, const struct fz_fault *record)
{
	struct fz_folio_answer answers[FZ_MAX_FOLIO_CHOICES];
	int code = fz_population_fault(
		replay->population, process_of(record), record->addr,
		record->knows & FZ_KNOWS_ERROR_CODE, answers);

	if (code)
		return no_memory(replay);
	replay->tally->replayed++;
	for (size_t i = 0; i < replay->params->nr_choices && !code; i++)
		code = take_answer(replay, i, record, &answers[i]);
	return code;
}

static int take_fault(struct replay *replay, const struct fz_fault *record)
{
	struct fz_replay_tally *tally = replay->tally;
	enum fz_fault_class which;

	note_time(tally, record);
	if (!(record->knows & FZ_KNOWS_ADDR)) {
		tally->no_address++;
		return 0;
	}
	which = class_of(replay, record);
	tally->faults++;
	tally->classes[which]++;
	if (which == FZ_CLASS_ZERO_FILL ||
	    (which == FZ_CLASS_UNKNOWN && replay->params->assume_anon))
		return replay_fault(replay, record);
	return 0;
}

static int take_records(struct replay *replay, const struct fz_fault *records,
			size_t nr)
{
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++) {
		replay->tally->records++;
		code = fz_event_is_fault((enum fz_event)records[i].event)
			       ? take_fault(replay, &records[i])
			       : take_event(replay, &records[i]);
	}
	return code;
}

static int take_all(struct replay *replay, struct fz_fault_source source)
{
	struct fz_fault records[BATCH_RECORDS];
	const atomic_int *stop = replay->params->stop;
	ssize_t got;

	for (;;) {
		int code;

		if (stop_flag_is_set(stop))
			return fz_err_set(replay->err, -EINTR,
					  "stopped by a signal");
		got = source.next(source.state, records, BATCH_RECORDS,
				  replay->err);
		if (got <= 0)
			return (int)got;
		code = take_records(replay, records, (size_t)got);
		if (code)
			return code;
	}
}

int fz_replay_run(struct fz_fault_source source,
		  const struct fz_replay_params *params,
		  const struct fz_folio_sink *sinks, size_t nr_sinks,
		  struct fz_replay_tally *tally, struct fz_err *err)
{
	struct replay replay = {
		.params = params,
		.sinks = sinks,
		.nr_sinks = nr_sinks,
		.tally = tally,
		.err = err,
	};
	int code;

	*tally = (struct fz_replay_tally){ .first_ns = UINT64_MAX };
	if (fz_population_open(&replay.population, params->choices,
			       params->nr_choices, params->unit_bytes))
		return fz_err_set(err, -ENOMEM, "out of memory");
	code = take_all(&replay, source);
	note_most(&replay);
	tally->mappings_not_kept =
		fz_population_mappings_not_kept(replay.population);
	fz_population_close(replay.population);
	return code;
}

bool fz_replay_not_faulted(const struct fz_replay_size *size,
			   uint64_t unit_bytes, uint64_t *bytes)
{
	if (unit_bytes > FZ_PAGE_BYTES)
		return false;
	*bytes = size->bytes - (size->faults + size->saved) * FZ_PAGE_BYTES;
	return true;
}
