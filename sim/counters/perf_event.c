// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of events: libpfm's tables. */
#include <fz/perf_event.h>

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "perf_event_kind.h"
#include "perf_event_spelling.h"

const char *fz_perf_source_name(enum fz_perf_source source)
{
	return source == FZ_PERF_SOFTWARE ? "software" : "pmu";
}

bool fz_perf_event_is_clock(const struct fz_perf_event *event)
{
	return event_is_clock(event->perf.type, event->perf.config);
}

/* Names become keys of JSON and columns of CSV. */
static bool is_name(const char *name)
{
	const size_t len = strlen(name);

	if (len == 0 || len >= FZ_PERF_EVENT_BYTES)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)name[i]) || strchr("\",", name[i]))
			return false;
	return true;
}

static struct fz_perf_config perf_event_of(const struct perf_event_attr *attr)
{
	const bool both = event_is_kernels_own(attr->type, attr->config) ||
			  event_is_clock(attr->type, attr->config);

	return (struct fz_perf_config){
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.exclude_user = attr->exclude_user && !both,
		.exclude_kernel = attr->exclude_kernel && !both,
	};
}

static int find_error(const char *name, int pfm, struct fz_err *err)
{
	switch (pfm) {
	case PFM_ERR_UMASK:
		return fz_err_set(err, -EINVAL,
				  "event '%.79s' needs another mask", name);
	case PFM_ERR_ATTR:
	case PFM_ERR_ATTR_VAL:
	case PFM_ERR_ATTR_SET:
	case PFM_ERR_FEATCOMB:
		return fz_err_set(err, -EINVAL,
				  "event '%.79s' has no such mask", name);
	default:
		return fz_err_set(err, -ENOENT, "unknown event '%.79s'", name);
	}
}

static int encode(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .size = sizeof(arg) };

	*attr = (struct perf_event_attr){ .size = sizeof(*attr) };
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3,
					 PFM_OS_PERF_EVENT, &arg);
}

int fz_perf_event_find(const char *name, struct fz_perf_event *event,
		       struct fz_err *err)
{
	char spelling[FZ_PERF_SPELLING_BYTES];
	struct perf_event_attr attr;
	bool respelled, foreign = false;
	int pfm;

	if (!is_name(name))
		return find_error(name, PFM_ERR_NOTFOUND, err);
	pfm = pfm_initialize();
	if (pfm != PFM_SUCCESS)
		return fz_err_set(err, -ENOTSUP,
				  "no names of events: libpfm: %s",
				  pfm_strerror(pfm));
	respelled = fz_perf_event_respell(name, spelling);
	pfm = encode(respelled ? spelling : name, &attr);
	if (pfm == PFM_ERR_NOTFOUND)
		foreign = respelled || fz_perf_event_is_foreign(name);
	if (pfm != PFM_SUCCESS && !foreign)
		return find_error(name, pfm, err);
	*event = (struct fz_perf_event){
		.source = attr.type == PERF_TYPE_SOFTWARE ? FZ_PERF_SOFTWARE
							  : FZ_PERF_PMU,
		.foreign = foreign,
		.perf = perf_event_of(&attr),
	};
	strcpy(event->name, name);
	return 0;
}

/* One walk through the tables. */
struct walk {
	bool (*take)(void *arg, const struct fz_perf_event_entry *entry);
	void *arg;
	struct fz_perf_event_entry entry;
	bool ended;
};

static void give(struct walk *walk, const char *name)
{
	walk->entry.name = name;
	walk->ended = !walk->take(walk->arg, &walk->entry);
}

/* As perf writes them: L1-dcache-loads, dTLB-load-misses. */
static void spell(char name[FZ_PERF_EVENT_BYTES], const char *pfm)
{
	static const char *const heads[] = { "L1-", "LLC-", "dTLB-", "iTLB-" };

	snprintf(name, FZ_PERF_EVENT_BYTES, "%s", pfm);
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (strncasecmp(name, heads[i], strlen(heads[i])) == 0)
			memcpy(name, heads[i], strlen(heads[i]));
}

/* Generic names are aliases of constants; of several the first is the name. */
static void give_generic(struct walk *walk, const pfm_event_info_t *info,
			 const char **seen)
{
	char name[FZ_PERF_EVENT_BYTES];

	if (!info->equiv || (*seen && strcmp(*seen, info->equiv) == 0))
		return;
	*seen = info->equiv;
	spell(name, info->name);
	give(walk, name);
}

/* With each of its masks, or without where it has none. */
static void give_vendor(struct walk *walk, const pfm_event_info_t *info)
{
	char name[FZ_PERF_EVENT_BYTES];
	bool has_mask = false;

	if (info->equiv)
		return;
	for (int i = 0; i < info->nattrs && !walk->ended; i++) {
		pfm_event_attr_info_t mask = { .size = sizeof(mask) };

		if (pfm_get_event_attr_info(info->idx, i, PFM_OS_PERF_EVENT,
					    &mask) != PFM_SUCCESS ||
		    mask.type != PFM_ATTR_UMASK)
			continue;
		has_mask = true;
		walk->entry.summary = mask.desc;
		snprintf(name, sizeof(name), "%s:%s", info->name, mask.name);
		give(walk, name);
	}
	if (!has_mask && !walk->ended)
		give(walk, info->name);
}

static void walk_pmu(struct walk *walk, const pfm_pmu_info_t *pmu)
{
	const char *seen = NULL;

	walk->entry = (struct fz_perf_event_entry){
		.pmu = pmu->name,
		.pmu_summary = pmu->desc,
		.generic = pmu->pmu == PFM_PMU_PERF_EVENT,
	};
	for (int i = pmu->first_event; i != -1 && !walk->ended;
	     i = pfm_get_event_next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT, &info) !=
		    PFM_SUCCESS)
			continue;
		walk->entry.summary = info.desc;
		if (walk->entry.generic)
			give_generic(walk, &info, &seen);
		else
			give_vendor(walk, &info);
	}
}

/* Uncore units do not count for a thread, and raw events have no names. */
static bool is_thread_pmu(const pfm_pmu_info_t *pmu)
{
	return pmu->is_present && (pmu->pmu == PFM_PMU_PERF_EVENT ||
				   pmu->type == PFM_PMU_TYPE_CORE);
}

static bool is_present(int index, pfm_pmu_info_t *pmu)
{
	*pmu = (pfm_pmu_info_t){ .size = sizeof(*pmu) };
	return pfm_get_pmu_info((pfm_pmu_t)index, pmu) == PFM_SUCCESS &&
	       is_thread_pmu(pmu);
}

void fz_perf_events_each(bool (*take)(void *arg,
				      const struct fz_perf_event_entry *entry),
			 void *arg)
{
	struct walk walk = { .take = take, .arg = arg };
	pfm_pmu_info_t pmu;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	if (is_present(PFM_PMU_PERF_EVENT, &pmu))
		walk_pmu(&walk, &pmu);
	for (int i = 0; i < PFM_PMU_MAX && !walk.ended; i++)
		if (i != PFM_PMU_PERF_EVENT && is_present(i, &pmu))
			walk_pmu(&walk, &pmu);
}
