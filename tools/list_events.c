// SPDX-License-Identifier: GPL-2.0-or-later
/* The section events of `foliosim list`. */
#include "list_events.h"

#include <stdio.h>
#include <string.h>

#include <fz/counters.h>
#include <fz/machine.h>

#include "command.h"
#include "options.h"

#define MIN_NAME_WIDTH 10

/* Nobody asks for these often, and they make the list half as long again. */
static const char rare[] = "prefetch";

struct listing {
	const char *text; /* NULL = the generic ones */
	struct fz_perf_rights rights;
	int width;        /* of the names */
	size_t nr;        /* printed */
	size_t nr_vendor; /* in the vendor's table */
	char vendor[64];
};

static bool is_wanted(const struct listing *listing,
		      const struct fz_perf_event_entry *entry)
{
	if (listing->text)
		return strcasestr(entry->name, listing->text) != NULL;
	return entry->generic && !strstr(entry->name, rare);
}

static bool widen(void *arg, const struct fz_perf_event_entry *entry)
{
	struct listing *listing = arg;
	const int width = (int)strlen(entry->name);

	if (is_wanted(listing, entry) && width > listing->width)
		listing->width = width;
	return true;
}

static void print_event(const struct listing *listing,
			const struct fz_perf_event_entry *entry)
{
	struct fz_perf_event event;
	struct fz_counter tried;

	printf("%-*s  %s", listing->width, entry->name, entry->summary);
	/* A few names of libpfm's need more than a mask. */
	if (fz_perf_event_find(entry->name, &event, NULL)) {
		printf(" (incomplete)\n");
		return;
	}
	tried = fz_counter_try(&fz_hooks_default, &event, &listing->rights);
	printf(" [%s]", fz_perf_source_name(event.source));
	if (tried.code)
		printf(" (unavailable: %s)", tried.reason);
	else if (tried.user_only)
		printf(" (user mode only: %s)", tried.reason);
	putchar('\n');
}

static bool take(void *arg, const struct fz_perf_event_entry *entry)
{
	struct listing *listing = arg;

	if (!entry->generic) {
		listing->nr_vendor++;
		snprintf(listing->vendor, sizeof(listing->vendor), "%s",
			 entry->pmu_summary);
	}
	if (is_wanted(listing, entry)) {
		print_event(listing, entry);
		listing->nr++;
	}
	return true;
}

static void print_others(const struct listing *listing)
{
	printf("%-*s  raw event of the PMU, hexadecimal, as in the CPU's "
	       "manual\n",
	       listing->width, "rNNNN");
	if (listing->nr_vendor)
		printf("%-*s  %zu more of %s: foliosim list events TEXT shows "
		       "those with TEXT in their names\n",
		       listing->width, "EVENT:MASK", listing->nr_vendor,
		       listing->vendor);
}

int fz_list_events(const char *text)
{
	struct listing listing = { .text = text, .width = MIN_NAME_WIDTH };
	struct fz_machine machine;

	fz_machine_read(&fz_hooks_default, &machine);
	listing.rights = fz_machine_perf_rights(&machine);
	fz_perf_events_each(widen, &listing);
	fz_perf_events_each(take, &listing);
	if (listing.nr && !text)
		print_others(&listing);
	if (listing.nr)
		return FZ_EXIT_DONE;
	if (text)
		fz_complain("no event has '%s' in its name", text);
	else
		fz_complain("libpfm knows no event here");
	return FZ_EXIT_FAILED;
}
