// SPDX-License-Identifier: GPL-2.0-or-later
/* Which runs of a matched row count. */
#include "compare_runs.h"

/* What becomes of a run. */
enum fate {
	FATE_COUNTS,
	FATE_TOO_SHORT,
	FATE_DISTURBED,
	FATE_ABSENT,
};

static enum fate fate_of(const struct fz_document *document,
			 const struct fz_read_row *row, bool with_disturbed)
{
	if (!row)
		return FATE_ABSENT;
	if (row->rounds < FZ_CHANGE_MIN_ROUNDS)
		return FATE_TOO_SHORT;
	if (!with_disturbed && fz_document_is_disturbed(document))
		return FATE_DISTURBED;
	return FATE_COUNTS;
}

/* Why a side has no run that counts, if it has none. */
static enum fz_compare_verdict judge(const struct fz_side *side,
				     const struct fz_matched *matched,
				     bool with_disturbed)
{
	size_t nr[FATE_ABSENT + 1] = { 0 };

	for (size_t i = 0; i < side->nr; i++)
		nr[fate_of(&side->documents[i], matched->runs[i],
			   with_disturbed)]++;
	if (nr[FATE_COUNTS])
		return FZ_COMPARE_NO_DIFFERENCE;
	return nr[FATE_DISTURBED] ? FZ_COMPARE_DISTURBED
				  : FZ_COMPARE_TOO_FEW_ROUNDS;
}

static void take_out(struct fz_pair *pair, struct fz_matched_row *matched,
		     unsigned int side, size_t run, enum fz_left_out why)
{
	pair->left[pair->nr_left++] = (struct fz_left_row){
		.why = why,
		.side = side,
		.run = run,
		.row = matched->sides[side].runs[run],
	};
	matched->sides[side].runs[run] = NULL;
}

static void thin_out(struct fz_pair *pair, struct fz_matched_row *matched,
		     unsigned int side, bool with_disturbed)
{
	const struct fz_document *documents = pair->sides[side].documents;

	for (size_t i = 0; i < pair->sides[side].nr; i++) {
		const enum fate fate =
			fate_of(&documents[i], matched->sides[side].runs[i],
				with_disturbed);

		if (fate == FATE_TOO_SHORT)
			take_out(pair, matched, side, i, FZ_LEFT_TOO_SHORT);
		else if (fate == FATE_DISTURBED)
			take_out(pair, matched, side, i, FZ_LEFT_DISTURBED);
	}
}

enum fz_compare_verdict fz_runs_that_count(struct fz_pair *pair,
					   struct fz_matched_row *matched,
					   bool with_disturbed)
{
	const enum fz_compare_verdict base =
		judge(&pair->sides[0], &matched->sides[0], with_disturbed);
	const enum fz_compare_verdict other =
		judge(&pair->sides[1], &matched->sides[1], with_disturbed);

	if (base == FZ_COMPARE_TOO_FEW_ROUNDS ||
	    other == FZ_COMPARE_TOO_FEW_ROUNDS)
		return FZ_COMPARE_TOO_FEW_ROUNDS;
	if (base == FZ_COMPARE_DISTURBED || other == FZ_COMPARE_DISTURBED)
		return FZ_COMPARE_DISTURBED;
	for (unsigned int side = 0; side < 2; side++)
		thin_out(pair, matched, side, with_disturbed);
	return FZ_COMPARE_NO_DIFFERENCE;
}
