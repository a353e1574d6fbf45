// SPDX-License-Identifier: GPL-2.0-or-later
/* The result document: its members, their order, and what becomes null. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <fz/hooks.h>

#include "fz_test.h"
#include "sample_result.h"

static json_t *document_of(const struct sample *sample)
{
	char *text = sample_print(sample, "json");
	json_error_t error;
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	ck_assert_msg(document != NULL, "line %d: %s", error.line, error.text);
	free(text);
	return document;
}

static json_t *row_of(json_t *document, size_t id)
{
	return json_array_get(json_object_get(document, "rows"), id - 1);
}

/* A value by its keys joined with dots. */
static json_t *value_of(json_t *object, const char *path)
{
	char *copy = strdup(path);
	char *rest = copy;
	char *key;

	while ((key = strsep(&rest, ".")))
		object = json_object_get(object, key);
	free(copy);
	ck_assert_msg(object != NULL, "no %s", path);
	return object;
}

static char *dump(const json_t *value)
{
	return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
					 JSON_REAL_PRECISION(6));
}

/* Names, in this order: a contract that is tested from outside too. */
static const struct {
	const char *path; /* "" = the document, "row" = a row */
	const char *members;
} orders[] = {
	{ "", "schema partial tool machine rows " },
	{ "tool", "version command seed " },
	{ "machine",
	  "cpu kernel preempt_mode kernel_policy init_on_alloc caches numa thp "
	  "hugetlb_pools clock pmu virtualised base_policy kernel_full uarch "
	  "features governor hypervisor steal_ms " },
	{ "machine.preempt_mode", "value basis " },
	{ "row",
	  "id status reason engine policy clear stream_clear page_size_bytes "
	  "backing folio_bytes fault_page preempt hypothetical conditional "
	  "batch_bytes radius_pages use highmem per_page_clear threads timing rounds faults bytes "
	  "seconds bandwidth ratio scaling phases placement resched waker "
	  "fault_ns use_ns counters residency victim noise same_as "
	  "warnings " },
	{ "row.backing", "kind page_bytes verified_by " },
	{ "row.bandwidth", "median_bps mean_bps stdev_pct ci95_bps " },
	{ "row.ratio", "baseline_id median ci95 rounds " },
	{ "row.scaling", "base_id median ci95 rounds " },
	{ "row.phases",
	  "zero_s use_s zero_threads_s use_threads_s zero_share_pct " },
	{ "row.resched",
	  "points point_cost_ns interval_ns wakeup_model_ns wakeup_measured_ns "
	  "wakeup_busy_ns wakeup_idle_ns " },
	{ "row.resched.wakeup_measured_ns", "mean p50 p99 max " },
	{ "row.waker", "by interval_ns wakeups dropped model_id " },
	{ "row.resched.interval_ns", "min mean p50 p90 p99 p999 max " },
	{ "row.resched.wakeup_model_ns", "mean p50 p99 max " },
	{ "row.fault_ns", "min mean p50 p90 p99 p999 max " },
	{ "row.use_ns", "line near folio " },
	{ "row.noise", "steal_ms involuntary_switches migrations " },
};

static json_t *object_at(json_t *document, size_t id, const char *path)
{
	if (!path[0])
		return document;
	if (strncmp(path, "row", 3) != 0)
		return value_of(document, path);
	return path[3] ? value_of(row_of(document, id), path + 4)
		       : row_of(document, id);
}

START_TEST(test_order)
{
	struct sample *sample = sample_find("full");
	json_t *document = document_of(sample);

	for (size_t id = 1; id <= sample->result.nr_rows; id++) {
		json_t *object = object_at(document, id, orders[_i].path);
		char members[1024] = "";
		const char *key;
		json_t *value;

		json_object_foreach(object, key, value)
		{
			ck_assert_ptr_nonnull(value);
			strcat(strcat(members, key), " ");
		}
		ck_assert_str_eq(members, orders[_i].members);
	}
	json_decref(document);
	sample_free(sample);
}
END_TEST

