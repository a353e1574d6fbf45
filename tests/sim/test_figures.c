// SPDX-License-Identifier: GPL-2.0-or-later
/* The arithmetic of every reported figure, baselines and verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fz/figures.h>
#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/round.h>
#include <fz/significance.h>
#include <fz/verdict.h>
#include <fz/wake_watch.h>

#include "fake_world.h"
#include "fz_test.h"

#define BYTES   (8 * FZ_PAGE_BYTES)
#define NR_ROWS 4u
#define TOL     1e-9

static struct fake_world world;
static struct fz_buffer *buffer;
static struct fz_row rows[NR_ROWS];
static struct fz_figures figures;

static struct fz_row make_row(const struct fz_engine *engine,
			      const char *policy)
{
	return (struct fz_row){
		.buffers = &buffer,
		.status = FZ_ROW_MEASURED,
		.config = {
			.engine = engine,
			.policy = policy ? fz_policy_find(policy) : NULL,
			.clear = fz_clear_find("portable"),
			.page = { FZ_PAGES_BASE, 4096 },
			.folio_bytes = 4 * FZ_PAGE_BYTES,
			.bytes = BYTES,
			.fault = FZ_FAULT_AT,
			.fault_page = 1,
			.preempt = FZ_PREEMPT_NONE,
		},
	};
}

static void set_seconds(struct fz_row *row, const double *seconds, size_t nr)
{
	ck_assert_int_eq(fz_row_begin(row, nr), 0);
	memcpy(row->seconds, seconds, nr * sizeof(*seconds));
	row->rounds = nr;
	/* The kernel engine takes a fault a folio, others none. */
	if (!row->config.engine->runs_plans)
		row->noise.minor_faults = 2 * nr;
}

static void setup(void)
{
	fake_world_init(&world, 1);
	buffer = fake_buffer(&world, BYTES);
	rows[0] = make_row(&fz_engine_buffers, "discontiguous-page");
	rows[1] = make_row(&fz_engine_buffers, "neighbourhood-last");
	rows[2] = make_row(&fz_engine_kernel, NULL);
	rows[3] = make_row(&fz_engine_bare, "discontiguous-page");
}

static void teardown(void)
{
	for (size_t i = 0; i < NR_ROWS; i++)
		fz_row_fini(&rows[i]);
	fz_buffer_close(buffer);
}

static const struct fz_references nobody;

static struct fz_references baseline(const struct fz_row *row)
{
	return (struct fz_references){ .baseline = row };
}

START_TEST(bandwidth_is_bytes_over_seconds)
{
	static const double seconds[] = { 4e-6, 1e-6, 2e-6 };
	const double bps[] = { BYTES / 4e-6, BYTES / 1e-6, BYTES / 2e-6 };
	const double mean = (bps[0] + bps[1] + bps[2]) / 3;
	const double variance = (pow(bps[0] - mean, 2) + pow(bps[1] - mean, 2) +
				 pow(bps[2] - mean, 2)) /
				2;

	set_seconds(&rows[0], seconds, 3);
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert(figures.has_bandwidth);
	ck_assert_double_eq_tol(figures.bandwidth.median_bps, bps[2], 1.0);
	ck_assert_double_eq_tol(figures.bandwidth.mean_bps, mean, 1.0);
	ck_assert_double_eq_tol(figures.bandwidth.stdev_pct,
				100 * sqrt(variance) / mean, TOL);
	ck_assert(figures.bandwidth.ci95_bps.lo <= bps[2]);
	ck_assert(figures.bandwidth.ci95_bps.hi >= bps[2]);
	ck_assert_uint_eq(figures.faults, 2);
}
END_TEST

