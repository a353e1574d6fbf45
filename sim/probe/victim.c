// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads working sets before and after a folio is zeroed. */
#include "victim.h"

#include <errno.h>
#include <stdlib.h>

#include <fz/statistics.h>

#include "size_text.h"
#include "switches.h"

/* Not memory, which is the last level and no cache. */
static size_t nr_caches(const struct fz_levels *levels)
{
	return levels->nr - 1;
}

uint64_t victim_bytes(const struct fz_levels *levels)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < nr_caches(levels); i++)
		bytes += levels->level[i].set_bytes;
	return bytes;
}

/* Is it memory, or a cache that cannot be told from it? */
static bool is_memory(const struct fz_levels *levels, size_t class)
{
	return class + 1 == levels->nr_classes;
}

/* No victim then: there is nothing to push out. */
static void set_no_victim(struct fz_err *reason, const struct fz_level *level)
{
	fz_err_set(reason, -ENOTSUP,
		   "a set of %s, which should fit into %s, reads like memory "
		   "before anything is zeroed",
		   fz_size_text(level->set_bytes).text, level->name);
}

void victim_sets_build(struct victim_sets *sets, struct fz_probe *probe,
		       char *base, unsigned int *lines,
		       struct fz_random *random)
{
	const struct fz_levels *levels = &probe->levels;

	*sets = (struct victim_sets){ .nr = 0 };
	for (size_t i = 0; i < nr_caches(levels); i++) {
		const struct fz_level *level = &levels->level[i];

		if (is_memory(levels, level->class)) {
			set_no_victim(&probe->no_victim[i], level);
			continue;
		}
		chase_build(&sets->chase[sets->nr], base, level->set_bytes,
			    lines, random);
		base += level->set_bytes;
		sets->level[sets->nr++] = i;
	}
}

int victim_init(struct victim *v, const struct victim_sets *sets,
		size_t max_samples)
{
	const size_t nr = sets->nr * max_samples + 1;

	*v = (struct victim){
		.undisturbed = calloc(nr, sizeof(*v->undisturbed)),
		.disturbed = calloc(nr, sizeof(*v->disturbed)),
		.max_samples = max_samples,
	};
	return v->undisturbed && v->disturbed ? 0 : -ENOMEM;
}

void victim_fini(struct victim *v)
{
	free(v->undisturbed);
	free(v->disturbed);
	v->undisturbed = v->disturbed = NULL;
}

static void keep(struct victim *v, const struct victim_clear *clear,
		 uint64_t undisturbed, uint64_t disturbed)
{
	const size_t nr = v->nr_samples[clear->nr];
	const size_t at = clear->nr * v->max_samples + nr;

	if (nr == v->max_samples)
		return;
	/* A tick at least: one is divided by the other. */
	v->undisturbed[at] =
		chase_without_clock(undisturbed, clear->clock_ticks, 1.0);
	v->disturbed[at] =
		chase_without_clock(disturbed, clear->clock_ticks, 1.0);
	v->nr_samples[clear->nr]++;
}

int victim_sample(struct victim *v, const struct victim_clear *clear,
		  struct fz_err *err)
{
	const struct chase *chase = &clear->sets->chase[clear->nr];
	uint64_t undisturbed, disturbed, switches;
	struct fz_zero_job job;
	int code = cold_folio_next(clear->folios, clear->bench, clear->config,
				   clear->repeat, &job, err);

	if (code)
		return code;
	chase_fill(chase);
	switches = switches_so_far(job.hooks);
	/* Asking took some lines of a small cache. */
	chase_walk(chase, CHASE_SETTLE, job.hooks);
	undisturbed = chase_walk(chase, CHASE_BEFORE, job.hooks);
	code = cold_folio_zero(clear->config, &job, err);
	disturbed = chase_walk(chase, CHASE_AFTER, job.hooks);
	if (code)
		return code;
	if (!clear->insist && switches_so_far(job.hooks) != switches)
		return 1;
	if (clear->keep)
		keep(v, clear, undisturbed, disturbed);
	return 0;
}

static struct fz_victim victim_of(const struct victim *v,
				  const struct victim_sets *sets,
				  const struct fz_probe *probe, uint64_t seed,
				  size_t set)
{
	const double *undisturbed = v->undisturbed + set * v->max_samples;
	const double *disturbed = v->disturbed + set * v->max_samples;
	const size_t nr = v->nr_samples[set];

	return (struct fz_victim){
		.level = sets->level[set],
		.loads = sets->chase[set].nr,
		.undisturbed_ns =
			fz_median(undisturbed, nr) * probe->ns_per_tick,
		.disturbed_ns = fz_median(disturbed, nr) * probe->ns_per_tick,
		.slowdown = fz_paired_ratio(disturbed, undisturbed, nr, seed),
	};
}

/* Others may have had the cache all the time. */
static bool was_in_memory(const struct victim *v,
			  const struct victim_sets *sets,
			  const struct fz_levels *levels, size_t set)
{
	const double ticks = fz_median(v->undisturbed + set * v->max_samples,
				       v->nr_samples[set]) /
			     (double)sets->chase[set].nr;

	return is_memory(levels, fz_levels_class_of(levels, ticks));
}

void victim_found(const struct victim *v, const struct victim_sets *sets,
		  const struct fz_probe *probe, uint64_t seed,
		  struct fz_row_probe *found)
{
	const struct fz_levels *levels = &probe->levels;

	for (size_t i = 0; i < sets->nr; i++) {
		if (!v->nr_samples[i])
			continue;
		if (was_in_memory(v, sets, levels, i))
			set_no_victim(&found->reason[FZ_PROBE_VICTIM],
				      &levels->level[sets->level[i]]);
		else
			found->victims[found->nr_victims++] =
				victim_of(v, sets, probe, seed, i);
	}
}