static const struct {
	const char *sample;
	size_t id; /* 0 = the document */
	const char *path;
	const char *value;
} values[] = {
	{ "full", 0, "schema", "\"foliosim.result/1\"" },
	{ "full", 0, "partial", "true" },
	{ "one", 0, "partial", "false" },
	{ "full", 0, "tool.seed", "1" },
	{ "full", 0, "machine.preempt_mode",
	  "{\"value\":\"none\",\"basis\":\"debugfs\"}" },
	{ "none", 0, "machine.preempt_mode",
	  "{\"value\":null,\"basis\":\"unknown\"}" },
	{ "full", 0, "machine.features",
	  "[\"erms\",\"fsrm\",\"rep_good\",\"avx2\",\"clzero\"]" },
	{ "none", 0, "machine.features", "[]" },
	{ "none", 0, "machine.cpu", "null" },
	{ "none", 0, "machine.steal_ms", "null" },
	{ "none", 0, "machine.pmu",
	  "{\"available\":false,\"detail\":null,"
	  "\"perf_event_paranoid\":null}" },
	{ "full", 0, "machine.pmu.perf_event_paranoid", "2" },
	{ "full", 0, "machine.clock",
	  "{\"ticks\":\"tsc\",\"clocksource\":\"tsc\",\"hz\":250}" },
	{ "full", 1, "id", "\"r1\"" },
	{ "full", 1, "status", "\"measured\"" },
	{ "full", 1, "reason", "null" },
	{ "full", 1, "stream_clear", "null" },
	{ "full", 4, "stream_clear", "\"movnti\"" },
	{ "full", 1, "batch_bytes", "null" },
	{ "full", 1, "radius_pages", "null" },
	{ "full", 3, "batch_bytes", "33554432" },
	{ "full", 3, "radius_pages", "2" },
	{ "full", 5, "batch_bytes", "8388608" },
	{ "lists", 1, "batch_bytes", "65536" },
	{ "full", 1, "hypothetical", "false" },
	{ "full", 3, "hypothetical", "true" },
	{ "lists", 3, "hypothetical", "false" },
	{ "full", 2, "conditional", "false" },
	{ "full", 3, "conditional", "true" },
	{ "full", 5, "conditional", "true" }, /* its twin */
	{ "full", 1, "resched.points", "513" },
	{ "full", 3, "resched.points", "2.996" },
	{ "full", 6, "resched.points", "0" },
	{ "full", 7, "resched.points", "null" },
	{ "full", 1, "resched.point_cost_ns", "0.7" },
	{ "full", 6, "resched.point_cost_ns", "null" },
	{ "lists", 1, "resched.point_cost_ns", "null" },
	{ "lists", 3, "resched.interval_ns.max", "null" },
	{ "lists", 3, "resched.wakeup_model_ns.p99", "null" },
	{ "full", 1, "fault_page", "\"random\"" },
	{ "full", 6, "fault_page", "null" },
	{ "lists", 1, "fault_page", "511" },
	{ "full", 7, "engine", "\"kernel\"" },
	{ "full", 7, "policy", "\"discontiguous-page\"" },
	{ "none", 2, "policy", "null" },
	{ "full", 7, "clear", "null" },
	{ "full", 7, "preempt", "\"none\"" },
	{ "none", 2, "preempt", "null" },
	{ "none", 1, "preempt", "\"none\"" },
	{ "full", 7, "hypothetical", "false" },
	{ "full", 7, "resched.interval_ns.p50", "null" },
	{ "full", 3, "same_as", "[\"r5\"]" },
	{ "full", 5, "same_as", "[\"r3\"]" },
	{ "full", 5, "rounds", "11" },
	{ "full", 5, "noise.involuntary_switches", "7" },
	{ "full", 1, "same_as", "[]" },
	{ "full", 10, "same_as", "[]" },
	{ "full", 1, "ratio.baseline_id", "\"r1\"" },
	{ "full", 1, "ratio.ci95", "[0.99,1.01]" },
	{ "lists", 9, "ratio",
	  "{\"baseline_id\":null,\"median\":null,\"ci95\":null,"
	  "\"rounds\":null}" },
	{ "full", 1, "faults", "256" },
	{ "full", 1, "bytes", "536870912" },
	{ "full", 1, "use_ns",
	  "{\"line\":null,\"near\":210.0,\"folio\":null}" },
	{ "full", 8, "status", "\"partial\"" },
	{ "full", 8, "rounds", "5" },
	{ "full", 9, "status", "\"unsupported\"" },
	{ "full", 9, "reason", "\"the CPU has no clzero\"" },
	{ "full", 9, "rounds", "0" },
	{ "full", 9, "faults", "null" },
	{ "full", 9, "bytes", "null" },
	{ "full", 9, "seconds", "[]" },
	{ "full", 9, "bandwidth",
	  "{\"median_bps\":null,\"mean_bps\":null,\"stdev_pct\":null,"
	  "\"ci95_bps\":null}" },
	{ "full", 9, "fault_ns.min", "null" },
	{ "full", 9, "noise",
	  "{\"steal_ms\":null,\"involuntary_switches\":null,"
	  "\"migrations\":null}" },
	{ "full", 10, "reason",
	  "\"cannot use '/sys/\\\"kernel\\\"/mm, huge':\\n\\t\\u001B[31mno "
	  "pages, 0 of 512; type: echo 512 > \\\\x\"" },
	{ "full", 10, "page_size_bytes", "1073741824" },
	{ "full", 1, "counters", "{}" },
	{ "full", 1, "residency", "[]" },
	{ "full", 1, "victim", "[]" },
	{ "full", 1, "threads", "1" },
	{ "one", 1, "warnings", "[]" },
	{ "one", 1, "use_ns.line", "45.0" },
	{ "empty", 0, "rows", "[]" },
};