START_TEST(ratio_is_paired_and_above_1_when_faster)
{
	static const double base[] = { 3e-6, 6e-6, 9e-6, 5e-6 };
	static const double half[] = { 1.5e-6, 3e-6,
				       4.5e-6 }; /* a round less */

	set_seconds(&rows[0], base, 4);
	set_seconds(&rows[1], half, 3);
	fz_figures_of(&rows[1], baseline(&rows[0]), 0, 1, &figures);
	ck_assert_ptr_eq(figures.baseline, &rows[0]);
	ck_assert_uint_eq(figures.ratio.rounds, 3);
	/* 2 in every pair, though medians would give another figure. */
	ck_assert_double_eq_tol(figures.ratio.median, 2.0, TOL);
	ck_assert_double_eq_tol(figures.ratio.ci95.lo, 2.0, TOL);
	ck_assert_double_eq_tol(figures.ratio.ci95.hi, 2.0, TOL);
}
END_TEST

START_TEST(stretches_and_wakeups)
{
	static const double seconds[] = { 1e-6, 1e-6 };

	set_seconds(&rows[0], seconds, 2);
	rows[0].points = 2 * 2 * 4; /* 4 a fault, 2 faults, 2 rounds */
	fz_histogram_add(&rows[0].samples->stretch_ns, 10);
	fz_histogram_add(&rows[0].samples->stretch_ns, 30);
	fz_histogram_add(&rows[0].samples->fault_ns, 40);
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert(figures.has_points);
	ck_assert_double_eq_tol(figures.points_per_fault, 4.0, TOL);
	ck_assert(figures.has_stretches);
	ck_assert_uint_eq(figures.interval_ns.min, 10);
	ck_assert_uint_eq(figures.interval_ns.max, 30);
	ck_assert_double_eq_tol(figures.interval_ns.mean, 20.0, TOL);
	/* E[L^2] / (2 E[L]) = (100 + 900) / 2 / (2 * 20) */
	ck_assert_double_eq_tol(figures.wakeup_ns.mean_ns, 12.5, TOL);
	ck_assert_double_eq_tol(figures.wakeup_ns.max_ns, 30.0, TOL);
	/* P(latency > 10) = (30 - 10) / 2 / 20 = 0.5 */
	ck_assert_double_eq_tol(figures.wakeup_ns.p50_ns, 10.0, 0.5);
	ck_assert_uint_eq(figures.fault_ns.p50, 40);
}
END_TEST

START_TEST(preemptible_models_have_no_stretches)
{
	static const double seconds[] = { 1e-6 };

	rows[0].config.preempt = FZ_PREEMPT_LAZY;
	set_seconds(&rows[0], seconds, 1);
	fz_histogram_add(&rows[0].samples->stretch_ns, 10);
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert(!figures.has_stretches);
	ck_assert(figures.has_points);
	ck_assert_double_eq_tol(figures.points_per_fault, 0.0, TOL);
}
END_TEST

START_TEST(kernel_and_bare_have_no_stretches)
{
	static const double seconds[] = { 1e-6 };

	set_seconds(&rows[2], seconds, 1);
	set_seconds(&rows[3], seconds, 1);
	fz_figures_of(&rows[2], nobody, 0, 1, &figures);
	ck_assert(!figures.has_points && !figures.has_stretches);
	fz_figures_of(&rows[3], nobody, 0, 1, &figures);
	ck_assert(figures.has_points && !figures.has_stretches);
}
END_TEST

START_TEST(nothing_measured_gives_nothing)
{
	static const double zero[] = { 0.0 };

	fz_figures_of(&rows[0], baseline(&rows[1]), 0, 1, &figures);
	ck_assert(!figures.has_bandwidth);
	ck_assert_ptr_null(figures.baseline);
	ck_assert(isnan(figures.line_ns) && isnan(figures.near_ns));
	/* A section shorter than a tick is no bandwidth: never inf. */
	set_seconds(&rows[1], zero, 1);
	fz_figures_of(&rows[1], nobody, 0, 1, &figures);
	ck_assert(!figures.has_bandwidth);
}
END_TEST

static bool warned(const char *word)
{
	for (size_t i = 0; i < figures.nr_warnings; i++)
		if (strncmp(figures.warnings[i], word, strlen(word)) == 0)
			return true;
	return false;
}

