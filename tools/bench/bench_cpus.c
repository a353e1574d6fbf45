// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses and checks the CPUs of a bench run. */
#include "bench_cpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/cpu_list.h>
#include <fz/places.h>

#include "command.h"

/* The main thread, and who disturbs it. */
#define WITHOUT_THREADS 2u

static unsigned int nr_wanted(const struct fz_bench_options *options)
{
	return options->nr_threads ? fz_bench_max_threads(options)
				   : WITHOUT_THREADS;
}

static int list_given(const struct fz_places *places,
		      const struct fz_bench_options *options,
		      struct fz_cpu_list *list, struct fz_err *err)
{
	const int code = fz_cpu_list_parse(options->cpus, list, err);

	return code ? code : fz_places_check_cpus(places, list, err);
}

/* As many different ones as there are. */
static int list_chosen(const struct fz_places *places,
		       const struct fz_bench_options *options,
		       const struct fz_hooks *hooks, struct fz_cpu_list *list,
		       struct fz_err *err)
{
	const struct fz_cpu_choice choice = {
		.nr_threads = nr_wanted(options),
		.here = hooks->cpu(hooks->state),
		.has_node = options->has_node,
		.node = (unsigned int)options->node,
	};

	return fz_places_choose(places, &choice, list, err);
}

/* What the user asked for and cannot have is a usage error. */
static int list_make(const struct fz_bench_options *options,
		     const struct fz_hooks *hooks, struct fz_cpu_list *list)
{
	struct fz_places *places;
	struct fz_err err = { "" };
	int code = fz_places_open(&places, &err);

	if (code) {
		fz_complain("%s", err.msg);
		return FZ_EXIT_FAILED;
	}
	if (options->has_node)
		code = fz_places_check_node(places, (unsigned int)options->node,
					    &err);
	if (!code)
		code = options->cpus ? list_given(places, options, list, &err)
				     : list_chosen(places, options, hooks, list,
						   &err);
	fz_places_close(places);
	if (!code)
		return FZ_EXIT_DONE;
	fz_complain("%s%s", options->cpus ? "--cpu: " : "", err.msg);
	return FZ_EXIT_USAGE;
}

static void deal(struct fz_bench_cpus *cpus, const struct fz_cpu_list *list,
		 unsigned int nr)
{
	cpus->nr = nr;
	for (unsigned int i = 0; i < nr; i++)
		cpus->cpu[i] = list->cpu[i % list->nr];
	cpus->nr_different = list->nr < nr ? (unsigned int)list->nr : nr;
}

static void warn(const struct fz_bench_options *options,
		 const struct fz_bench_cpus *cpus)
{
	if (options->nr_threads && cpus->nr_different < cpus->nr)
		fprintf(stderr,
			"foliosim: warning: %u threads on %u CPU%s: they take "
			"turns, and a thread's time holds the others' turns\n",
			cpus->nr, cpus->nr_different,
			cpus->nr_different == 1 ? "" : "s");
}

int fz_bench_cpus_choose(struct fz_bench_cpus *cpus,
			 const struct fz_bench_options *options,
			 const struct fz_hooks *hooks)
{
	struct fz_cpu_list *list = calloc(1, sizeof(*list));
	int status;

	if (!list) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	status = list_make(options, hooks, list);
	if (!status) {
		deal(cpus, list, nr_wanted(options));
		warn(options, cpus);
	}
	free(list);
	return status;
}

int fz_bench_cpus_pin(const struct fz_bench_cpus *cpus,
		      const struct fz_bench_options *options,
		      const struct fz_hooks *hooks)
{
	const int code = hooks->pin(hooks->state, cpus->cpu[0]);

	if (!code)
		return FZ_EXIT_DONE;
	if (!options->cpus) {
		fprintf(stderr, "foliosim: note: cannot pin to CPU %u: %s\n",
			cpus->cpu[0], strerror(-code));
		return FZ_EXIT_DONE;
	}
	fz_complain("--cpu %u: %s", cpus->cpu[0], strerror(-code));
	return FZ_EXIT_USAGE;
}
