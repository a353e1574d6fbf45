// SPDX-License-Identifier: GPL-2.0-or-later
/* Workloads: read from JSON, built in, and made of recorded faults. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"
#include "mutate_json.h"
#include "workload_made.h"
#include "workload_read.h"
#include "workload_trace.h"

#define NR(a) (int)(sizeof(a) / sizeof((a)[0]))
#define MS    1000000ull

/* A whole workload, of which tests change one thing. */
static const char good[] =
	"{'schema':'foliosim.workload/1','cpus':4,'tasks':["
	"{'name':'worker','cpus':'1-3','loops':7,'start':'5us','program':["
	"{'fault':'2M','page':'random'},{'fault':'64K','page':15},"
	"{'access':'1M'},{'compute':'10us'},{'sleep':'2ms'}]},"
	"{'name':'timer','class':'rt','priority':50,'cpus':'0','loops':0,"
	"'program':[{'sleep':{'poisson':'1ms'}},{'compute':'1us'},"
	"{'sleep':{'period':'3ms'}}]},"
	"{'name':'everywhere','program':[{'fault':'4K'}]}]}";

static int parse(struct fz_workload *workload, const char *text,
		 struct fz_err *err)
{
	return fz_workload_parse(workload, "x.json", text, strlen(text), err);
}

static bool is_sentence(const char *msg)
{
	return strncmp(msg, "cannot read 'x.json': ", 22) == 0 && msg[22];
}