START_TEST(warnings_say_what_spoils_a_row)
{
	static const double steady[] = { 1e-3, 1e-3, 1e-3 };

	set_seconds(&rows[0], steady, 3);
	fz_figures_of(&rows[0], nobody, BYTES / 8, 1, &figures);
	ck_assert(!warned("cache-hot:") && !warned("spread:"));
	ck_assert(!warned("steal:") && !warned("faults:"));
	ck_assert(!warned("migrations:"));
	fz_figures_of(&rows[0], nobody, BYTES / 8 + 1, 1, &figures);
	ck_assert(warned("cache-hot:"));
	rows[0].seconds[0] = 2e-3;
	rows[0].noise = (struct fz_noise){ .steal_ms = 10,
					   .migrations = 1,
					   .minor_faults = 1 };
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert(warned("spread:") && warned("steal:"));
	ck_assert(warned("faults:") && warned("migrations:"));
	/* The kernel engine needs its faults. */
	set_seconds(&rows[2], steady, 3);
	fz_figures_of(&rows[2], nobody, 0, 1, &figures);
	ck_assert(!warned("faults:"));
	rows[2].noise.minor_faults = 0;
	fz_figures_of(&rows[2], nobody, 0, 1, &figures);
	ck_assert(warned("faults:"));
}
END_TEST

START_TEST(baseline_is_the_closest_row_of_the_policy)
{
	static const double seconds[] = { 1e-6 };

	for (size_t i = 0; i < NR_ROWS; i++)
		set_seconds(&rows[i], seconds, 1);
	ck_assert_ptr_eq(
		fz_baseline_of(rows, NR_ROWS, &rows[1], "discontiguous-page"),
		&rows[0]);
	ck_assert_ptr_eq(
		fz_baseline_of(rows, NR_ROWS, &rows[2], "discontiguous-page"),
		&rows[0]); /* buffers stands for the kernel */
	ck_assert_ptr_eq(
		fz_baseline_of(rows, NR_ROWS, &rows[3], "discontiguous-page"),
		&rows[3]);
	ck_assert_ptr_null(
		fz_baseline_of(rows, NR_ROWS, &rows[0], "contiguous-page"));
	/* The same faulting page counts more than the model. */
	rows[3].config.engine = &fz_engine_buffers;
	rows[3].config.preempt = FZ_PREEMPT_VOLUNTARY;
	rows[0].config.fault_page = 2;
	ck_assert_ptr_eq(
		fz_baseline_of(rows, NR_ROWS, &rows[1], "discontiguous-page"),
		&rows[3]);
	/* Other pages do not compare. */
	rows[1].config.page.bytes = 8192;
	ck_assert_ptr_null(
		fz_baseline_of(rows, NR_ROWS, &rows[1], "discontiguous-page"));
}
END_TEST

/* Rounds around a mean, in a fixed zigzag of 1 %. */
static void set_level(struct fz_row *row, double mean, size_t nr, unsigned key)
{
	double seconds[64];

	for (size_t i = 0; i < nr; i++)
		seconds[i] = mean * (1.0 + 0.01 * (double)((i * 7 + key) % 5));
	set_seconds(row, seconds, nr);
}

START_TEST(winner_beats_every_row_over_enough_rounds)
{
	struct fz_verdict verdict;

	set_level(&rows[0], 2e-6, FZ_WINNER_MIN_ROUNDS, 0);
	set_level(&rows[1], 1e-6, FZ_WINNER_MIN_ROUNDS, 1);
	set_level(&rows[2], 3e-6, FZ_WINNER_MIN_ROUNDS, 2);
	set_level(&rows[3], 1e-7, FZ_WINNER_MIN_ROUNDS, 3); /* bare */
	ck_assert_uint_eq(fz_verdicts_of(rows, NR_ROWS, &verdict, 1), 1);
	ck_assert_ptr_eq(verdict.winner, &rows[1]);
	ck_assert_ptr_eq(verdict.best, &rows[1]);
	ck_assert_uint_eq(verdict.nr_rows, 3);
	ck_assert_uint_eq(verdict.nr_rivals, 0);
	ck_assert_uint_eq(verdict.rounds, FZ_WINNER_MIN_ROUNDS);
}
END_TEST

