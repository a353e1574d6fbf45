// SPDX-License-Identifier: GPL-2.0-or-later
/* `foliosim list`: what there is, and what of it runs here. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <fz/clear.h>
#include <fz/context.h>
#include <fz/engine.h>
#include <fz/generator.h>
#include <fz/policies.h>
#include <fz/preempt.h>
#include <fz/trace_format.h>

#include "command.h"
#include "list_events.h"
#include "options.h"
#include "shipped_profiles.h"

static const char help_text[] =
	"usage: foliosim list [SECTION]\n"
	"       foliosim list events TEXT\n"
	"\n"
	"List names and what they mean; without a section, everything. With TEXT,\n"
	"events that have it in their names, those of the CPU's vendor too.\n"
	"\n"
	"Sections: policies, clears, engines, models, contexts, formats,\n"
	"generators, profiles, events. Beside these policies, --policy takes the\n"
	"paths of shared objects: ./mine.so\n"
	"\n"
	"  --help              this text\n"
	"\n"
	"Exit status: 0 done, 1 no event of that name, 2 usage.\n";

/* One line; a reason says why it cannot be used here. */
static void print_entry(int width, const char *name, const char *summary,
			const char *reason)
{
	printf("%-*s  %s", width, name, summary);
	if (reason)
		printf(" (unavailable: %s)", reason);
	putchar('\n');
}

/* Which kernels do it is what a reader of the list looks for. */
static void list_policies(void)
{
	for (size_t i = 0; fz_policies[i]; i++)
		printf("%-28s  %s [%s]\n", fz_policies[i]->name,
		       fz_policies[i]->summary, fz_policies[i]->kernels);
}

static void list_engines(void)
{
	for (size_t i = 0; fz_engines[i]; i++)
		print_entry(7, fz_engines[i]->name, fz_engines[i]->summary,
			    NULL);
	print_entry(7, fz_engine_model.name, fz_engine_model.summary, NULL);
}

static void list_clears(void)
{
	for (size_t i = 0; fz_clears[i]; i++)
		print_entry(13, fz_clears[i]->name, fz_clears[i]->summary,
			    fz_clear_why_unsupported(fz_clears[i]));
}

/* What a reader of a plan needs of a model: which calls act. */
static const char *model_summary(enum fz_preempt model)
{
	if (fz_op_acts(FZ_OP_MIGHT_SLEEP, model))
		return "cooperative: cond_resched() and might_sleep() act";
	if (fz_op_acts(FZ_OP_COND_RESCHED, model))
		return "cooperative: cond_resched() acts";
	return "preemptible: no call acts";
}

static void list_models(void)
{
	for (unsigned int i = 0; i < FZ_NR_PREEMPT; i++)
		print_entry(9, fz_preempt_name((enum fz_preempt)i),
			    model_summary((enum fz_preempt)i), NULL);
}

static void list_contexts(void)
{
	for (size_t i = 0; i < fz_nr_contexts; i++)
		print_entry(15, fz_contexts[i].name, fz_contexts[i].summary,
			    NULL);
}

static void list_formats(void)
{
	for (size_t i = 0; fz_trace_formats[i]; i++)
		printf("%-11s  %s [%s]\n", fz_trace_formats[i]->name,
		       fz_trace_formats[i]->summary,
		       fz_trace_formats[i]->write_begin ? "read, written"
							: "read");
}

/* Options that not all of them have are what a reader of the list looks for. */
static void print_options(const struct fz_generator *generator)
{
	static const struct {
		enum fz_generator_uses use;
		const char *text;
	} options[] = {
		{ FZ_USES_STRIDE, " [--stride]" },
		{ FZ_USES_ZIPF, " [--zipf]" },
		{ FZ_USES_HOT, " [--hot-share, --hot-weight]" },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (generator->uses & options[i].use)
			fputs(options[i].text, stdout);
}

static void list_generators(void)
{
	for (size_t i = 0; fz_generators[i]; i++) {
		printf("%-18s  %s", fz_generators[i]->name,
		       fz_generators[i]->summary);
		print_options(fz_generators[i]);
		putchar('\n');
	}
}

static void list_events(void)
{
	fz_list_events(NULL);
}

/* What its prices were fitted to is what a reader of the list looks for. */
static void list_profile(const struct fz_profile_document *document)
{
	printf("%-11s  %s [", document->profile.name, document->profile.cpu);
	for (size_t i = 0; i < document->nr_fitted_rows; i++)
		printf("%s%s", i ? ", " : "fitted to ",
		       document->fitted_rows[i]);
	printf("%s]\n", document->nr_fitted_rows ? "" : "fitted to no rows");
}

static void list_profiles(void)
{
	static struct fz_profile_document document;

	for (size_t i = 0; i < fz_nr_shipped_profiles; i++)
		if (!fz_profile_find(&document, fz_shipped_profiles[i].name))
			list_profile(&document);
}

static const struct {
	const char *name;
	const char *heading;
	void (*list)(void);
} sections[] = {
	{ "policies", "Policies: ways to zero a folio", list_policies },
	{ "clears", "Clear primitives: ways a CPU zeroes memory", list_clears },
	{ "engines", "Engines: what measures or prices plans", list_engines },
	{ "models", "Preemption models", list_models },
	{ "contexts", "Contexts that zeroing runs in", list_contexts },
	{ "formats", "Formats of page-fault traces", list_formats },
	{ "generators", "Generators: access patterns to make traces of",
	  list_generators },
	{ "profiles", "Machine profiles: prices of engine model",
	  list_profiles },
	{ "events", "Events: what --counters counts", list_events },
};

#define NR_SECTIONS (sizeof(sections) / sizeof(sections[0]))

static const char *section_name_at(size_t i)
{
	return i < NR_SECTIONS ? sections[i].name : NULL;
}

static void list_all(void)
{
	for (size_t i = 0; i < NR_SECTIONS; i++) {
		printf("%s%s (foliosim list %s)\n", i ? "\n" : "",
		       sections[i].heading, sections[i].name);
		sections[i].list();
	}
}

static int list_section(const char *name)
{
	size_t i;

	if (!fz_option_index("section", name, section_name_at, &i))
		return fz_usage("list");
	sections[i].list();
	return FZ_EXIT_DONE;
}

static int list_run(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "help", no_argument, NULL, 1 },
		{ NULL, 0, NULL, 0 },
	};
	const char *name, *text = NULL;
	bool events;
	int id;

	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == '?')
			return fz_usage("list");
		fputs(help_text, stdout);
		return FZ_EXIT_DONE;
	}
	if (optind == argc) {
		list_all();
		return FZ_EXIT_DONE;
	}
	name = argv[optind++];
	events = strcmp(name, "events") == 0;
	if (events && optind < argc)
		text = argv[optind++];
	if (!fz_option_no_arguments(argc, argv))
		return fz_usage("list");
	return events ? fz_list_events(text) : list_section(name);
}

const struct fz_command fz_command_list = {
	.name = "list",
	.summary = "policies, clear primitives and other names",
	.run = list_run,
};