START_TEST(test_value)
{
	struct sample *sample = sample_find(values[_i].sample);
	json_t *document = document_of(sample);
	json_t *object =
		values[_i].id ? row_of(document, values[_i].id) : document;
	char *text = dump(value_of(object, values[_i].path));

	ck_assert_msg(strcmp(text, values[_i].value) == 0,
		      "%s r%zu %s: %s, not %s", values[_i].sample,
		      values[_i].id, values[_i].path, text, values[_i].value);
	free(text);
	json_decref(document);
	sample_free(sample);
}
END_TEST

START_TEST(test_base_pages_name_the_base_policy)
{
	struct sample *sample = sample_find("full");
	json_t *document;

	sample->rows[6].config.page =
		(struct fz_page_size){ FZ_PAGES_BASE, 4096 };
	document = document_of(sample);
	ck_assert_str_eq(
		json_string_value(value_of(row_of(document, 7), "policy")),
		"init-pages");
	json_decref(document);
	sample_free(sample);
}
END_TEST

START_TEST(test_pending_is_unsupported)
{
	struct sample *sample = sample_find("full");
	json_t *document;

	sample->rows[8].status = FZ_ROW_PENDING;
	document = document_of(sample);
	ck_assert_str_eq(
		json_string_value(value_of(row_of(document, 9), "status")),
		"unsupported");
	json_decref(document);
	sample_free(sample);
}
END_TEST

/* Bytes that are no text must not cost the document. */
START_TEST(test_bytes_that_are_not_utf8)
{
	struct sample *sample = sample_find("full");
	json_t *document;

	strcpy(sample->rows[8].reason, "no '\xff\xc3(\xe2\x82'");
	sample->result.command = "foliosim \x80";
	document = document_of(sample);
	ck_assert_str_eq(
		json_string_value(value_of(row_of(document, 9), "reason")),
		"no '\?\?(\?\?'");
	ck_assert_str_eq(json_string_value(value_of(document, "tool.command")),
			 "foliosim ?");
	json_decref(document);
	sample_free(sample);
}
END_TEST

START_TEST(test_number_beyond_json)
{
	struct sample *sample = sample_find("one");
	json_t *document;

	sample->result.seed = UINT64_MAX;
	sample->figures[0].fault_ns.max = UINT64_MAX;
	document = document_of(sample);
	ck_assert(json_is_null(value_of(document, "tool.seed")));
	ck_assert(json_is_null(value_of(row_of(document, 1), "fault_ns.max")));
	json_decref(document);
	sample_free(sample);
}
END_TEST

START_TEST(test_backing_is_what_was_found)
{
	struct sample *sample = sample_find("one");
	struct fz_backing found;
	struct fz_err err = { "" };
	struct fz_buffer *buffer;
	json_t *document, *backing;

	ck_assert_msg(
		fz_buffer_open(&buffer, &fz_hooks_default,
			       (struct fz_page_size){ FZ_PAGES_BASE, 4096 },
			       65536, &err) == 0,
		"%s", err.msg);
	found = fz_buffer_backing(buffer);
	fz_row_set_buffers(&sample->rows[0], &buffer);
	document = document_of(sample);
	backing = value_of(row_of(document, 1), "backing");
	ck_assert_str_eq(json_string_value(value_of(backing, "kind")), "base");
	ck_assert_int_eq(json_integer_value(value_of(backing, "page_bytes")),
			 4096);
	if (found.verified_by[0])
		ck_assert_str_eq(
			json_string_value(value_of(backing, "verified_by")),
			found.verified_by);
	else
		ck_assert(json_is_null(value_of(backing, "verified_by")));
	json_decref(document);
	fz_buffer_close(buffer);
	sample_free(sample);
}
END_TEST

#define LOOP(tcase, test, table)            \
	tcase_add_loop_test(tcase, test, 0, \
			    (int)(sizeof(table) / sizeof((table)[0])))

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("result_json");
	TCase *tcase = tcase_create("json");

	LOOP(tcase, test_order, orders);
	LOOP(tcase, test_value, values);
	tcase_add_test(tcase, test_base_pages_name_the_base_policy);
	tcase_add_test(tcase, test_pending_is_unsupported);
	tcase_add_test(tcase, test_bytes_that_are_not_utf8);
	tcase_add_test(tcase, test_number_beyond_json);
	tcase_add_test(tcase, test_backing_is_what_was_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