START_TEST(no_winner_over_too_few_rounds)
{
	struct fz_verdict verdict;

	set_level(&rows[0], 2e-6, FZ_WINNER_MIN_ROUNDS - 1, 0);
	set_level(&rows[1], 1e-6, FZ_WINNER_MIN_ROUNDS - 1, 1);
	ck_assert_uint_eq(fz_verdicts_of(rows, NR_ROWS, &verdict, 1), 1);
	ck_assert_ptr_null(verdict.winner);
	ck_assert_ptr_eq(verdict.best, &rows[1]);
}
END_TEST

START_TEST(no_winner_among_rivals)
{
	struct fz_verdict verdict;

	set_level(&rows[0], 1e-6, 20, 0);
	set_level(&rows[1], 1e-6, 20, 2);
	set_level(&rows[2], 5e-6, 20, 1);
	ck_assert_uint_eq(fz_verdicts_of(rows, NR_ROWS, &verdict, 1), 1);
	ck_assert_ptr_null(verdict.winner);
	ck_assert_uint_eq(verdict.nr_rivals, 1);
	ck_assert(verdict.rival == &rows[0] || verdict.rival == &rows[1]);
	ck_assert_ptr_ne(verdict.rival, verdict.best);
}
END_TEST

START_TEST(failed_row_does_not_compete)
{
	struct fz_verdict verdict;

	set_level(&rows[0], 2e-6, 20, 0);
	set_level(&rows[1], 1e-6, 20, 1);
	set_level(&rows[2], 1e-7, 1, 2);
	fz_row_set_reason(&rows[2], "lost its pages");
	ck_assert_int_eq(rows[2].status, FZ_ROW_PARTIAL);
	ck_assert_uint_eq(fz_verdicts_of(rows, 3, &verdict, 1), 1);
	ck_assert_uint_eq(verdict.nr_rows, 2);
	ck_assert_uint_eq(verdict.rounds, 20);
	ck_assert_ptr_eq(verdict.winner, &rows[1]);
	/* Rows that a signal cut short all do. */
	fz_row_set_reason(&rows[2], FZ_STOPPED);
	ck_assert_uint_eq(fz_verdicts_of(rows, 3, &verdict, 1), 1);
	ck_assert_uint_eq(verdict.nr_rows, 3);
}
END_TEST

START_TEST(faulting_pages_are_judged_apart)
{
	struct fz_verdict verdicts[4];

	for (size_t i = 0; i < NR_ROWS; i++) {
		rows[i] = make_row(&fz_engine_buffers,
				   i % 2 ? "neighbourhood-last"
					 : "discontiguous-page");
		rows[i].config.fault_page = i / 2;
		/* On page 0 the second is faster, on page 1 the first. */
		set_level(&rows[i], i == 1 || i == 2 ? 1e-6 : 2e-6, 20,
			  (unsigned)i);
	}
	ck_assert_uint_eq(fz_verdicts_of(rows, NR_ROWS, verdicts, 4), 2);
	ck_assert_ptr_eq(verdicts[0].winner, &rows[1]);
	ck_assert_ptr_eq(verdicts[1].winner, &rows[2]);
	ck_assert_uint_eq(fz_verdicts_of(rows, NR_ROWS, verdicts, 1), 1);
}
END_TEST

START_TEST(rows_told_no_page_compete_everywhere)
{
	struct fz_verdict verdicts[4];

	rows[1] = make_row(&fz_engine_buffers, "init-pages");
	rows[1].config.fault = FZ_FAULT_NONE;
	set_level(&rows[0], 2e-6, 20, 0);
	set_level(&rows[1], 1e-6, 20, 1);
	ck_assert_uint_eq(fz_verdicts_of(rows, 2, verdicts, 4), 1);
	ck_assert_uint_eq(verdicts[0].nr_rows, 2);
	ck_assert_ptr_eq(verdicts[0].winner, &rows[1]);
}
END_TEST

