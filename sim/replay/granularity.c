// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks for rows of blocks with one fault each. */
#include <fz/granularity.h>

#include <stdbool.h>
#include <stdlib.h>

#include <fz/folio.h>
#include <fz/population.h>

static int compare(const void *a, const void *b)
{
	const struct fz_fault_place *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->page < y->page ? -1 : x->page > y->page;
}

/* Keep one of each; sorted. Return: how many are left. */
static size_t drop_repetitions(struct fz_fault_place *places, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (!kept || compare(&places[kept - 1], &places[i]))
			places[kept++] = places[i];
	return kept;
}

/* Is @b in the block that @distance blocks behind that of @a? */
static bool is_apart(const struct fz_fault_place *a,
		     const struct fz_fault_place *b, unsigned int order,
		     uint64_t distance)
{
	return a->pid == b->pid &&
	       (b->page >> order) - (a->page >> order) == distance;
}

/* Faults alone in their blocks, in long rows of such. */
static uint64_t count_alone(const struct fz_fault_place *places, size_t nr,
			    unsigned int order)
{
	uint64_t alone = 0, row = 0;

	for (size_t i = 0; i < nr; i++) {
		const bool shares =
			(i > 0 &&
			 is_apart(&places[i - 1], &places[i], order, 0)) ||
			(i + 1 < nr &&
			 is_apart(&places[i], &places[i + 1], order, 0));

		if (shares)
			row = 0;
		else if (row && is_apart(&places[i - 1], &places[i], order, 1))
			row++;
		else
			row = 1;
		if (row == FZ_GRANULARITY_ROW)
			alone += FZ_GRANULARITY_ROW;
		else if (row > FZ_GRANULARITY_ROW)
			alone++;
	}
	return alone;
}

struct fz_granularity fz_granularity_of(struct fz_fault_place *places,
					size_t nr)
{
	struct fz_granularity found = { .bytes = FZ_PAGE_BYTES };

	qsort(places, nr, sizeof(*places), compare);
	nr = drop_repetitions(places, nr);
	found.nr = nr;
	for (unsigned int order = FZ_MAX_FOLIO_ORDER; order > 0; order--) {
		const uint64_t alone = count_alone(places, nr, order);

		if (alone * FZ_GRANULARITY_SHARE < nr || !alone)
			continue;
		found.bytes = FZ_PAGE_BYTES << order;
		found.nr_alone = alone;
		break;
	}
	return found;
}
