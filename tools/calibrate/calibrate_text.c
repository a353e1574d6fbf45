// SPDX-License-Identifier: GPL-2.0-or-later
/* The text view of a calibration: prices, long calls, checks, the rest. */
#include "calibrate_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <fz/figures.h>
#include <fz/statistics.h>
#include <fz/units.h>

#include "note.h"
#include "row_facts.h"
#include "row_label.h"
#include "table.h"
#include "text_parts.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

static void print_memory(FILE *out, const struct fz_calibration *calibration,
			 const struct fz_machine *machine,
			 const struct fz_calibrated_on *on)
{
	const uint64_t llc = machine->topology.llc_bytes;
	struct fz_note note = { .used = 0 };
	char bytes[FZ_FORMAT_BYTES], page[FZ_LABEL_BYTES];
	char extent[FZ_FORMAT_BYTES];

	fz_format_bytes(bytes, sizeof(bytes), on->bytes);
	fz_format_bytes(extent, sizeof(extent), on->max_extent_bytes);
	fz_page_text(page, sizeof(page), on->page);
	fz_note_add(&note, "%s of %s, calls of up to %s, %zu rounds, %.1f s",
		    bytes, page, extent, calibration->clears[0].rounds,
		    (double)calibration->elapsed_ns / 1e9);
	if (on->backing.verified_by[0] && on->backing.bytes_ok < on->bytes)
		fz_note_add(&note,
			    "; only %.0f %% of it is on pages of that kind",
			    100.0 * (double)on->backing.bytes_ok /
				    (double)on->bytes);
	fz_note_print(out, &note, margins);
	if (!llc || on->bytes >= FZ_COLD_LLC_MULTIPLE * llc)
		return;
	note.used = 0;
	fz_format_bytes(extent, sizeof(extent), llc);
	fz_note_add(&note,
		    "cache-hot: %s is less than %u times the last-level cache "
		    "of %s, so prices may be those of memory that is in it",
		    bytes, (unsigned int)FZ_COLD_LLC_MULTIPLE, extent);
	fz_note_print(out, &note, margins);
}

enum price_column {
	COLUMN_NAME,
	COLUMN_UP,
	COLUMN_DOWN,
	COLUMN_OTHER,
	COLUMN_DRAIN,
	COLUMN_GIB,
	COLUMN_LEFT,
	COLUMN_INTERRUPTED,
	NR_PRICE_COLUMNS,
};

static const struct fz_column price_columns[NR_PRICE_COLUMNS] = {
	[COLUMN_NAME] = { .head = { "", "clear" }, .left = true },
	[COLUMN_UP] = { .head = { "a call, ns:", "upwards" } },
	[COLUMN_DOWN] = { .head = { "", "downwards" } },
	[COLUMN_OTHER] = { .head = { "", "elsewhere" } },
	[COLUMN_DRAIN] = { .head = { "a folio,", "ns more" } },
	[COLUMN_GIB] = { .head = { "its bytes,", "GiB/s" } },
	[COLUMN_LEFT] = { .head = { "left", "over" } },
	[COLUMN_INTERRUPTED] = { .head = { "interrupted,", "ns more" } },
};

static double reach(double value, struct fz_interval ci)
{
	return fmax(value - ci.lo, ci.hi - value);
}

static void value_cell(char *cell, double value, struct fz_interval ci,
		       int digits)
{
	if (isnan(value))
		snprintf(cell, FZ_CELL_BYTES, "-");
	else if (isfinite(reach(value, ci)))
		snprintf(cell, FZ_CELL_BYTES, "%.*f +-%.*f", digits, value,
			 digits, reach(value, ci));
	else
		snprintf(cell, FZ_CELL_BYTES, "%.*f", digits, value);
}

static double gib_of(double ns_per_byte)
{
	return fz_gib_per_s(1e9 / ns_per_byte);
}

static void fill_prices(struct fz_table *table, size_t i,
			const struct fz_calibration *calibration)
{
	const struct fz_calibrated_clear *clear = &calibration->clears[i];
	const struct fz_profile_clear *profile =
		&calibration->profile.clears[i];
	const struct fz_price_term *bytes = &clear->fit.term[FZ_TERM_BYTES];

	snprintf(fz_table_cell(table, i, COLUMN_NAME), FZ_CELL_BYTES, "%s",
		 profile->name);
	for (size_t r = 0; r < FZ_NR_RELATIONS; r++)
		value_cell(fz_table_cell(table, i, COLUMN_UP + r),
			   clear->fit.term[r].value, clear->fit.term[r].ci95,
			   0);
	value_cell(fz_table_cell(table, i, COLUMN_DRAIN), profile->drain_ns,
		   clear->fit.term[FZ_TERM_FOLIO].ci95, 0);
	/* Ends change sides. */
	value_cell(fz_table_cell(table, i, COLUMN_GIB), gib_of(bytes->value),
		   (struct fz_interval){ gib_of(bytes->ci95.hi),
					 gib_of(bytes->ci95.lo) },
		   2);
	snprintf(fz_table_cell(table, i, COLUMN_LEFT), FZ_CELL_BYTES, "%.1f %%",
		 100 * clear->fit.relative_error);
	value_cell(fz_table_cell(table, i, COLUMN_INTERRUPTED),
		   profile->interrupted_ns, clear->interrupted_ci95, 0);
	table->nr_rows++;
}

