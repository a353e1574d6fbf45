// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups rows on like faults and asks for a winner in each. */
#include <fz/verdict.h>

#include <stdlib.h>
#include <string.h>

#include <fz/round.h>
#include <fz/significance.h>
#include <fz/statistics.h>
#include <fz/wake_watch.h>

static bool competes(const struct fz_row *row)
{
	/* A failed row would cut every comparison to its few rounds. */
	const bool failed = row->status == FZ_ROW_PARTIAL &&
			    strcmp(row->reason, FZ_STOPPED) != 0;

	return !row->twin && !failed && fz_row_has_times(row) &&
	       row->config.engine != &fz_engine_bare &&
	       row->config.engine->zero && !fz_row_is_interrupted(row);
}

/* A row opens a group unless an earlier one did, or it is told no page while
 * rows that are told one stand on the same memory. */
static bool leads_group(const struct fz_row *rows, size_t nr_rows, size_t lead)
{
	const struct fz_row_config *config = &rows[lead].config;

	for (size_t i = 0; i < nr_rows; i++) {
		const struct fz_row_config *other = &rows[i].config;

		if (i == lead || !competes(&rows[i]) ||
		    !fz_row_same_memory(config, other))
			continue;
		if (i < lead && fz_row_same_fault(config, other))
			return false;
		if (config->fault == FZ_FAULT_NONE &&
		    other->fault != FZ_FAULT_NONE)
			return false;
	}
	return true;
}

struct group {
	const struct fz_row **rows; /* [nr] */
	const double **seconds;     /* [nr][rounds] */
	size_t nr;
	size_t rounds;
};

static void group_collect(struct group *group, const struct fz_row *rows,
			  size_t nr_rows, const struct fz_row *lead)
{
	group->nr = 0;
	group->rounds = SIZE_MAX;
	for (size_t i = 0; i < nr_rows; i++) {
		const struct fz_row *row = &rows[i];

		if (!competes(row) ||
		    !fz_row_meets_fault(&lead->config, &row->config))
			continue;
		group->rows[group->nr] = row;
		group->seconds[group->nr++] = row->seconds;
		if (row->rounds < group->rounds)
			group->rounds = row->rounds;
	}
}

static size_t fastest_of(const struct group *group)
{
	size_t fastest = 0;

	for (size_t i = 1; i < group->nr; i++)
		if (fz_median(group->seconds[i], group->rounds) <
		    fz_median(group->seconds[fastest], group->rounds))
			fastest = i;
	return fastest;
}

static void find_rivals(const struct group *group, size_t best,
			struct fz_verdict *verdict)
{
	double rival_seconds = 0.0;

	for (size_t i = 0; i < group->nr; i++) {
		const double *pair[2] = { group->seconds[best],
					  group->seconds[i] };
		const double seconds =
			fz_median(group->seconds[i], group->rounds);

		if (i == best || fz_is_winner(pair, 2, group->rounds, 0))
			continue;
		verdict->nr_rivals++;
		if (!verdict->rival || seconds < rival_seconds) {
			verdict->rival = group->rows[i];
			rival_seconds = seconds;
		}
	}
}

static struct fz_verdict verdict_of(const struct group *group,
				    const struct fz_row *lead)
{
	const size_t best = fastest_of(group);
	struct fz_verdict verdict = {
		.page = lead->config.page,
		.folio_bytes = lead->config.folio_bytes,
		.threads = lead->config.threads,
		.fault = lead->config.fault,
		.fault_page = lead->config.fault_page,
		.best = group->rows[best],
		.nr_rows = group->nr,
		.rounds = group->rounds,
	};

	if (fz_is_winner(group->seconds, group->nr, group->rounds, best))
		verdict.winner = verdict.best;
	else
		find_rivals(group, best, &verdict);
	return verdict;
}

size_t fz_verdicts_of(const struct fz_row *rows, size_t nr_rows,
		      struct fz_verdict *verdicts, size_t max)
{
	struct group group = {
		.rows = calloc(nr_rows + 1, sizeof(*group.rows)),
		.seconds = calloc(nr_rows + 1, sizeof(*group.seconds)),
	};
	size_t nr = 0;

	for (size_t i = 0; group.rows && group.seconds && i < nr_rows; i++) {
		if (nr == max || !competes(&rows[i]) ||
		    !leads_group(rows, nr_rows, i))
			continue;
		group_collect(&group, rows, nr_rows, &rows[i]);
		if (group.nr >= 2)
			verdicts[nr++] = verdict_of(&group, &rows[i]);
	}
	free(group.rows);
	free(group.seconds);
	return nr;
}