START_TEST(twins_count_once)
{
	struct fz_verdict verdict;

	set_level(&rows[0], 2e-6, 20, 0);
	rows[1].twin = &rows[0];
	set_level(&rows[2], 1e-6, 20, 1);
	ck_assert_uint_eq(fz_verdicts_of(rows, 3, &verdict, 1), 1);
	ck_assert_uint_eq(verdict.nr_rows, 2);
	/* A twin's figures are those of the row it shares. */
	fz_figures_of(&rows[1], baseline(&rows[0]), 0, 1, &figures);
	ck_assert(figures.has_bandwidth);
	ck_assert_double_eq_tol(figures.ratio.median, 1.0, TOL);
}
END_TEST

static const char *all_warnings(void)
{
	static char text[FZ_MAX_WARNINGS * FZ_WARNING_BYTES];

	text[0] = '\0';
	for (size_t i = 0; i < figures.nr_warnings; i++)
		strcat(text, figures.warnings[i]);
	return text;
}

/* Two threads, the second 10 % slower; a round of one thread took 3 us. */
static void set_two_threads(void)
{
	static const double seconds[] = { 4e-6, 4.4e-6 };

	rows[0].config.threads = 2;
	rows[0].config.use = FZ_USE_PHASE;
	set_seconds(&rows[0], seconds, 2);
	for (size_t i = 0; i < 2; i++) {
		rows[0].use_seconds[i] = 1e-6;
		for (size_t t = 0; t < 2; t++)
			rows[0].threads[2 * i + t] = (struct fz_round_thread){
				.zero_seconds = (1.0 + 0.1 * (double)t) *
						seconds[i] / 1.1,
				.use_seconds = 1e-6,
			};
	}
}

START_TEST(threads_scale)
{
	static const double seconds[] = { 3e-6, 3e-6 };
	const struct fz_row *base;

	set_two_threads();
	rows[1].config = rows[0].config;
	rows[1].config.threads = 1;
	set_seconds(&rows[1], seconds, 2);
	base = fz_scaling_base_of(rows, NR_ROWS, &rows[0]);
	ck_assert_ptr_eq(base, &rows[1]);
	ck_assert_ptr_null(fz_scaling_base_of(rows, NR_ROWS, &rows[1]));
	fz_figures_of(&rows[0], (struct fz_references){ .scaling = base }, 0, 1,
		      &figures);
	ck_assert_ptr_eq(figures.scaling_base, base);
	/* Twice the bytes in 4 and 4.4 us instead of 3: 1.5 and 1.364. */
	ck_assert_double_eq_tol(figures.scaling.median,
				(6.0 / 4.0 + 6.0 / 4.4) / 2, TOL);
	ck_assert_uint_eq(figures.faults, 2 * 2);
	ck_assert_double_eq_tol(figures.bandwidth.mean_bps,
				(2 * BYTES / 4e-6 + 2 * BYTES / 4.4e-6) / 2,
				1e-3);
	/* Another setting is another row. */
	rows[1].config.use = FZ_USE_NONE;
	ck_assert_ptr_null(fz_scaling_base_of(rows, NR_ROWS, &rows[0]));
}
END_TEST

START_TEST(phases_are_summed_over_threads)
{
	set_two_threads();
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert(figures.has_phases);
	ck_assert_double_eq_tol(figures.phases.zero_s, 4.2e-6, 1e-12);
	ck_assert_double_eq_tol(figures.phases.use_s, 1e-6, 1e-12);
	ck_assert_double_eq_tol(figures.phases.zero_threads_s,
				4.2e-6 * 2.1 / 1.1, 1e-12);
	ck_assert_double_eq_tol(figures.phases.use_threads_s, 2e-6, 1e-12);
	ck_assert_double_eq_tol(fz_thread_bps(&rows[0], 1), BYTES / 4.2e-6,
				1e-3);
	ck_assert_double_eq_tol(fz_thread_bps(&rows[0], 0),
				BYTES / 4.2e-6 * 1.1, 1e-3);
}
END_TEST

