// SPDX-License-Identifier: GPL-2.0-or-later
/* Names, settings, groups and lists of ids. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fz_test.h"
#include "row_groups.h"
#include "row_label.h"
#include "sample_result.h"

static const struct {
	const char *sample;
	size_t id;
	size_t lead_id; /* 0 = FZ_NO_GROUP */
	const char *label;
} labels[] = {
	{ "full", 1, 1, "discontiguous-page" },
	{ "full", 4, 1, "streaming-neighbourhood-last" },
	{ "full", 5, 1, "neighbourhood-last-v6?" },
	{ "full", 7, 1, "kernel: discontiguous-page" },
	{ "full", 9, 0, "streaming-neighbourhood-last, stream clzero" },
	{ "full", 9, 1, "streaming-neighbourhood-last, stream clzero" },
	{ "lists", 2, 1, "stream movnti, none, batch 32M" },
	{ "lists", 9, 9, "stream movnti, none, batch 64K" },
	/* In another group, so the whole name. */
	{ "lists", 9, 1,
	  "streaming-neighbourhood-last, stream movnti, none, batch 64K" },
	{ "lists", 9, 0,
	  "streaming-neighbourhood-last, stream movnti, none, batch 64K" },
	{ "lists", 18, 17, "init-pages" },
	{ "one", 1, 1, "contiguous-page" },
	{ "none", 2, 0, "kernel" },
};

START_TEST(test_label)
{
	struct sample *sample = sample_find(labels[_i].sample);
	const size_t lead =
		labels[_i].lead_id ? labels[_i].lead_id - 1 : FZ_NO_GROUP;
	const struct fz_labels all = fz_labels_of(&sample->result, lead);
	char label[FZ_LABEL_BYTES];

	fz_row_label(label, sizeof(label), &all,
		     &sample->rows[labels[_i].id - 1]);
	ck_assert_str_eq(label, labels[_i].label);
	sample_free(sample);
}
END_TEST

START_TEST(test_bare_says_so)
{
	struct sample *sample = sample_find("full");
	char name[FZ_LABEL_BYTES];

	sample->rows[0].config.engine = &fz_engine_bare;
	fz_row_name(name, sizeof(name), &sample->result, &sample->rows[0]);
	ck_assert_str_eq(name, "bare: discontiguous-page");
	sample_free(sample);
}
END_TEST

static bool test_bit(const struct fz_result *result, size_t row,
		     const void *arg)
{
	const unsigned int *set = arg;

	(void)result;
	return *set >> row & 1;
}

static const struct {
	unsigned int set;
	const char *ids;
	size_t nr;
} id_lists[] = {
	{ 0, "", 0 },
	{ 1, "r1", 1 },
	{ 0x7ff, "r1-r11", 11 },
	{ 0x3, "r1-r2", 2 },
	{ 0x405, "r1 r3 r11", 3 },
	{ 0x6b7, "r1-r3 r5-r6 r8 r10-r11", 8 },
};

START_TEST(test_ids)
{
	struct sample *sample = sample_find("full");
	struct fz_note note = { .used = 0 };

	fz_note_add_ids(&note, &sample->result, test_bit, &id_lists[_i].set);
	ck_assert_str_eq(note.text, id_lists[_i].ids);
	ck_assert_uint_eq(
		fz_count_rows(&sample->result, test_bit, &id_lists[_i].set),
		id_lists[_i].nr);
	sample_free(sample);
}
END_TEST

/* A row that is told no page stands in every group on its memory. */
START_TEST(test_groups)
{
	struct sample *sample = sample_find("full");
	const struct fz_result *result = &sample->result;

	ck_assert(fz_row_leads_group(result, 0));
	for (size_t i = 1; i < result->nr_rows; i++)
		ck_assert(!fz_row_leads_group(result, i));
	sample->rows[1].config.fault = FZ_FAULT_AT;
	ck_assert(fz_row_leads_group(result, 1));
	ck_assert(!fz_row_in_group(result, 0, 1));
	ck_assert(fz_row_in_group(result, 0, 5));
	ck_assert(fz_row_in_group(result, 1, 5));
	ck_assert(!fz_row_in_group(result, 0, 9));
	sample_free(sample);
}
END_TEST

START_TEST(test_rounds_and_verdicts)
{
	struct sample *sample = sample_find("lists");
	const struct fz_result *result = &sample->result;

	ck_assert_uint_eq(fz_group_rounds(result, 16).min, 4);
	ck_assert_uint_eq(fz_group_rounds(result, 0).max, 13);
	ck_assert_ptr_eq(fz_group_verdict(result, 0), &sample->verdicts[0]);
	ck_assert_ptr_eq(fz_group_verdict(result, 8), &sample->verdicts[1]);
	ck_assert_ptr_eq(fz_group_verdict(result, 16), &sample->verdicts[2]);
	sample->verdicts[0].fault_page = 3;
	ck_assert_ptr_null(fz_group_verdict(result, 0));
	sample_free(sample);
}
END_TEST

START_TEST(test_baselines)
{
	struct sample *sample = sample_find("lists");
	const struct fz_result *result = &sample->result;

	ck_assert_uint_eq(fz_group_baselines(result, 0).nr, 2);
	ck_assert(!fz_group_baselines(result, 0).outside);
	ck_assert_uint_eq(fz_group_baselines(result, 8).nr, 0);
	sample->figures[9].baseline = &sample->rows[0];
	ck_assert_uint_eq(fz_group_baselines(result, 8).nr, 1);
	ck_assert(fz_group_baselines(result, 8).outside);
	sample_free(sample);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("row_label");
	TCase *tcase = tcase_create("labels");

	tcase_add_loop_test(tcase, test_label, 0,
			    (int)(sizeof(labels) / sizeof(labels[0])));
	tcase_add_test(tcase, test_bare_says_so);
	tcase_add_loop_test(tcase, test_ids, 0,
			    (int)(sizeof(id_lists) / sizeof(id_lists[0])));
	tcase_add_test(tcase, test_groups);
	tcase_add_test(tcase, test_rounds_and_verdicts);
	tcase_add_test(tcase, test_baselines);
	suite_add_tcase(suite, tcase);
	return suite;
}
