// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads ahead, decides, and hands out again. */
#include <fz/survey.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>

#define EVENT(event) (1u << FZ_EVENT_##event)

/* Events that tell of the same faults; the first group that is there is used.
 */
static const unsigned int groups[] = {
	EVENT(USER_FAULT) | EVENT(KERNEL_FAULT),
	EVENT(PAGE_FAULTS),
	EVENT(MINOR_FAULTS) | EVENT(MAJOR_FAULTS),
};

struct fz_survey {
	struct fz_fault_source source;
	struct fz_fault *records; /* [max]; NULL when all were handed out */
	size_t nr, at;
	unsigned int used;
	struct fz_granularity granularity;
	uint64_t dropped[FZ_NR_EVENTS];
};

static int read_ahead(struct fz_survey *survey, size_t max, struct fz_err *err)
{
	while (survey->nr < max) {
		const ssize_t got = survey->source.next(
			survey->source.state, survey->records + survey->nr,
			max - survey->nr, err);

		if (got < 0)
			return (int)got;
		if (got == 0)
			break;
		survey->nr += (size_t)got;
	}
	return 0;
}

/* Without any fault so far all of them would be used. */
static void choose_events(struct fz_survey *survey)
{
	unsigned int found = 0;

	for (size_t i = 0; i < survey->nr; i++)
		found |= 1u << survey->records[i].event;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (!(found & groups[i]))
			continue;
		survey->used = groups[i];
		return;
	}
	survey->used = groups[0] | groups[1];
}

static bool is_used(const struct fz_survey *survey,
		    const struct fz_fault *record)
{
	return !fz_event_is_fault((enum fz_event)record->event) ||
	       survey->used >> record->event & 1;
}

static bool may_zero(const struct fz_fault *record)
{
	enum fz_fault_class which;

	if (!fz_event_is_fault((enum fz_event)record->event) ||
	    !(record->knows & FZ_KNOWS_ADDR))
		return false;
	which = fz_fault_class_of(record);
	return which == FZ_CLASS_ZERO_FILL || which == FZ_CLASS_UNKNOWN;
}

static int detect_granularity(struct fz_survey *survey)
{
	struct fz_fault_place *places =
		malloc((survey->nr + 1) * sizeof(*places));
	size_t nr = 0;

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < survey->nr; i++) {
		const struct fz_fault *record = &survey->records[i];

		if (is_used(survey, record) && may_zero(record))
			places[nr++] = (struct fz_fault_place){
				.page = record->addr >> FZ_PAGE_SHIFT,
				.pid = record->knows & FZ_KNOWS_PID
					       ? record->pid
					       : record->tid,
			};
	}
	survey->granularity = fz_granularity_of(places, nr);
	free(places);
	return 0;
}

int fz_survey_open(struct fz_survey **out, struct fz_fault_source source,
		   size_t max_records, struct fz_err *err)
{
	struct fz_survey *survey = calloc(1, sizeof(*survey));
	int code = -ENOMEM;

	assert(max_records >= 1);
	if (survey) {
		survey->source = source;
		survey->records =
			malloc(max_records * sizeof(*survey->records));
	}
	if (survey && survey->records) {
		code = read_ahead(survey, max_records, err);
		if (code)
			goto out;
		choose_events(survey);
		code = detect_granularity(survey);
	}
	if (code)
		fz_err_set(err, code, "out of memory");
out:
	if (code)
		fz_survey_close(survey);
	else
		*out = survey;
	return code;
}

void fz_survey_close(struct fz_survey *survey)
{
	if (!survey)
		return;
	free(survey->records);
	free(survey);
}

/* What was read ahead, then the rest. */
static ssize_t next_records(struct fz_survey *survey, struct fz_fault *faults,
			    size_t max, struct fz_err *err)
{
	const size_t left = survey->nr - survey->at;
	const size_t nr = left < max ? left : max;

	if (nr) {
		memcpy(faults, survey->records + survey->at,
		       nr * sizeof(*faults));
		survey->at += nr;
		return (ssize_t)nr;
	}
	free(survey->records);
	survey->records = NULL;
	return survey->source.next(survey->source.state, faults, max, err);
}

static ssize_t survey_next(void *state, struct fz_fault *faults, size_t max,
			   struct fz_err *err)
{
	struct fz_survey *survey = state;
	ssize_t got, kept = 0;

	do {
		got = next_records(survey, faults, max, err);
		for (ssize_t i = 0; i < got; i++) {
			if (!is_used(survey, &faults[i]))
				survey->dropped[faults[i].event]++;
			else if (kept++ < i)
				faults[kept - 1] = faults[i];
		}
	} while (got > 0 && kept == 0);
	return got > 0 ? kept : got;
}

struct fz_fault_source fz_survey_source(struct fz_survey *survey)
{
	return (struct fz_fault_source){ .state = survey, .next = survey_next };
}

struct fz_granularity fz_survey_granularity(const struct fz_survey *survey)
{
	return survey->granularity;
}

unsigned int fz_survey_events(const struct fz_survey *survey)
{
	return survey->used;
}

uint64_t fz_survey_dropped(const struct fz_survey *survey, enum fz_event event)
{
	return survey->dropped[event];
}
