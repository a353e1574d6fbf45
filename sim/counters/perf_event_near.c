// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events like a word that is none. */
#include <fz/perf_event.h>

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "perf_event_spelling.h"

/* A letter left out, "l2_pf_hit" for "L2_PREFETCH_HIT", is the usual slip. */
#define MISSING_COST 1u
#define WRONG_COST   2u

/* A word is like a name up to this cost. */
static unsigned int most_cost(size_t letters)
{
	return 2 + (unsigned int)letters / 3;
}

static const char *without_pmu(const char *word)
{
	const char *colons = strstr(word, "::");

	return colons ? colons + 2 : word;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	const unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* From the word to the name, both cut at their lengths. */
static unsigned int edit_cost(const char *word, size_t word_len,
			      const char *name, size_t name_len)
{
	unsigned int cost[FZ_PERF_EVENT_BYTES + 1];

	for (size_t j = 0; j <= name_len; j++)
		cost[j] = (unsigned int)j * MISSING_COST;
	for (size_t i = 0; i < word_len; i++) {
		unsigned int diagonal = cost[0];

		cost[0] += WRONG_COST;
		for (size_t j = 0; j < name_len; j++) {
			const bool same = tolower((unsigned char)word[i]) ==
					  tolower((unsigned char)name[j]);
			const unsigned int above = cost[j + 1];

			cost[j + 1] = min3(diagonal + (same ? 0 : WRONG_COST),
					   above + WRONG_COST,
					   cost[j] + MISSING_COST);
			diagonal = above;
		}
	}
	return cost[name_len];
}

struct search {
	const char *word;
	size_t head; /* letters of its head */
	bool masks;  /* the head is an event: show its masks */
	struct fz_perf_near *near;
	unsigned int cost[FZ_PERF_MAX_NEAR]; /* ascending */
};

static bool has_head(const struct search *search, const char *name)
{
	return event_head_length(name) == search->head &&
	       strncasecmp(name, search->word, search->head) == 0;
}

/* In order of cost; of equals the first comes first. */
static void keep(struct search *search, const char *name, size_t len,
		 unsigned int cost)
{
	struct fz_perf_near *near = search->near;
	size_t at = near->nr;

	for (size_t i = 0; i < near->nr; i++)
		if (strlen(near->name[i]) == len &&
		    memcmp(near->name[i], name, len) == 0)
			return;
	while (at > 0 && search->cost[at - 1] > cost)
		at--;
	if (at == FZ_PERF_MAX_NEAR)
		return;
	if (near->nr < FZ_PERF_MAX_NEAR)
		near->nr++;
	for (size_t i = near->nr - 1; i > at; i--) {
		memcpy(near->name[i], near->name[i - 1], sizeof(near->name[i]));
		search->cost[i] = search->cost[i - 1];
	}
	memcpy(near->name[at], name, len);
	near->name[at][len] = '\0';
	search->cost[at] = cost;
}

static bool look_for_head(void *arg, const struct fz_perf_event_entry *entry)
{
	struct search *search = arg;

	search->masks |= has_head(search, entry->name);
	return !search->masks;
}

static bool look_at(void *arg, const struct fz_perf_event_entry *entry)
{
	struct search *search = arg;
	const char *name = entry->name;
	size_t len = strlen(name), word_len = strlen(search->word);
	unsigned int cost;

	if (len >= FZ_PERF_EVENT_BYTES ||
	    (search->masks && !has_head(search, name)))
		return true;
	/* Another event, whatever its masks. */
	if (!search->masks) {
		len = event_head_length(name);
		word_len = search->head;
	}
	cost = edit_cost(search->word, word_len, name, len);
	if (search->masks || cost <= most_cost(word_len))
		keep(search, name, len, cost);
	return true;
}

void fz_perf_events_near(const char *word, struct fz_perf_near *near)
{
	struct search search = { .word = without_pmu(word), .near = near };

	near->nr = 0;
	search.head = event_head_length(search.word);
	if (strlen(search.word) >= FZ_PERF_EVENT_BYTES || !search.head)
		return;
	fz_perf_events_each(look_for_head, &search);
	fz_perf_events_each(look_at, &search);
}
