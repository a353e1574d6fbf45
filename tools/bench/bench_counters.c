// SPDX-License-Identifier: GPL-2.0-or-later
/* The counters of a bench run: their names, and who may count. */
#include "bench_counters.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "note.h"
#include "options.h"

static void complain(const char *word, const struct fz_err *err)
{
	struct fz_note known = { .used = 0 };
	struct fz_perf_near near;

	fz_perf_events_near(word, &near);
	for (size_t i = 0; i < near.nr; i++)
		fz_note_add(&known, "%s%s", i ? ", " : ": like it are ",
			    near.name[i]);
	fz_complain("--counters: %s%s; see 'foliosim list events'", err->msg,
		    known.text);
}

static bool set_counter(struct fz_bench_options *o, const char *word)
{
	struct fz_err err = { "" };

	if (o->nr_counters == FZ_MAX_COUNTERS) {
		fz_complain("--counters: more than %d events", FZ_MAX_COUNTERS);
		return false;
	}
	if (!fz_perf_event_find(word, &o->counters[o->nr_counters], &err)) {
		o->nr_counters++;
		return true;
	}
	complain(word, &err);
	return false;
}

bool fz_bench_set_counters(struct fz_bench_options *options, const char *value)
{
	struct fz_list list;
	bool ok = true;

	options->nr_counters = 0;
	if (!fz_list_parse(&list, "--counters", value))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++)
		ok = set_counter(options, list.words[i]);
	fz_list_fini(&list);
	return ok;
}

static bool same_trouble(const struct fz_counter *a, const struct fz_counter *b)
{
	return a->code == b->code && a->user_only == b->user_only &&
	       strcmp(a->reason, b->reason) == 0;
}

static bool is_first(const struct fz_counter_list *list, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_trouble(&list->counter[i], &list->counter[index]))
			return false;
	return true;
}

/* One line for all counters with the same trouble. */
static void tell(const struct fz_counter_list *list, size_t first)
{
	const struct fz_counter *trouble = &list->counter[first];
	const char *separator = "";

	fputs("foliosim: note: --counters: ", stderr);
	for (size_t i = first; i < list->nr; i++) {
		if (!same_trouble(&list->counter[i], trouble))
			continue;
		fprintf(stderr, "%s%s", separator, list->counter[i].event.name);
		separator = ", ";
	}
	if (trouble->code)
		fprintf(stderr, ": %s; values are null\n", trouble->reason);
	else
		fprintf(stderr,
			": user mode only, so not what the kernel does: %s\n",
			trouble->reason);
}

int fz_bench_counters_open(struct fz_counter_list *list,
			   const struct fz_bench_options *options,
			   const struct fz_machine *machine,
			   struct fz_bench *bench)
{
	const struct fz_perf_rights rights = fz_machine_perf_rights(machine);
	struct fz_err err = { "" };

	list->nr = options->nr_counters;
	for (size_t i = 0; i < list->nr; i++)
		list->counter[i].event = options->counters[i];
	if (fz_bench_count(bench, list, &rights, &err)) {
		fz_complain("--counters: %s", err.msg);
		return FZ_EXIT_FAILED;
	}
	for (size_t i = 0; i < list->nr; i++)
		if ((list->counter[i].code || list->counter[i].user_only) &&
		    is_first(list, i))
			tell(list, i);
	return FZ_EXIT_DONE;
}