/* A timer's wake-ups are in the times of the kernel's row. */
START_TEST(interrupted_rows_are_compared_with_none)
{
	static const double slow[] = { 3e-6, 3e-6 }, fast[] = { 1e-6, 1e-6 };
	const struct fz_wake_source timer = { .kind = FZ_WAKER_FIFO };
	const struct fz_wake_source flag = { .kind = FZ_WAKER_FLAG };

	set_seconds(&rows[0], fast, 2);
	set_seconds(&rows[2], slow, 2);
	rows[0].woken = &flag;
	rows[2].woken = &timer;
	fz_figures_of(&rows[2], baseline(&rows[0]), 0, 1, &figures);
	ck_assert_ptr_null(figures.baseline);
	ck_assert_uint_ge(figures.nr_warnings, 1);
	ck_assert_ptr_eq(
		strstr(figures.warnings[figures.nr_warnings - 1], "waker:"),
		figures.warnings[figures.nr_warnings - 1]);
	/* A flag costs nothing. */
	rows[2].woken = NULL;
	fz_figures_of(&rows[2], baseline(&rows[0]), 0, 1, &figures);
	ck_assert_ptr_eq(figures.baseline, &rows[0]);
}
END_TEST

/* Without threads one basis for both, so that shares add up. */
START_TEST(phases_of_the_calling_thread)
{
	static const double seconds[] = { 3e-6, 3e-6 };

	rows[0].config.use = FZ_USE_PHASE;
	set_seconds(&rows[0], seconds, 2);
	for (size_t i = 0; i < 2; i++) {
		rows[0].use_seconds[i] = 1e-6;
		rows[0].threads[i] = (struct fz_round_thread){
			.zero_seconds = 4e-6,
			.use_seconds = 1e-6,
		};
	}
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert_double_eq_tol(figures.phases.zero_s, 4e-6, 1e-12);
	ck_assert_double_eq_tol(figures.phases.zero_share_pct, 80.0, 1e-6);
}
END_TEST

/* Bookkeeping between folios is told where it is much. */
START_TEST(spans_longer_than_their_sections)
{
	set_two_threads();
	for (size_t i = 0; i < 4; i++)
		rows[0].threads[i].sections_seconds =
			0.96 * rows[0].threads[i].zero_seconds;
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert(!strstr(all_warnings(), "span:"));
	for (size_t i = 0; i < 4; i++)
		rows[0].threads[i].sections_seconds =
			0.80 * rows[0].threads[i].zero_seconds;
	fz_figures_of(&rows[0], nobody, 0, 1, &figures);
	ck_assert_ptr_nonnull(strstr(all_warnings(), "span: 20 %"));
}
END_TEST

/* Threads make a difference to everything that compares times of rounds. */
START_TEST(threads_are_never_compared_with_fewer)
{
	static const double seconds[] = { 3e-6, 3e-6 };

	set_two_threads();
	set_seconds(&rows[1], seconds, 2);
	ck_assert(!fz_row_same_memory(&rows[0].config, &rows[1].config));
	ck_assert_ptr_null(
		fz_baseline_of(rows, 2, &rows[0], "neighbourhood-last"));
}
END_TEST

static struct fz_row *model_of_row(size_t i)
{
	rows[3] = make_row(&fz_engine_model, NULL);
	rows[3].config = rows[i].config;
	rows[3].config.engine = &fz_engine_model;
	rows[3].status = FZ_ROW_MODELLED;
	return &rows[3];
}