START_TEST(the_good_one_is_read)
{
	struct fz_workload w = { .nr_cpus = 0 };
	char *text = changed_json(good, 0, "worker", "worker");
	struct fz_err err = { "" };
	const struct fz_sim_task *timer;

	ck_assert_msg(parse(&w, text, &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(w.nr_cpus, 4);
	ck_assert_uint_eq(w.nr_tasks, 3 + 1 + 4);
	ck_assert_str_eq(w.tasks[2].name, "worker");
	ck_assert_uint_eq(w.tasks[0].cpu, 1);
	ck_assert_uint_eq(w.tasks[2].cpu, 3);
	ck_assert_uint_eq(w.tasks[2].loops, 7);
	ck_assert_uint_eq(w.tasks[2].start_ns, 5000);
	ck_assert_uint_eq(w.tasks[2].nr_phases, 5);
	ck_assert_uint_eq(w.tasks[0].phases[0].op, FZ_SIM_FAULT);
	ck_assert_uint_eq(w.tasks[0].phases[0].bytes, 2 << 20);
	ck_assert(w.tasks[0].phases[0].fault_page == FZ_SIM_RANDOM_PAGE);
	ck_assert_uint_eq(w.tasks[0].phases[1].fault_page, 15);
	ck_assert_uint_eq(w.tasks[0].phases[2].op, FZ_SIM_ACCESS);
	ck_assert_uint_eq(w.tasks[0].phases[2].bytes, 1 << 20);
	ck_assert_uint_eq(w.tasks[0].phases[3].op, FZ_SIM_COMPUTE);
	ck_assert_uint_eq(w.tasks[0].phases[3].ns, 10000);
	ck_assert_uint_eq(w.tasks[0].phases[4].op, FZ_SIM_SLEEP);
	ck_assert_uint_eq(w.tasks[0].phases[4].ns, 2 * MS);
	timer = &w.tasks[3];
	ck_assert_uint_eq(timer->class, FZ_SIM_RT);
	ck_assert_uint_eq(timer->priority, 50);
	ck_assert(timer->background && !w.tasks[0].background);
	ck_assert_uint_eq(timer->phases[0].op, FZ_SIM_SLEEP_POISSON);
	ck_assert_uint_eq(timer->phases[2].op, FZ_SIM_SLEEP_PERIOD);
	ck_assert_uint_eq(timer->phases[2].ns, 3 * MS);
	ck_assert_uint_eq(w.tasks[7].cpu, 3);
	ck_assert_uint_eq(w.tasks[7].class, FZ_SIM_FAIR);
	ck_assert_uint_eq(w.tasks[7].loops, 1);
	ck_assert_uint_eq(w.tasks[7].phases[0].fault_page, 0);
	ck_assert_int_eq(fz_workload_check_end(&w, &err), 0);
	fz_workload_fini(&w);
	free(text);
}
END_TEST

/* --cpus is used instead of what the document says. */
START_TEST(cpus_from_outside)
{
	struct fz_workload w = { .nr_cpus = 8 }, few = { .nr_cpus = 3 };
	char *text = changed_json(good, 0, "'cpus':4,", "");
	struct fz_err err = { "" };

	ck_assert_msg(parse(&w, text, &err) == 0, "%s", err.msg);
	ck_assert_uint_eq(w.nr_cpus, 8);
	ck_assert_uint_eq(w.nr_tasks, 3 + 1 + 8);
	fz_workload_fini(&w);
	ck_assert_int_eq(parse(&few, text, &err), -EBADMSG);
	ck_assert_str_eq(err.msg, "cannot read 'x.json': task 1: 'cpus' has "
				  "CPU 3; the last one of 3 is 2");
	fz_workload_fini(&few);
	ck_assert_int_eq(parse(&w, text, &err), -EBADMSG);
	ck_assert_str_eq(err.msg, "cannot read 'x.json': no member 'cpus': add "
				  "it, or give --cpus");
	fz_workload_fini(&w);
	free(text);
}
END_TEST

static const struct {
	unsigned int nth;
	const char *from, *to, *says;
} wrong[] = {
	{ 0, "workload/1", "workload/2", "'schema' is 'foliosim.workload/2'" },
	{ 0, "'cpus':4", "'cpus':0", "'cpus' is 0: give 1 to 8192" },
	{ 0, "'cpus':4", "'cpus':-1", "'cpus' is -1" },
	{ 0, "'cpus':4", "'cpus':8193", "'cpus' is 8193" },
	{ 0, "'cpus':4", "'cpus':'4'", "'cpus' is not a whole number" },
	{ 0, "'cpus':4", "'cpus':4,'cpu':1", "unknown member 'cpu'" },
	{ 0, "'tasks':[", "'task':[", "no member 'tasks'" },
	{ 0, "'name':'worker',", "", "task 1: no member 'name'" },
	{ 0, "'worker'", "''", "task 1: 'name' must have 1 to 31" },
	{ 0, "'worker'", "'\\u001b[31m'", "task 1: 'name' must have" },
	{ 0, "'worker'", "'\\u0022'", "task 1: 'name' must have" },
	{ 0, "'worker'", "'abcdefghijklmnopqrstuvwxyz012345'",
	  "task 1: 'name' must have" },
	{ 0, "'loops':7", "'loops':7,'after':'timer'",
	  "task 1: unknown member 'after'" },
	{ 0, "'loops':7", "'loops':-1", "task 1: 'loops' is -1" },
	{ 0, "'loops':7", "'loops':9223372036854775807", "'loops' is 92233" },
	{ 0, "'loops':7", "'loops':7.5", "'loops' is not a whole number" },
	{ 0, "'5us'", "'5'", "task 1: 'start': " },
	{ 0, "'5us'", "'2000000s'", "'start' is '2000000s': give 0ns to" },
	{ 0, "'1-3'", "'1-4'", "task 1: 'cpus' has CPU 4; the last one" },
	{ 0, "'1-3'", "'3-1'", "task 1: 'cpus': " },
	{ 0, "'1-3'", "''", "task 1: 'cpus': " },
	{ 0, "'1-3'", "3", "task 1: 'cpus' is not a string" },
	{ 0, "'rt'", "'idle'", "task 2: 'class' is 'idle': give fair or rt" },
	{ 0, "'priority':50,", "", "task 2: no member 'priority'" },
	{ 0, "'priority':50", "'priority':0", "'priority' is 0: give 1 to 99" },
	{ 0, "'priority':50", "'priority':100", "'priority' is 100" },
	{ 0, "'class':'rt',", "", "task 2: 'priority' is for class rt" },
	{ 0, "'2M'", "'3K'", "task 1: phase 1: 'fault' is '3K': give 4K" },
	{ 0, "'2M'", "'5K'", "phase 1: 'fault' is '5K', no multiple of 4K" },
	{ 0, "'2M'", "'32G'", "phase 1: 'fault' is '32G': give 4K to 16G" },
	{ 0, "'2M'", "'0'", "phase 1: 'fault' is '0'" },
	{ 0, "'2M'", "'99999999999T'", "phase 1: 'fault': " },
	{ 0, "'2M'", "2097152", "phase 1: 'fault' is not a string" },
	{ 0, "'random'", "'last'", "phase 1: 'page' is 'last': give a number" },
	{ 0, "'page':15", "'page':16", "phase 2: 'page' is 16: give 0 to 15" },
	{ 0, "'page':15", "'page':-1", "phase 2: 'page' is -1" },
	{ 0, "'page':15", "'pages':15", "phase 2: unknown member 'pages'" },
	{ 0, "'access':'1M'", "'access':'0'", "phase 3: 'access' is '0'" },
	{ 0, "'access':'1M'", "'access':'1M','page':1", "phase 3: give one" },
	{ 0, "'access':'1M'", "'access':'1M','compute':'1us'",
	  "phase 3: give one of 'fault' (with 'page'), 'access'" },
	{ 0, "{'access':'1M'}", "{}", "phase 3: give one of" },
	{ 0, "{'access':'1M'}", "[]", "phase 3: it is not an object" },
	{ 0, "'10us'", "'0us'", "phase 4: 'compute' is '0us': give 1ns to" },
	{ 0, "'10us'", "'10'", "phase 4: 'compute': " },
	{ 0, "'10us'", "'-1us'", "phase 4: 'compute': " },
	{ 0, "'sleep':'2ms'", "'sleep':'0ms'", "phase 5: 'sleep' is '0ms'" },
	{ 0, "'sleep':'2ms'", "'sleep':5", "phase 5: 'sleep' is not" },
	{ 0, "{'poisson':'1ms'}", "{}",
	  "task 2: phase 1: sleep: give 'poisson' or 'period'" },
	{ 0, "{'poisson':'1ms'}", "{'poisson':'1ms','period':'1ms'}",
	  "phase 1: sleep: give 'poisson' or 'period'" },
	{ 0, "{'poisson':'1ms'}", "{'poisson':'0ms'}",
	  "phase 1: sleep: 'poisson' is '0ms'" },
	{ 0, "{'poisson':'1ms'}", "{'normal':'1ms'}",
	  "phase 1: sleep: unknown member 'normal'" },
	{ 0, "[{'fault':'4K'}]", "[]", "task 3: 'program' has 0 phases" },
	{ 0, "[{'fault':'4K'}]", "{'fault':'4K'}",
	  "task 3: 'program' is not an array" },
	{ 0, "}]}]}", "}]},null]}", "task 4: it is not an object" },
};

START_TEST(wrong_ones_are_refused)
{
	char *text =
		changed_json(good, wrong[_i].nth, wrong[_i].from, wrong[_i].to);
	struct fz_workload w = { .nr_cpus = 0 };
	struct fz_err err = { "" };

	ck_assert_int_eq(parse(&w, text, &err), -EBADMSG);
	ck_assert_msg(is_sentence(err.msg), "%s", err.msg);
	ck_assert_msg(strstr(err.msg, wrong[_i].says) != NULL, "%s", err.msg);
	fz_workload_fini(&w);
	free(text);
}
END_TEST

START_TEST(cut_short)
{
	char *text = changed_json(good, 0, "worker", "worker");
	unsigned int accepted = 0, no_sentence = 0;

	for (size_t cut = 0; cut < strlen(text); cut++) {
		struct fz_workload w = { .nr_cpus = 0 };
		struct fz_err err = { "" };

		accepted += fz_workload_parse(&w, "x.json", strndupa(text, cut),
					      cut, &err) == 0;
		no_sentence += !is_sentence(err.msg);
		fz_workload_fini(&w);
	}
	ck_assert_uint_eq(accepted, 0);
	ck_assert_uint_eq(no_sentence, 0);
	free(text);
}
END_TEST

static bool phase_is_sane(const struct fz_sim_phase *phase)
{
	const bool moves =
		phase->op == FZ_SIM_FAULT || phase->op == FZ_SIM_ACCESS;

	return moves ? phase->bytes && !phase->ns
		     : phase->ns && phase->ns <= FZ_WORKLOAD_MAX_NS &&
			       !phase->bytes;
}

static bool is_sane(const struct fz_workload *w)
{
	bool sane = w->nr_cpus && w->nr_tasks;

	for (size_t i = 0; i < w->nr_tasks; i++) {
		const struct fz_sim_task *task = &w->tasks[i];

		sane = sane && task->cpu < w->nr_cpus && task->nr_phases &&
		       task->background == !task->loops &&
		       (task->class == FZ_SIM_RT) == (task->priority > 0);
		for (size_t j = 0; j < task->nr_phases; j++)
			sane = sane && phase_is_sane(&task->phases[j]);
	}
	return sane;
}

/* Refused with a sentence, or a workload within bounds. */
START_TEST(mutations)
{
	struct fz_random random = fz_random_begin(3, (uint64_t)_i);
	unsigned int broken = 0, read = 0, refused = 0;
	char *text = changed_json(good, 0, "worker", "worker");

	for (unsigned int i = 0; i < 4000; i++) {
		char *mutated = mutated_json(&random, text, _i == 0);
		struct fz_workload w = { .nr_cpus = 0 };
		struct fz_err err = { "" };

		if (parse(&w, mutated, &err)) {
			broken += !is_sentence(err.msg);
			refused++;
		} else {
			broken += !is_sane(&w);
			read++;
		}
		fz_workload_fini(&w);
		free(mutated);
	}
	ck_assert_uint_eq(broken, 0);
	ck_assert_uint_gt(read, 10);
	ck_assert_uint_gt(refused, 10);
	free(text);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	struct fz_workload w = { .nr_cpus = 0 };
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_workload_read(&w, "no/such.json", &err), -ENOENT);
	ck_assert_int_eq(fz_workload_read(&w, "/dev/null", &err), -EBADMSG);
	ck_assert_int_eq(fz_workload_read(&w, "/", &err), -EISDIR);
	ck_assert_int_eq(fz_workload_read(&w, "/dev/zero", &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.msg, "larger than 16 MiB"));
}
END_TEST

/* One CPU, one or two tasks: who lets whom end? */
static const struct {
	const char *tasks;
	const char *says; /* NULL = it ends */
} ends[] = {
	{ "{'name':'a','program':[{'compute':'1us'}]}", NULL },
	{ "{'name':'a','loops':0,'program':[{'compute':'1us'}]}",
	  "no task ends: give one 'loops', or end the simulation with --until" },
	{ "{'name':'a','program':[{'compute':'1us'}]},"
	  "{'name':'b','loops':0,'program':[{'compute':'1us'}]}",
	  NULL },
	{ "{'name':'a','program':[{'compute':'1us'}]},"
	  "{'name':'b','class':'rt','priority':1,'loops':0,"
	  "'program':[{'compute':'1us'}]}",
	  "task 'b' never leaves CPU 0 to task 'a': let it sleep, or end" },
	{ "{'name':'a','program':[{'compute':'1us'}]},"
	  "{'name':'b','class':'rt','priority':1,'loops':0,"
	  "'program':[{'compute':'1us'},{'sleep':'1us'}]}",
	  NULL },
	{ "{'name':'a','program':[{'compute':'1us'}]},"
	  "{'name':'b','class':'rt','priority':1,'loops':0,"
	  "'program':[{'compute':'1us'},{'sleep':{'period':'1us'}}]}",
	  "task 'b' never leaves CPU 0" },
	{ "{'name':'a','program':[{'compute':'1us'}]},"
	  "{'name':'b','class':'rt','priority':1,'loops':9,"
	  "'program':[{'compute':'1us'}]}",
	  NULL },
};

START_TEST(there_is_an_end)
{
	struct fz_workload w = { .nr_cpus = 1 };
	struct fz_err err = { "" };
	char *text;

	ck_assert_int_ge(asprintf(&text, "{'tasks':[%s]}", ends[_i].tasks), 0);
	for (char *c = text; *c; c++)
		if (*c == '\'')
			*c = '"';
	ck_assert_msg(parse(&w, text, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(fz_workload_check_end(&w, &err),
			 ends[_i].says ? -EINVAL : 0);
	if (ends[_i].says)
		ck_assert_msg(strstr(err.msg, ends[_i].says) != NULL, "%s",
			      err.msg);
	fz_workload_fini(&w);
	free(text);
}
END_TEST

START_TEST(built_in_ones)
{
	struct fz_workload w = { .nr_cpus = 3 };

	ck_assert_int_eq(fz_workload_make_anon(&w, 64 << 20, 2 << 20), 0);
	ck_assert_uint_eq(w.nr_tasks, 3);
	ck_assert_uint_eq(w.tasks[2].cpu, 2);
	ck_assert_uint_eq(w.tasks[2].loops, 32);
	ck_assert_uint_eq(w.tasks[2].nr_phases, 2);
	ck_assert_uint_eq(w.tasks[2].phases[0].bytes, 2 << 20);
	ck_assert_uint_eq(w.tasks[2].phases[1].bytes, 2 << 20);
	ck_assert(!fz_workload_does(&w, FZ_SIM_SLEEP_POISSON));
	ck_assert_int_eq(fz_workload_add_wakers(&w, FZ_SIM_RT, MS), 0);
	ck_assert_uint_eq(w.nr_tasks, 6);
	ck_assert(fz_workload_does(&w, FZ_SIM_SLEEP_POISSON));
	ck_assert_uint_eq(w.tasks[2].class, FZ_SIM_RT);
	ck_assert_uint_eq(w.tasks[2].cpu, 2);
	ck_assert_uint_eq(w.tasks[2].phases[0].ns, MS);
	ck_assert(w.tasks[2].background);
	ck_assert_str_eq(w.tasks[5].name, "writer");
	ck_assert_uint_eq(w.tasks[5].cpu, 2);
	ck_assert(is_sane(&w));
	ck_assert_int_eq(fz_workload_check_end(&w, NULL), 0);
	fz_workload_fini(&w);
}
END_TEST

static void fault(struct fz_folio_sink sink, uint32_t pid, uint64_t page,
		  uint64_t time_ns)
{
	const struct fz_folio_fault folio = {
		.order = 9, .page = page, .pid = pid, .time_ns = time_ns
	};

	ck_assert_int_eq(sink.fault(sink.state, &folio, NULL), 0);
}

START_TEST(recorded_faults)
{
	struct fz_workload w = { .nr_cpus = 2 };
	struct fz_workload_trace *trace = NULL;
	struct fz_folio_sink sink;

	ck_assert_int_eq(fz_workload_trace_open(&trace), 0);
	sink = fz_workload_trace_sink(trace);
	fault(sink, 70, 1, 1000);
	fault(sink, 50, 2, 1500);
	fault(sink, 70, 3, 1000);
	fault(sink, 70, 4, 9000);
	fault(sink, 60, 5, 9500);
	ck_assert_int_eq(fz_workload_trace_finish(trace, &w, 1000), 0);
	fz_workload_trace_close(trace);

	ck_assert_uint_eq(w.nr_tasks, 3);
	ck_assert_str_eq(w.tasks[0].name, "pid 70");
	ck_assert_str_eq(w.tasks[1].name, "pid 50");
	ck_assert_str_eq(w.tasks[2].name, "pid 60");
	ck_assert_uint_eq(w.tasks[0].cpu, 0);
	ck_assert_uint_eq(w.tasks[1].cpu, 1);
	ck_assert_uint_eq(w.tasks[2].cpu, 0);
	ck_assert_uint_eq(w.tasks[0].start_ns, 0);
	ck_assert_uint_eq(w.tasks[1].start_ns, 500);
	ck_assert_uint_eq(w.tasks[2].start_ns, 8500);
	ck_assert_uint_eq(w.tasks[0].nr_phases, 4);
	ck_assert_uint_eq(w.tasks[0].phases[0].op, FZ_SIM_FAULT);
	ck_assert_uint_eq(w.tasks[0].phases[0].bytes, 2 << 20);
	ck_assert_uint_eq(w.tasks[0].phases[0].fault_page, 1);
	/* At the time of the first one: no sleep. */
	ck_assert_uint_eq(w.tasks[0].phases[1].fault_page, 3);
	ck_assert_uint_eq(w.tasks[0].phases[2].op, FZ_SIM_SLEEP_UNTIL);
	ck_assert_uint_eq(w.tasks[0].phases[2].ns, 8000);
	ck_assert_uint_eq(w.tasks[0].phases[3].fault_page, 4);
	ck_assert_uint_eq(w.tasks[1].nr_phases, 1);
	ck_assert(is_sane(&w));
	fz_workload_fini(&w);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("workload");
	TCase *tcase = tcase_create("workload");

	tcase_add_test(tcase, the_good_one_is_read);
	tcase_add_test(tcase, cpus_from_outside);
	tcase_add_loop_test(tcase, wrong_ones_are_refused, 0, NR(wrong));
	tcase_add_test(tcase, cut_short);
	tcase_add_loop_test(tcase, mutations, 0, 2);
	tcase_add_test(tcase, files_that_cannot_be_read);
	tcase_add_loop_test(tcase, there_is_an_end, 0, NR(ends));
	tcase_add_test(tcase, built_in_ones);
	tcase_add_test(tcase, recorded_faults);
	suite_add_tcase(suite, tcase);
	return suite;
}
