// SPDX-License-Identifier: GPL-2.0-or-later
/* Workloads: read from JSON, built in, and made of recorded faults. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/random.h>

#include "fz_test.h"
#include "made_workloads.h"
#include "mutate_json.h"
#include "workload_made.h"
#include "workload_read.h"
#include "workload_trace.h"

#define NR(a) (int)(sizeof(a) / sizeof((a)[0]))
#define MS    1000000ull

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
	char *text = changed_json(good_workload, 0, "worker", "worker");
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
	ck_assert_int_eq(fz_workload_check_end(&w, 1500, &err), 0);
	fz_workload_fini(&w);
	free(text);
}
END_TEST

/* --cpus is used instead of what the document says. */
START_TEST(cpus_from_outside)
{
	struct fz_workload w = { .nr_cpus = 8 }, few = { .nr_cpus = 3 };
	char *text = changed_json(good_workload, 0, "'cpus':4,", "");
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

START_TEST(wrong_ones_are_refused)
{
	char *text =
		changed_json(good_workload, wrong_workloads[_i].nth,
			     wrong_workloads[_i].from, wrong_workloads[_i].to);
	struct fz_workload w = { .nr_cpus = 0 };
	struct fz_err err = { "" };

	ck_assert_int_eq(parse(&w, text, &err), -EBADMSG);
	ck_assert_msg(is_sentence(err.msg), "%s", err.msg);
	ck_assert_msg(strstr(err.msg, wrong_workloads[_i].says) != NULL, "%s",
		      err.msg);
	fz_workload_fini(&w);
	free(text);
}
END_TEST

START_TEST(cut_short)
{
	char *text = changed_json(good_workload, 0, "worker", "worker");
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
	char *text = changed_json(good_workload, 0, "worker", "worker");

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

#define BESIDE_A(program)                                  \
	"{'name':'a','program':[{'compute':'1us'}]},"      \
	"{'name':'b','class':'rt','priority':1,'loops':0," \
	"'program':[" program "]}"

/* One CPU, one or two tasks, a switch takes 1.5 us: who lets whom end? */
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
	  "task 'b' never leaves CPU 0 to task 'a': let it sleep longer" },
	{ BESIDE_A("{'compute':'1us'},{'sleep':'1501ns'}"), NULL },
	{ BESIDE_A("{'compute':'1us'},{'sleep':'1500ns'}"),
	  "task 'b' never leaves CPU 0" },
	{ BESIDE_A("{'compute':'9us'},{'sleep':{'period':'2us'}}"), NULL },
	{ BESIDE_A("{'compute':'9ns'},{'sleep':{'period':'1us'}}"),
	  "task 'b' never leaves CPU 0" },
	{ BESIDE_A("{'sleep':'1us'},{'fault':'4K'},{'sleep':'1s'}"), NULL },
	{ BESIDE_A("{'compute':'1us'},{'sleep':{'poisson':'41ns'}}"), NULL },
	{ BESIDE_A("{'compute':'1us'},{'sleep':{'poisson':'40ns'}}"),
	  "task 'b' never leaves CPU 0" },
	{ "{'name':'a','class':'rt','priority':2,"
	  "'program':[{'compute':'1us'}]},"
	  "{'name':'b','class':'rt','priority':1,'loops':0,"
	  "'program':[{'compute':'1us'}]}",
	  NULL },
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
	ck_assert_int_eq(fz_workload_check_end(&w, 1500, &err),
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
	ck_assert_int_eq(fz_workload_check_end(&w, 1500, NULL), 0);
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
	tcase_add_loop_test(tcase, wrong_ones_are_refused, 0,
			    (int)nr_wrong_workloads);
	tcase_add_test(tcase, cut_short);
	tcase_add_loop_test(tcase, mutations, 0, 2);
	tcase_add_test(tcase, files_that_cannot_be_read);
	tcase_add_loop_test(tcase, there_is_an_end, 0, NR(ends));
	tcase_add_test(tcase, built_in_ones);
	tcase_add_test(tcase, recorded_faults);
	suite_add_tcase(suite, tcase);
	return suite;
}