/* Beside the same row of buffers, and no other one. */
START_TEST(predictions_are_paired_with_the_same_row)
{
	static const double measured[] = { 3e-6, 6e-6, 9e-6, 5e-6 };
	static const double modelled[] = { 1.5e-6, 3e-6, 4.5e-6 };
	struct fz_row *model = model_of_row(1);
	struct fz_references others = nobody;

	set_seconds(&rows[0], measured, 4);
	set_seconds(model, modelled, 3);
	ck_assert_ptr_null(fz_measured_of(rows, 4, model));
	set_seconds(&rows[1], measured, 4);
	ck_assert_ptr_eq(fz_measured_of(rows, 4, model), &rows[1]);
	ck_assert_ptr_null(fz_measured_of(rows, 4, &rows[1]));
	others.measured = &rows[1];
	fz_figures_of(model, others, 0, 1, &figures);
	ck_assert_ptr_eq(figures.measured, &rows[1]);
	ck_assert_uint_eq(figures.prediction.rounds, 3);
	ck_assert_double_eq_tol(figures.prediction.median, 2.0, TOL);
	for (int i = 0; i < 5; i++) {
		const struct fz_row_config config = model->config;

		model->config.batch_pages += i == 0;
		model->config.radius_pages += i == 1;
		model->config.fault_page += i == 2;
		model->config.per_page_clear ^= i == 3;
		model->config.preempt =
			i == 4 ? FZ_PREEMPT_VOLUNTARY : config.preempt;
		ck_assert_ptr_null(fz_measured_of(rows, 4, model));
		model->config = config;
	}
}
END_TEST

/* A model is nobody's baseline but a model's, and no winner. */
START_TEST(models_compete_with_nobody)
{
	static const double slow[] = { 3e-6, 3e-6 };
	static const double fast[] = { 1e-6, 1e-6 };
	struct fz_row *model = model_of_row(1);
	struct fz_verdict verdict;

	set_seconds(&rows[0], slow, 2);
	set_seconds(model, fast, 2);
	ck_assert_ptr_null(
		fz_baseline_of(rows, 4, &rows[0], "neighbourhood-last"));
	ck_assert_ptr_null(
		fz_baseline_of(rows, 4, model, "discontiguous-page"));
	ck_assert_ptr_eq(fz_baseline_of(rows, 4, model, "neighbourhood-last"),
			 model);
	ck_assert_uint_eq(fz_verdicts_of(rows, 4, &verdict, 1), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.figures");
	TCase *tcase = tcase_create("figures");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, bandwidth_is_bytes_over_seconds);
	tcase_add_test(tcase, ratio_is_paired_and_above_1_when_faster);
	tcase_add_test(tcase, stretches_and_wakeups);
	tcase_add_test(tcase, preemptible_models_have_no_stretches);
	tcase_add_test(tcase, kernel_and_bare_have_no_stretches);
	tcase_add_test(tcase, nothing_measured_gives_nothing);
	tcase_add_test(tcase, warnings_say_what_spoils_a_row);
	tcase_add_test(tcase, baseline_is_the_closest_row_of_the_policy);
	tcase_add_test(tcase, winner_beats_every_row_over_enough_rounds);
	tcase_add_test(tcase, no_winner_over_too_few_rounds);
	tcase_add_test(tcase, no_winner_among_rivals);
	tcase_add_test(tcase, failed_row_does_not_compete);
	tcase_add_test(tcase, faulting_pages_are_judged_apart);
	tcase_add_test(tcase, rows_told_no_page_compete_everywhere);
	tcase_add_test(tcase, twins_count_once);
	tcase_add_test(tcase, threads_scale);
	tcase_add_test(tcase, interrupted_rows_are_compared_with_none);
	tcase_add_test(tcase, phases_of_the_calling_thread);
	tcase_add_test(tcase, spans_longer_than_their_sections);
	tcase_add_test(tcase, phases_are_summed_over_threads);
	tcase_add_test(tcase, threads_are_never_compared_with_fewer);
	tcase_add_test(tcase, predictions_are_paired_with_the_same_row);
	tcase_add_test(tcase, models_compete_with_nobody);
	suite_add_tcase(suite, tcase);
	return suite;
}
