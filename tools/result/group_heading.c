// SPDX-License-Identifier: GPL-2.0-or-later
/* The heading of a group of rows: what all of them have in common. */
#include "row_label.h"

#include <inttypes.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "row_groups.h"

static const struct fz_row *lead_of(const struct fz_labels *labels)
{
	return &labels->result->rows[labels->lead];
}

void fz_note_add_memory(struct fz_note *note, const struct fz_labels *labels)
{
	const struct fz_row *lead = lead_of(labels);
	const struct fz_row_config *config = &lead->config;
	char size[FZ_FORMAT_BYTES], text[FZ_LABEL_BYTES];

	if (labels->has_common_name) {
		fz_row_name(text, sizeof(text), labels->result, lead);
		fz_note_add(note, "%s, ", text);
	}
	if (config->threads)
		fz_note_add(note, "%u thread%s", config->threads,
			    config->threads == 1 ? ", " : "s, each ");
	fz_format_bytes(size, sizeof(size), config->bytes);
	fz_page_text(text, sizeof(text), config->page);
	fz_note_add(note, "%s of %s", size, text);
	if (config->folio_bytes == config->page.bytes)
		return;
	fz_format_bytes(size, sizeof(size), config->folio_bytes);
	fz_note_add(note, ", folios of %s", size);
}

static void add_fault(struct fz_note *note, const struct fz_row_config *config)
{
	switch (config->fault) {
	case FZ_FAULT_AT:
		fz_note_add(note, ", faulting page %" PRIu64 " of %" PRIu64,
			    config->fault_page,
			    config->folio_bytes >> FZ_PAGE_SHIFT);
		break;
	case FZ_FAULT_RANDOM:
		fz_note_add(note, ", random faulting page");
		break;
	case FZ_FAULT_RECORDED:
		fz_note_add(note, ", recorded faults");
		break;
	case FZ_FAULT_NONE:
		break;
	}
}

void fz_note_add_faults(struct fz_note *note, const struct fz_labels *labels)
{
	const struct fz_rounds rounds =
		fz_group_rounds(labels->result, labels->lead);

	add_fault(note, &lead_of(labels)->config);
	if (rounds.min < rounds.max)
		fz_note_add(note, ", %zu to %zu rounds", rounds.min,
			    rounds.max);
	else
		fz_note_add(note, ", %zu round%s", rounds.max,
			    rounds.max == 1 ? "" : "s");
}

/* The setting of the first row that has it; labels name it where it varies. */
static void add_setting(struct fz_note *note, const struct fz_labels *labels,
			enum fz_row_param param, const char *what,
			const char *of_machine)
{
	const struct fz_result *result = labels->result;
	char text[FZ_LABEL_BYTES] = "";

	if (labels->varies[param])
		return;
	for (size_t i = 0; i < result->nr_rows && !text[0]; i++)
		if (fz_row_in_group(result, labels->lead, i))
			fz_row_param(text, sizeof(text), &result->rows[i],
				     param);
	if (text[0] && strcmp(text, of_machine) != 0)
		fz_note_add(note, ", %s%s", what, text);
}

void fz_note_add_settings(struct fz_note *note, const struct fz_labels *labels)
{
	const struct fz_machine *machine = labels->result->machine;

	add_setting(note, labels, FZ_PARAM_PREEMPT, "preempt ",
		    machine->preempt_mode.value);
	add_setting(note, labels, FZ_PARAM_CLEAR, "", "");
	add_setting(note, labels, FZ_PARAM_STREAM, "streaming ", "");
}
