// SPDX-License-Identifier: GPL-2.0-or-later
/* Probes all rows, and works out what the samples say. */
#include <fz/probe.h>

#include <errno.h>
#include <stdlib.h>

#include <fz/significance.h>
#include <fz/streams.h>

#include "pass.h"

static const char *const names[FZ_NR_PROBES] = {
	[FZ_PROBE_RESIDENCY] = "residency",
	[FZ_PROBE_VICTIM] = "victim",
};

const char *fz_probe_name(enum fz_probe_kind kind)
{
	return names[kind];
}

/* Pages that an engine left out are somebody's memory. */
static void restore(struct pass *pass)
{
	for (size_t i = 0; i < pass->nr_folios; i++)
		cold_folios_restore(&pass->folios[i], NULL);
}

static int keep_subject(struct pass *pass, struct subject *s)
{
	struct fz_row_probe *found = s->found;
	const uint64_t seed = pass->bench->seed;

	found->residency =
		calloc(s->residency.nr + 1, sizeof(*found->residency));
	if (!found->residency)
		return -ENOMEM;
	found->nr_residency = residency_found(
		&s->residency, &pass->probe->levels, seed, found->residency);
	if (pass->probe->wanted[FZ_PROBE_VICTIM])
		victim_found(&s->victim, &pass->sets, pass->probe, seed, found);
	return 0;
}

static int keep_found(struct pass *pass)
{
	int code = 0;

	for (size_t i = 0; i < pass->nr_subjects && !code; i++)
		code = keep_subject(pass, &pass->subjects[i]);
	return code;
}

/* Whatever is missing is so for a reason. */
static void explain(struct pass *pass, struct fz_row *rows, size_t nr_rows,
		    const char *reason)
{
	for (size_t i = 0; i < nr_rows; i++) {
		struct fz_row_probe *found = &pass->probe->rows[i];

		if (rows[i].twin)
			continue;
		if (!found->nr_residency)
			pass_set_reason(pass, found, FZ_PROBE_RESIDENCY,
					reason);
		if (!found->nr_victims)
			pass_set_reason(pass, found, FZ_PROBE_VICTIM, reason);
	}
}

static void fini_pass(struct pass *pass)
{
	for (size_t i = 0; i < pass->nr_subjects; i++) {
		residency_fini(&pass->subjects[i].residency);
		victim_fini(&pass->subjects[i].victim);
	}
	fz_buffer_close(pass->memory);
	free(pass->subjects);
	free(pass->folios);
	free(pass->turns);
	free(pass->lines);
}

static int run_pass(struct pass *pass, struct fz_row *rows, size_t nr_rows,
		    struct fz_err *err)
{
	const struct fz_hooks *hooks = pass->bench->hooks;
	const uint64_t begin_ns = hooks->now_ns(hooks->state);
	int code;

	if (pass_is_empty(rows, nr_rows))
		return pass_find_subjects(pass, rows, nr_rows);
	code = pass_measure_levels(pass, err);
	if (code)
		return code;
	code = pass_find_subjects(pass, rows, nr_rows);
	if (!code) {
		code = pass_run_repeats(pass, begin_ns);
		restore(pass);
		if (keep_found(pass))
			code = -ENOMEM;
	}
	if (code)
		fz_err_set(err, code, "%s",
			   code == -EINTR ? FZ_STOPPED
					  : "no memory for what is probed");
	return code;
}

int fz_probe_run(struct fz_probe *probe, const struct fz_probe_params *params,
		 struct fz_row *rows, size_t nr_rows, struct fz_bench *bench,
		 struct fz_err *err)
{
	const size_t repeat = params->repeat;
	struct pass pass = {
		.probe = probe,
		.params = params,
		.bench = bench,
		.random = fz_random_begin(bench->seed, FZ_STREAM_PROBE),
		.max_repeats = repeat ? repeat : PASS_AUTO_REPEATS,
		.repeats = repeat ? repeat : FZ_WINNER_MIN_ROUNDS,
	};
	int code;

	*probe = (struct fz_probe){
		.ns_per_tick = bench->clock.ns_per_tick,
		.rows = calloc(nr_rows + 1, sizeof(*probe->rows)),
		.nr_rows = nr_rows,
	};
	for (size_t i = 0; i < FZ_NR_PROBES; i++)
		probe->wanted[i] = params->wanted[i];
	pass.lines = malloc(CHASE_MAX_LINES * sizeof(*pass.lines));
	if (!probe->rows || !pass.lines) {
		code = fz_err_set(err, -ENOMEM, "no memory for the probes");
	} else {
		for (size_t i = 0; i < nr_rows; i++)
			rows[i].probe = &probe->rows[i];
		code = run_pass(&pass, rows, nr_rows, err);
		if (code)
			explain(&pass, rows, nr_rows,
				code == -EINTR ? FZ_STOPPED : err->msg);
	}
	fini_pass(&pass);
	return code;
}

void fz_probe_fini(struct fz_probe *probe)
{
	for (size_t i = 0; probe->rows && i < probe->nr_rows; i++)
		free(probe->rows[i].residency);
	free(probe->rows);
	*probe = (struct fz_probe){ .rows = NULL };
}
