// SPDX-License-Identifier: GPL-2.0-or-later
/* The head of the text view: the machine. */
#include "text_parts.h"

#include <math.h>

#include "row_facts.h"

static const struct fz_margins margins = { FZ_TEXT_WIDTH, 0, 2 };

static const char *or_unknown(const char *text)
{
	return text[0] ? text : "unknown";
}

static void add_finding(struct fz_note *note, const char *what,
			const struct fz_finding *finding)
{
	if (finding->value[0])
		fz_note_add(note, "%s %s (%s)", what, finding->value,
			    or_unknown(finding->basis));
	else
		fz_note_add(note, "%s unknown", what);
}

static void print_machine(FILE *out, const struct fz_machine *machine)
{
	struct fz_note note = { .used = 0 };

	fz_note_add(&note, "%s, Linux %s, ",
		    machine->cpu[0] ? machine->cpu : "unknown CPU",
		    or_unknown(machine->kernel));
	add_finding(&note, "preempt", &machine->preempt_mode);
	if (machine->virtualised)
		fz_note_add(&note, ", %s guest",
			    machine->hypervisor[0] ? machine->hypervisor
						   : "virtual");
	fz_note_print(out, &note, margins);
}

/* Where the allocator may zero what the fault path is measured zeroing. */
static bool comes_from_allocator(const struct fz_result *result, size_t row,
				 const void *arg)
{
	(void)arg;
	return result->rows[row].config.page.kind != FZ_PAGES_HUGETLB;
}

static bool is_base(const struct fz_result *result, size_t row, const void *arg)
{
	(void)arg;
	return result->rows[row].config.page.kind == FZ_PAGES_BASE;
}

static void print_kernel(FILE *out, const struct fz_result *result)
{
	const struct fz_machine *machine = result->machine;
	struct fz_note note = { .used = 0 };

	add_finding(&note, "this kernel's policy:", &machine->kernel_policy);
	if (fz_count_rows(result, is_base, NULL))
		add_finding(&note, ", for base pages:", &machine->base_policy);
	if (fz_count_rows(result, comes_from_allocator, NULL))
		add_finding(&note, ", init_on_alloc:", &machine->init_on_alloc);
	fz_note_print(out, &note, margins);
}

static void print_point_cost(FILE *out, double ns)
{
	if (isfinite(ns))
		fprintf(out,
			"a user-space stand-in of a resched point costs %.1f ns\n",
			ns);
}

void fz_text_machine(FILE *out, const struct fz_result *result)
{
	print_machine(out, result->machine);
}

void fz_text_header(FILE *out, const struct fz_result *result)
{
	print_machine(out, result->machine);
	print_kernel(out, result);
	print_point_cost(out, result->point_cost_ns);
}
