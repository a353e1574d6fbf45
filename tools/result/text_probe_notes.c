// SPDX-License-Identifier: GPL-2.0-or-later
/* How the tables of the probes are to be read, and what is not in them. */
#include "text_parts.h"

#include <math.h>
#include <string.h>

#include <fz/cache_spec.h>

#include "probe_grid.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

static void add_levels(struct fz_note *note, const struct fz_levels *levels)
{
	for (size_t i = 0; i < levels->nr; i++) {
		const struct fz_level *level = &levels->level[i];
		char size[FZ_FORMAT_BYTES];

		fz_format_bytes(size, sizeof(size), level->set_bytes);
		fz_note_add(note, "%s %.1f in %s (%s)", i ? "," : "",
			    level->median_ticks, level->name, size);
	}
	for (size_t i = 0; i < levels->nr_classes; i++) {
		fz_note_add(note, "%s %c = %s", i ? "," : ";",
			    fz_level_letter(levels, i),
			    levels->classes[i].name);
		if (isfinite(levels->classes[i].below_ticks))
			fz_note_add(note, " below %.1f",
				    levels->classes[i].below_ticks);
	}
}

static void print_levels(FILE *out, const struct fz_result *result)
{
	const struct fz_levels *levels = &result->probe->levels;
	struct fz_note note = { .used = 0 };

	fz_note_add(&note,
		    "probe: a load takes so many cycles of the clock %s,"
		    " %.2f ns each:",
		    result->machine->clock, result->probe->ns_per_tick);
	add_levels(&note, levels);
	if (!levels->exceeds_llc)
		fz_note_add(&note,
			    "; the set in memory is less than twice the "
			    "last-level cache that the machine names: some of "
			    "its loads may come from there");
	if (result->probe->wanted[FZ_PROBE_VICTIM])
		fz_note_add(&note,
			    "; slowdown: reading a set again after a folio was "
			    "zeroed, over reading it before");
	fz_note_print(out, &note, margins);
}

/* Rows that lack a probe for one reason. */
struct missing {
	enum fz_probe_kind kind;
	const char *reason;
};

static bool lacks(const struct fz_result *result, size_t row, const void *arg)
{
	const struct missing *missing = arg;
	const struct fz_row_probe *found =
		fz_row_data(&result->rows[row])->probe;

	return found &&
	       strcmp(found->reason[missing->kind].msg, missing->reason) == 0;
}

static bool is_first(const struct fz_result *result, size_t row,
		     const struct missing *missing)
{
	for (size_t i = 0; i < row; i++)
		if (lacks(result, i, missing))
			return false;
	return true;
}

static void print_missing(FILE *out, const struct fz_result *result,
			  enum fz_probe_kind kind)
{
	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row_probe *found =
			fz_row_data(&result->rows[i])->probe;
		const struct missing missing = { kind,
						 found ? found->reason[kind].msg
						       : "" };
		struct fz_note note = { .used = 0 };

		if (!missing.reason[0] || !is_first(result, i, &missing))
			continue;
		fz_note_add(&note, "no %s: %s (", fz_probe_name(kind),
			    missing.reason);
		fz_note_add_ids(&note, result, lacks, &missing);
		fz_note_add(&note, ")");
		fz_note_print(out, &note, margins);
	}
}

/* One reason why modelled figures are missing. */
static bool has_no_model(const struct fz_result *result, size_t row,
			 const void *reason)
{
	const struct fz_row_probe *found =
		fz_row_data(&result->rows[row])->probe;

	return found && strcmp(found->not_modelled.msg, reason) == 0;
}

static void print_not_modelled(FILE *out, const struct fz_result *result)
{
	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row_probe *found =
			fz_row_data(&result->rows[i])->probe;
		const char *reason = found ? found->not_modelled.msg : "";
		struct fz_note note = { .used = 0 };
		bool first = reason[0];

		for (size_t j = 0; j < i && first; j++)
			first = !has_no_model(result, j, reason);
		if (!first)
			continue;
		fz_note_add(&note, "no model: %s (", reason);
		fz_note_add_ids(&note, result, has_no_model, reason);
		fz_note_add(&note, ")");
		fz_note_print(out, &note, margins);
	}
}

static bool has_model(const struct fz_result *result)
{
	for (size_t i = 0; i < result->nr_rows; i++) {
		const struct fz_row_probe *found =
			fz_row_data(&result->rows[i])->probe;

		if (found && !found->not_modelled.msg[0] &&
		    (found->nr_residency || found->nr_victims))
			return result->probe->model.known;
	}
	return false;
}

static bool has_random_fault(const struct fz_result *result)
{
	for (size_t i = 0; i < result->nr_rows; i++)
		if (result->rows[i].config.fault == FZ_FAULT_RANDOM)
			return true;
	return false;
}

static void print_model(FILE *out, const struct fz_result *result)
{
	const struct fz_probe_model *model = &result->probe->model;
	char text[FZ_CACHE_SPEC_BYTES];
	struct fz_note note = { .used = 0 };

	if (has_model(result)) {
		fz_cache_spec_format(text, sizeof(text), &model->spec);
		fz_note_add(&note, "model: what the same plan leaves in %s%s",
			    text,
			    has_random_fault(result)
				    ? ", with the middle page for random ones"
				    : "");
	} else if (model->reason.msg[0]) {
		fz_note_add(&note, "no model: %s", model->reason.msg);
	}
	fz_note_print(out, &note, margins);
	print_not_modelled(out, result);
}

void fz_text_probe_notes(FILE *out, const struct fz_result *result)
{
	const struct fz_probe *probe = result->probe;

	if (!probe)
		return;
	if (probe->levels.nr_classes)
		print_levels(out, result);
	for (size_t i = 0; i < FZ_MAX_CACHES; i++) {
		struct fz_note note = { .used = 0 };

		if (!probe->no_victim[i].msg[0])
			continue;
		fz_note_add(&note, "no victim: %s", probe->no_victim[i].msg);
		fz_note_print(out, &note, margins);
	}
	for (size_t kind = 0; kind < FZ_NR_PROBES; kind++)
		print_missing(out, result, (enum fz_probe_kind)kind);
	print_model(out, result);
}