static int print_prices(FILE *out, const struct fz_calibration *calibration)
{
	const size_t nr = calibration->profile.nr_clears;
	struct fz_table table;
	const int code =
		fz_table_init(&table, price_columns, NR_PRICE_COLUMNS, nr);

	if (code)
		return code;
	fprintf(out, "\n== prices (+-: to the farther end of the 95 %% "
		     "interval)\n");
	for (size_t i = 0; i < nr; i++)
		fill_prices(&table, i, calibration);
	fz_table_fit(&table, FZ_TEXT_WIDTH);
	fz_table_print(out, &table);
	fz_table_fini(&table);
	return 0;
}

static void add_shares(struct fz_note *note,
		       const struct fz_calibrated_clear *clear)
{
	const char *lead = "; at the threshold, with a timer every";

	for (size_t i = 0; i < FZ_CALIBRATE_INTERRUPTS; i++) {
		const struct fz_interrupted_share *share =
			&clear->interrupted[i];
		char interval[FZ_FORMAT_BYTES];

		if (isnan(share->share))
			continue;
		fz_text_ns(interval, sizeof(interval),
			   (double)share->interval_ns);
		fz_note_add(note, "%s %s: %.0f %%", lead, interval,
			    100 * share->share);
		lead = ",";
	}
}

static void print_elided(FILE *out, const struct fz_profile_clear *profile,
			 const struct fz_calibrated_clear *clear)
{
	struct fz_note note = { .used = 0 };
	char slow[FZ_FORMAT_BYTES], fast[FZ_FORMAT_BYTES];

	fz_format_bytes(slow, sizeof(slow), clear->slow_bytes);
	fz_format_bytes(fast, sizeof(fast), profile->threshold_bytes);
	fz_note_add(&note, "%s: calls of %s and more are faster, of %s not; ",
		    profile->name, fast, slow);
	if (clear->elision == FZ_ELISION_SOMETIMES)
		fz_note_add(&note, "%.0f %% of them (%.0f to %.0f %%)",
			    100 * profile->elided_share,
			    100 * clear->share_ci95.lo,
			    100 * clear->share_ci95.hi);
	else
		fz_note_add(&note, "all of them");
	fz_note_add(&note,
		    " reach %.1f GiB/s behind a ramp of %.1f MiB (%zu calls)",
		    fz_gib_per_s(profile->elided_bps),
		    (double)profile->ramp_bytes / 0x1p20, clear->nr_long);
	add_shares(&note, clear);
	fz_note_print(out, &note, margins);
}

static void print_long_calls(FILE *out,
			     const struct fz_calibration *calibration)
{
	struct fz_note note = { .used = 0 };

	fprintf(out, "\n== long calls\n");
	for (size_t i = 0; i < calibration->profile.nr_clears; i++) {
		const struct fz_calibrated_clear *clear =
			&calibration->clears[i];
		const struct fz_profile_clear *profile =
			&calibration->profile.clears[i];
		char longest[FZ_FORMAT_BYTES];

		if (profile->threshold_bytes) {
			print_elided(out, profile, clear);
		} else if (!profile->streaming) {
			fz_format_bytes(longest, sizeof(longest),
					clear->longest_bytes);
			fz_note_add(&note, "%s %s up to %s",
				    note.used ? "," : "no threshold:",
				    profile->name, longest);
		}
	}
	fz_note_print(out, &note, margins);
}

static const struct fz_column check_columns[] = {
	{ .head = { "", "clear" }, .left = true },
	{ .head = { "", "plan" }, .left = true },
	{ .head = { "", "predicted" } },
	{ .head = { "", "measured" } },
	{ .head = { "", "error" } },
};
#define NR_CHECK_COLUMNS (sizeof(check_columns) / sizeof(check_columns[0]))

/* All plans of the two that price steps would be cleared with. */
static bool prices_steps(const struct fz_profile *profile, size_t clear)
{
	for (size_t i = 0; i < clear; i++)
		if (profile->clears[i].streaming ==
		    profile->clears[clear].streaming)
			return false;
	return true;
}

static void fill_check(struct fz_table *table,
		       const struct fz_calibration *calibration,
		       const struct fz_calibration_check *check)
{
	const size_t row = table->nr_rows++;

	snprintf(fz_table_cell(table, row, 0), FZ_CELL_BYTES, "%s",
		 calibration->profile.clears[check->clear].name);
	snprintf(fz_table_cell(table, row, 1), FZ_CELL_BYTES, "%s",
		 check->what);
	fz_text_ns(fz_table_cell(table, row, 2), FZ_CELL_BYTES,
		   check->predicted_ns);
	fz_text_ns(fz_table_cell(table, row, 3), FZ_CELL_BYTES,
		   check->measured_ns);
	if (isfinite(fz_calibration_error(check)))
		snprintf(fz_table_cell(table, row, 4), FZ_CELL_BYTES,
			 "%+.1f %%", 100 * fz_calibration_error(check));
}

