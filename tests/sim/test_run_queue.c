// SPDX-License-Identifier: GPL-2.0-or-later
/* Who is next, against a list that is searched from end to end. */
#include "run_queue.h"

#include <fz/random.h>

#include "fz_test.h"

#define NR_TASKS 24u

/* Those that wait, in the order in which their like are served. */
struct list {
	uint32_t task[NR_TASKS];
	unsigned int nr;
};

/* The larger, the earlier. */
static unsigned int rank(const struct fz_waiter *waiter)
{
	return waiter->priority ? waiter->priority + 1 : waiter->winner;
}

static void list_insert(struct list *list, unsigned int i, uint32_t task)
{
	for (unsigned int j = list->nr++; j > i; j--)
		list->task[j] = list->task[j - 1];
	list->task[i] = task;
}

static void list_add(struct list *list, const struct fz_waiter *waiters,
		     uint32_t task, bool first)
{
	const unsigned int own = rank(&waiters[task]);
	unsigned int i = 0;

	while (i < list->nr && (first ? rank(&waiters[list->task[i]]) > own
				      : rank(&waiters[list->task[i]]) >= own))
		i++;
	list_insert(list, i, task);
}

static uint32_t list_take(struct list *list)
{
	const uint32_t task = list->nr ? list->task[0] : FZ_NO_TASK;

	for (unsigned int i = 1; i < list->nr; i++)
		list->task[i - 1] = list->task[i];
	list->nr -= list->nr > 0;
	return task;
}

static bool list_has_fair(const struct list *list,
			  const struct fz_waiter *waiters)
{
	return list->nr && !waiters[list->task[list->nr - 1]].priority;
}

static void add_both(struct fz_run_queue *queue, struct list *list,
		     struct fz_waiter *waiters, struct fz_random *random,
		     uint32_t task)
{
	const bool first = fz_random_below(random, 3) == 0;

	waiters[task].priority = (unsigned int)fz_random_below(random, 4);
	waiters[task].winner =
		!waiters[task].priority && fz_random_below(random, 2);
	list_add(list, waiters, task, first);
	if (first)
		fz_run_queue_add_first(queue, waiters, task);
	else
		fz_run_queue_add_last(queue, waiters, task);
}

START_TEST(same_as_a_list)
{
	struct fz_random random = fz_random_begin(7, 1);
	struct fz_waiter waiters[NR_TASKS] = { 0 };
	bool waits[NR_TASKS] = { false };
	struct fz_run_queue queue;
	struct list list = { .nr = 0 };
	unsigned int wrong = 0;

	fz_run_queue_init(&queue);
	for (unsigned int i = 0; i < 50000; i++) {
		const uint32_t task =
			(uint32_t)fz_random_below(&random, NR_TASKS);

		if (!waits[task]) {
			add_both(&queue, &list, waiters, &random, task);
			waits[task] = true;
		} else {
			const uint32_t next =
				fz_run_queue_take(&queue, waiters);

			wrong += next != list_take(&list);
			waits[next] = false;
		}
		wrong += fz_run_queue_has_fair(&queue) !=
			 list_has_fair(&list, waiters);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("run_queue");
	TCase *tcase = tcase_create("run_queue");

	tcase_add_test(tcase, same_as_a_list);
	suite_add_tcase(suite, tcase);
	return suite;
}
