// SPDX-License-Identifier: GPL-2.0-or-later
/* Merging by time. */
#include <fz/fault_merge.h>

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* Records that a source is asked for at a time. */
#define BATCH_RECORDS 256u

struct input {
	struct fz_fault_source source;
	struct fz_fault records[BATCH_RECORDS];
	size_t at, nr;
	uint64_t time_ns; /* of the record at, or of the last one with a time */
	bool ended;
};

struct fz_fault_merge {
	size_t nr;
	struct input inputs[]; /* [nr] */
};

int fz_fault_merge_open(struct fz_fault_merge **out,
			const struct fz_fault_source *sources, size_t nr)
{
	struct fz_fault_merge *merge =
		calloc(1, sizeof(*merge) + nr * sizeof(merge->inputs[0]));

	assert(nr >= 1);
	if (!merge)
		return -ENOMEM;
	merge->nr = nr;
	for (size_t i = 0; i < nr; i++)
		merge->inputs[i].source = sources[i];
	*out = merge;
	return 0;
}

void fz_fault_merge_close(struct fz_fault_merge *merge)
{
	free(merge);
}

static void set_time(struct input *input)
{
	const struct fz_fault *record = &input->records[input->at];

	if (record->knows & FZ_KNOWS_TIME)
		input->time_ns = record->time_ns;
}

/* A record at hand, unless the source has ended; 0 or -errno. */
static int fill(struct input *input, struct fz_err *err)
{
	ssize_t got;

	if (input->at < input->nr || input->ended)
		return 0;
	got = input->source.next(input->source.state, input->records,
				 BATCH_RECORDS, err);
	if (got < 0)
		return (int)got;
	input->at = 0;
	input->nr = (size_t)got;
	input->ended = got == 0;
	if (got)
		set_time(input);
	return 0;
}

static struct input *earliest(struct fz_fault_merge *merge)
{
	struct input *best = NULL;

	for (size_t i = 0; i < merge->nr; i++) {
		struct input *input = &merge->inputs[i];

		if (!input->ended && (!best || input->time_ns < best->time_ns))
			best = input;
	}
	return best;
}

static void take(struct input *input, struct fz_fault *record)
{
	*record = input->records[input->at++];
	if (input->at < input->nr)
		set_time(input);
}

static ssize_t merge_next(void *state, struct fz_fault *faults, size_t max,
			  struct fz_err *err)
{
	struct fz_fault_merge *merge = state;
	size_t nr = 0;

	for (size_t i = 0; i < merge->nr; i++) {
		const int code = fill(&merge->inputs[i], err);

		if (code)
			return code;
	}
	while (nr < max) {
		struct input *input = earliest(merge);

		if (!input)
			break;
		take(input, &faults[nr++]);
		/* What comes next is not known before it is read. */
		if (input->at == input->nr)
			break;
	}
	return (ssize_t)nr;
}

struct fz_fault_source fz_fault_merge_source(struct fz_fault_merge *merge)
{
	return (struct fz_fault_source){ .state = merge, .next = merge_next };
}