static void print_errors(FILE *out, const struct fz_calibration *calibration,
			 size_t clear)
{
	double errors[FZ_CALIBRATE_MAX_SHAPES];
	double worst = 0;
	size_t nr = 0;

	for (size_t i = 0; i < calibration->nr_checks; i++) {
		const struct fz_calibration_check *check =
			&calibration->checks[i];
		const double error = fz_calibration_error(check);

		if (check->clear != clear || !isfinite(error))
			continue;
		errors[nr++] = fabs(error);
		worst = fabs(error) > fabs(worst) ? error : worst;
	}
	if (nr)
		fprintf(out,
			"%s: median error %.1f %%, worst %+.1f %%, of %zu "
			"plans\n",
			calibration->profile.clears[clear].name,
			100 * fz_median(errors, nr), 100 * worst, nr);
	else
		fprintf(out, "%s: no plan has a price\n",
			calibration->profile.clears[clear].name);
}

static int print_checks(FILE *out, const struct fz_calibration *calibration)
{
	struct fz_table table;
	const int code = fz_table_init(&table, check_columns, NR_CHECK_COLUMNS,
				       calibration->nr_checks);

	if (code)
		return code;
	fprintf(out, "\n== check, on plans that nothing was fitted to\n");
	for (size_t i = 0; i < calibration->nr_checks; i++)
		if (prices_steps(&calibration->profile,
				 calibration->checks[i].clear))
			fill_check(&table, calibration,
				   &calibration->checks[i]);
	fz_table_fit(&table, FZ_TEXT_WIDTH);
	fz_table_print(out, &table);
	fz_table_fini(&table);
	for (size_t i = 0; i < calibration->profile.nr_clears; i++)
		print_errors(out, calibration, i);
	return 0;
}

static void add_ns(struct fz_note *note, const char *name, double ns)
{
	char text[FZ_FORMAT_BYTES];

	fz_text_ns(text, sizeof(text), ns);
	fz_note_add(note, "%s %s, ", name, text);
}

/* 0 is not known. */
static void add_count(struct fz_note *note, const char *name,
		      unsigned int count)
{
	if (count)
		fz_note_add(note, "%s %u", name, count);
	else
		fz_note_add(note, "%s -", name);
}

static void print_memory_rates(FILE *out,
			       const struct fz_profile_memory *memory)
{
	struct fz_note note = { .used = 0 };

	if (isnan(memory->read_bps))
		return;
	fz_note_add(&note, "memory: a core reads %.2f GiB/s",
		    fz_gib_per_s(memory->read_bps));
	if (!isnan(memory->bps))
		fz_note_add(&note, ", a node's bus has %.2f GiB/s",
			    fz_gib_per_s(memory->bps));
	if (!isnan(memory->allocate_cost))
		fz_note_add(&note, ", a byte allocated takes %.2f of it",
			    memory->allocate_cost);
	if (!isnan(memory->stream_cost))
		fz_note_add(&note, ", a byte streamed %.2f",
			    memory->stream_cost);
	fz_note_print(out, &note, margins);
}

static void print_numbers(FILE *out, const struct fz_profile *profile)
{
	struct fz_note note = { .used = 0 };

	fprintf(out, "\n== the rest (-: not known)\n");
	add_ns(&note, "fault", profile->fault_ns);
	add_ns(&note, "point", profile->point_ns);
	add_ns(&note, "switch", profile->switch_ns);
	add_ns(&note, "interrupt", profile->irq_ns);
	add_count(&note, "Hz", profile->hz);
	add_count(&note, ", cores", profile->nr_cores);
	add_count(&note, ", threads of each", profile->smt);
	add_count(&note, ", nodes", profile->nr_nodes);
	fz_note_print(out, &note, margins);
	print_memory_rates(out, &profile->memory);
}

static void print_notes(FILE *out, const struct fz_calibration *calibration)
{
	for (size_t i = 0; i < calibration->nr_notes; i++) {
		const struct fz_calibration_note *from = &calibration->notes[i];
		struct fz_note note = { .used = 0 };

		fz_note_add(&note, "%s%s: %s", from->member,
			    from->unknown ? ": not known" : "", from->text);
		fz_note_print(out, &note, margins);
	}
}

int fz_calibrate_text(FILE *out, const struct fz_calibration *calibration,
		      const struct fz_machine *machine,
		      const struct fz_calibrated_on *on)
{
	const struct fz_result result = { .machine = machine };
	int code;

	fz_text_machine(out, &result);
	print_memory(out, calibration, machine, on);
	code = print_prices(out, calibration);
	if (code)
		return code;
	print_long_calls(out, calibration);
	code = print_checks(out, calibration);
	if (code)
		return code;
	print_numbers(out, &calibration->profile);
	print_notes(out, calibration);
	return ferror(out) ? -EIO : 0;
}
