// SPDX-License-Identifier: GPL-2.0-or-later
/* The event queue against an array that is searched from end to end. */
#include <stdlib.h>

#include <fz/random.h>

#include "event_queue.h"
#include "fz_test.h"

#define MAX_EVENTS 3000u

/* Events in the order they were added in; taken ones close the gap. */
struct list {
	struct fz_event event[MAX_EVENTS];
	size_t nr;
};

static size_t list_first(const struct list *list)
{
	size_t first = 0;

	for (size_t i = 1; i < list->nr; i++)
		if (list->event[i].time_ns < list->event[first].time_ns)
			first = i;
	return first;
}

static struct fz_event list_take(struct list *list)
{
	const size_t first = list_first(list);
	const struct fz_event event = list->event[first];

	list->nr--;
	for (size_t i = first; i < list->nr; i++)
		list->event[i] = list->event[i + 1];
	return event;
}

static bool same(const struct fz_event *a, const struct fz_event *b)
{
	return a->time_ns == b->time_ns && a->kind == b->kind &&
	       a->subject == b->subject && a->stamp == b->stamp;
}

/* Takes one of each; 1 if they differ. */
static unsigned int take_both(struct fz_event_queue *queue, struct list *list)
{
	const struct fz_event *next = fz_event_queue_peek(queue);
	const bool any = list->nr;
	struct fz_event expected, peeked = { 0 }, got = { 0 };

	if (any)
		expected = list_take(list);
	if (next)
		peeked = *next;
	if ((next != NULL) != any || fz_event_queue_take(queue, &got) != any)
		return 1;
	return any && (!same(&expected, &peeked) || !same(&expected, &got));
}

/* Times below @_i's limit: many are equal, or hardly any. */
static const uint64_t time_limits[] = { 1, 3, 100, 1000000, UINT64_MAX };

START_TEST(like_a_searched_array)
{
	struct fz_random random = fz_random_begin(7, (uint64_t)_i);
	struct fz_event_queue queue = { 0 };
	struct list *list = calloc(1, sizeof(*list));
	unsigned int wrong = 0;

	ck_assert_ptr_nonnull(list);
	for (uint32_t i = 0; i < MAX_EVENTS; i++) {
		struct fz_event event = {
			.time_ns = fz_random_below(&random, time_limits[_i]),
			.seq = fz_random_next(&random), /* to be ignored */
			.kind = (uint32_t)fz_random_below(&random, 5),
			.subject = i,
			.stamp = fz_random_next(&random),
		};

		wrong += fz_event_queue_add(&queue, event) != 0;
		list->event[list->nr++] = event;
		/* It grows, and runs empty now and then at the start. */
		while (fz_random_below(&random, 5) < (i < 100 ? 3 : 1))
			wrong += take_both(&queue, list);
	}
	ck_assert_uint_eq(queue.nr, list->nr);
	ck_assert_uint_gt(queue.nr, 1000);
	while (list->nr)
		wrong += take_both(&queue, list);
	wrong += take_both(&queue, list);
	ck_assert_uint_eq(wrong, 0);
	fz_event_queue_fini(&queue);
	free(list);
}
END_TEST

START_TEST(equal_times_keep_their_order)
{
	struct fz_event_queue queue = { 0 };
	struct fz_event event;
	unsigned int wrong = 0;

	for (uint32_t i = 0; i < 1000; i++)
		fz_event_queue_add(&queue, (struct fz_event){ .time_ns = 5,
							      .subject = i });
	fz_event_queue_add(&queue, (struct fz_event){ .time_ns = 4 });
	ck_assert(fz_event_queue_take(&queue, &event));
	ck_assert_uint_eq(event.time_ns, 4);
	for (uint32_t i = 0; i < 1000; i++) {
		wrong += !fz_event_queue_take(&queue, &event);
		wrong += event.subject != i || event.seq != i;
	}
	ck_assert_uint_eq(wrong, 0);
	fz_event_queue_fini(&queue);
}
END_TEST

START_TEST(empty)
{
	struct fz_event_queue queue = { 0 };
	struct fz_event event = { .stamp = 9 };

	ck_assert_ptr_null(fz_event_queue_peek(&queue));
	ck_assert(!fz_event_queue_take(&queue, &event));
	ck_assert_uint_eq(event.stamp, 9);
	ck_assert_int_eq(fz_event_queue_add(&queue, event), 0);
	fz_event_queue_fini(&queue);
	ck_assert_ptr_null(fz_event_queue_peek(&queue));
	ck_assert_int_eq(fz_event_queue_add(&queue, event), 0);
	ck_assert(fz_event_queue_take(&queue, &event));
	ck_assert_uint_eq(event.seq, 0);
	fz_event_queue_fini(&queue);
	fz_event_queue_fini(&queue);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("event_queue");
	TCase *tcase = tcase_create("event_queue");

	tcase_add_loop_test(tcase, like_a_searched_array, 0,
			    sizeof(time_limits) / sizeof(*time_limits));
	tcase_add_test(tcase, equal_times_keep_their_order);
	tcase_add_test(tcase, empty);
	suite_add_tcase(suite, tcase);
	return suite;
}
