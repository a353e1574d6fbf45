// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that libpfm's tables of this CPU do not have: perf's, other CPUs'. */
#include "perf_event_spelling.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <perfmon/pfmlib.h>

/* AMD's events 0x70 to 0x72 in perf, where ".all" or no mask means all. */
static const struct {
	const char *perf;
	const char *pfm;
} spellings[] = {
	{ "l2_pf_hit_l2", "L2_PREFETCH_HIT_L2" },
	{ "l2_pf_miss_l2_hit_l3", "L2_PREFETCH_HIT_L3" },
	{ "l2_pf_miss_l2_l3", "L2_PREFETCH_MISS_L3" },
};

#define NR_SPELLINGS (sizeof(spellings) / sizeof(spellings[0]))

static bool has_head(const char *name, const char *head)
{
	return strlen(head) == event_head_length(name) &&
	       strncasecmp(name, head, strlen(head)) == 0;
}

/* ":u" or ":k" */
static bool is_mode(const char *text)
{
	return strlen(text) == 2 && strchr(":.", text[0]) &&
	       strchr("uk", text[1]);
}

/* What is behind the masks, a mode or nothing; NULL = there is one mask. */
static const char *behind_all(const char *masks)
{
	if (strncasecmp(masks, ":all", 4) == 0 ||
	    strncasecmp(masks, ".all", 4) == 0)
		masks += 4;
	return *masks == '\0' || is_mode(masks) ? masks : NULL;
}

/* The first event of that name, of this CPU or, if not present, of another. */
static bool find_event(const char *head, bool present, pfm_event_info_t *event)
{
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS ||
		    pmu.type != PFM_PMU_TYPE_CORE || pmu.is_present != present)
			continue;
		for (int id = pmu.first_event; id != -1;
		     id = pfm_get_event_next(id)) {
			*event = (pfm_event_info_t){ .size = sizeof(*event) };
			if (pfm_get_event_info(id, PFM_OS_PERF_EVENT, event) ==
				    PFM_SUCCESS &&
			    has_head(head, event->name))
				return true;
		}
	}
	return false;
}

static void append(char spelling[FZ_PERF_SPELLING_BYTES], const char *mark,
		   const char *text)
{
	const size_t used = strlen(spelling);

	snprintf(spelling + used, FZ_PERF_SPELLING_BYTES - used, "%s%s", mark,
		 text);
}

static void append_masks(char spelling[FZ_PERF_SPELLING_BYTES],
			 const pfm_event_info_t *event)
{
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t mask = { .size = sizeof(mask) };

		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT,
					    &mask) == PFM_SUCCESS &&
		    mask.type == PFM_ATTR_UMASK)
			append(spelling, ":", mask.name);
	}
}

bool fz_perf_event_respell(const char *name,
			   char spelling[FZ_PERF_SPELLING_BYTES])
{
	for (size_t i = 0; i < NR_SPELLINGS; i++) {
		const char *masks = name + event_head_length(name);
		const char *rest = behind_all(masks);
		pfm_event_info_t event;

		if (!has_head(name, spellings[i].perf))
			continue;
		snprintf(spelling, FZ_PERF_SPELLING_BYTES, "%s",
			 spellings[i].pfm);
		if (rest && find_event(spellings[i].pfm, true, &event))
			append_masks(spelling, &event);
		append(spelling, "", rest ? rest : masks);
		return true;
	}
	return false;
}

bool fz_perf_event_is_foreign(const char *name)
{
	pfm_event_info_t event;

	return find_event(name, false, &event);
}
