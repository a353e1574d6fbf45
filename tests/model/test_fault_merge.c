// SPDX-License-Identifier: GPL-2.0-or-later
/* Several sources, in order of time. */
#include <errno.h>
#include <string.h>

#include <fz/fault_merge.h>
#include <fz/random.h>

#include "fz_test.h"

#define NR_SOURCES 5u
#define NR_RECORDS 700u

struct made {
	struct fz_fault records[NR_RECORDS];
	size_t nr, at;
	int code; /* at the end */
};

static struct made made[NR_SOURCES];
static struct fz_fault_merge *merge;

static ssize_t next(void *state, struct fz_fault *faults, size_t max,
		    struct fz_err *err)
{
	struct made *m = state;
	size_t nr = m->nr - m->at;

	if (!nr && m->code)
		return fz_err_set(err, m->code, "made to fail");
	/* Not always as many as asked for. */
	if (nr > 1 + m->at % 90)
		nr = 1 + m->at % 90;
	nr = nr < max ? nr : max;
	memcpy(faults, m->records + m->at, nr * sizeof(*faults));
	m->at += nr;
	return (ssize_t)nr;
}

static void open_merge(unsigned int nr)
{
	struct fz_fault_source sources[NR_SOURCES];

	for (unsigned int i = 0; i < nr; i++)
		sources[i] = (struct fz_fault_source){ &made[i], next };
	ck_assert_int_eq(fz_fault_merge_open(&merge, sources, nr), 0);
}

/* Times that repeat, and sources of different lengths, one empty. */
static void make(void)
{
	struct fz_random random = fz_random_begin(4, 1);

	memset(made, 0, sizeof(made));
	for (unsigned int s = 0; s < NR_SOURCES; s++) {
		uint64_t time_ns = 0;

		made[s].nr = s == 3 ? 0 : NR_RECORDS - 100 * s;
		for (unsigned int i = 0; i < made[s].nr; i++) {
			time_ns += fz_random_below(&random, 4);
			made[s].records[i] = (struct fz_fault){
				.time_ns = time_ns,
				.addr = i,
				.cpu = s,
				.knows = FZ_KNOWS_TIME,
			};
		}
	}
}

START_TEST(all_records_in_order)
{
	struct fz_fault got[64], last = { .time_ns = 0 };
	size_t per_source[NR_SOURCES] = { 0 };
	unsigned int wrong = 0;
	ssize_t nr;

	make();
	open_merge(NR_SOURCES);
	while ((nr = fz_fault_merge_source(merge).next(merge, got, 64, NULL)) >
	       0) {
		for (ssize_t i = 0; i < nr; i++) {
			wrong += got[i].time_ns < last.time_ns;
			wrong += got[i].time_ns == last.time_ns &&
				 got[i].cpu < last.cpu;
			wrong += got[i].addr != per_source[got[i].cpu]++;
			last = got[i];
		}
	}
	fz_fault_merge_close(merge);
	ck_assert_int_eq(nr, 0);
	ck_assert_uint_eq(wrong, 0);
	for (unsigned int s = 0; s < NR_SOURCES; s++)
		ck_assert_uint_eq(per_source[s], made[s].nr);
}
END_TEST

/* A record without a time stays behind the one before it. */
START_TEST(no_time_follows)
{
	struct fz_fault got[8];
	static const uint64_t want[] = { 10, 20, 0, 30, 25 };
	unsigned int nr = 0;
	ssize_t n;

	memset(made, 0, sizeof(made));
	made[0].nr = 3;
	made[0].records[0] =
		(struct fz_fault){ .time_ns = 10, .knows = FZ_KNOWS_TIME };
	made[0].records[1] =
		(struct fz_fault){ .time_ns = 20, .knows = FZ_KNOWS_TIME };
	made[1].nr = 2;
	made[1].records[0] =
		(struct fz_fault){ .time_ns = 30, .knows = FZ_KNOWS_TIME };
	made[1].records[1] =
		(struct fz_fault){ .time_ns = 25, .knows = FZ_KNOWS_TIME };
	open_merge(2);
	while ((n = fz_fault_merge_source(merge).next(merge, got + nr, 8 - nr,
						      NULL)) > 0)
		nr += (unsigned int)n;
	fz_fault_merge_close(merge);
	ck_assert_uint_eq(nr, 5);
	for (unsigned int i = 0; i < 5; i++)
		ck_assert_uint_eq(got[i].time_ns, want[i]);
}
END_TEST

START_TEST(an_error_ends_it)
{
	struct fz_fault got[1000];
	struct fz_err err = { "" };
	ssize_t nr;

	make();
	made[2].code = -EBADMSG;
	open_merge(NR_SOURCES);
	while ((nr = fz_fault_merge_source(merge).next(merge, got, 1000,
						       &err)) > 0)
		;
	fz_fault_merge_close(merge);
	ck_assert_int_eq(nr, -EBADMSG);
	ck_assert_str_eq(err.msg, "made to fail");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("fault_merge");
	TCase *tcase = tcase_create("fault_merge");

	tcase_add_test(tcase, all_records_in_order);
	tcase_add_test(tcase, no_time_follows);
	tcase_add_test(tcase, an_error_ends_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
