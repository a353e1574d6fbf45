// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine of a simulation: its profile, and what is assumed beyond it. */
#include "simulation.h"

#include <string.h>

#include "note.h"

static int assume(struct fz_simulation *s)
{
	struct fz_profile *profile = &s->profile.profile;
	struct fz_err err = { "" };

	for (size_t i = 0; i < s->options.nr_sets; i++) {
		if (fz_profile_set(profile, s->options.sets[i], s->assumed[i],
				   &err)) {
			fz_complain("--set: %s", err.msg);
			return FZ_EXIT_USAGE;
		}
		for (size_t j = 0; j < i; j++) {
			if (strcmp(s->assumed[i], s->assumed[j]) != 0)
				continue;
			fz_complain("--set: '%s' is given twice",
				    s->assumed[i]);
			return FZ_EXIT_USAGE;
		}
	}
	if (!s->options.nr_sets || !fz_profile_check(profile, &err))
		return FZ_EXIT_DONE;
	fz_complain("--set: %s", err.msg);
	return FZ_EXIT_FAILED;
}

static int unknown_clear(const struct fz_profile *profile, const char *option,
			 const char *name)
{
	struct fz_note known = { .used = 0 };

	for (size_t i = 0; i < profile->nr_clears; i++)
		fz_note_add(&known, "%s%s", i ? ", " : "",
			    profile->clears[i].name);
	fz_complain("%s: profile '%s' has no clear primitive '%.100s': known "
		    "are %s",
		    option, profile->name, name, known.text);
	return FZ_EXIT_USAGE;
}

static int choose_clears(struct fz_simulation *s)
{
	const struct fz_profile *profile = &s->profile.profile;
	const struct fz_simulate_options *o = &s->options;

	s->prices = fz_prices_of(profile);
	if (o->clear) {
		s->prices.cached = fz_profile_clear_find(profile, o->clear);
		if (!s->prices.cached)
			return unknown_clear(profile, "--clear", o->clear);
	}
	if (!o->stream)
		return FZ_EXIT_DONE;
	s->prices.streaming = fz_profile_clear_find(profile, o->stream);
	if (!s->prices.streaming)
		return unknown_clear(profile, "--stream-clear", o->stream);
	if (s->prices.streaming->streaming)
		return FZ_EXIT_DONE;
	fz_complain("--stream-clear: '%s' does not stream", o->stream);
	return FZ_EXIT_USAGE;
}

int fz_simulation_find_profile(struct fz_simulation *s)
{
	int status = fz_profile_find(&s->profile, s->options.profile);

	if (!status)
		status = assume(s);
	return status ? status : choose_clears(s);
}

/* Keys without a number: "hz, memory.bps", and the first of them. */
struct missing {
	struct fz_note keys;
	char first[FZ_PROFILE_KEY_BYTES];
};

static void need(struct missing *missing, const struct fz_profile *profile,
		 const char *key)
{
	if (fz_profile_knows(profile, key))
		return;
	if (!missing->keys.used)
		snprintf(missing->first, sizeof(missing->first), "%s", key);
	fz_note_add(&missing->keys, "%s%s", missing->keys.used ? ", " : "",
		    key);
}

static void need_of_clear(struct missing *missing,
			  const struct fz_profile *profile,
			  const struct fz_profile_clear *clear,
			  bool interrupted)
{
	static const char *const always[] = { "call_ns.up", "call_ns.down",
					      "call_ns.other", "bps" };
	static const char *const elided[] = { "elided_bps", "elided_share" };
	char key[FZ_PROFILE_KEY_BYTES];

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		snprintf(key, sizeof(key), "%s.%s", clear->name, always[i]);
		need(missing, profile, key);
	}
	for (size_t i = 0; i < sizeof(elided) / sizeof(elided[0]); i++) {
		snprintf(key, sizeof(key), "%s.%s", clear->name, elided[i]);
		if (clear->threshold_bytes)
			need(missing, profile, key);
	}
	snprintf(key, sizeof(key), "%s.interrupted_ns", clear->name);
	if (interrupted)
		need(missing, profile, key);
}

static void need_of_rows(struct missing *missing, const struct fz_simulation *s)
{
	bool streams = false, interrupts = false, interrupts_stream = false;

	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct fz_simulated_row *row = &s->rows[i];
		const bool is = fz_preempt_is_preemptible(row->preempt);

		interrupts |= is;
		if (row->status == FZ_SIMULATED_UNSUPPORTED)
			continue;
		streams |= row->streams;
		interrupts_stream |= row->streams && is;
	}
	if (s->prices.cached)
		need_of_clear(missing, s->prices.profile, s->prices.cached,
			      interrupts);
	if (streams)
		need_of_clear(missing, s->prices.profile, s->prices.streaming,
			      interrupts_stream);
}

int fz_simulation_check_profile(const struct fz_simulation *s)
{
	static const char *const always[] = {
		"fault_ns",
		"point_ns",
		"switch_ns",
		"irq_ns",
		"hz",
		"nr_nodes",
		"memory.bps",
		"memory.allocate_cost",
		"memory.stream_cost",
	};
	const struct fz_profile *profile = &s->profile.profile;
	struct missing missing = { .keys.used = 0 };

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		need(&missing, profile, always[i]);
	if (fz_workload_does(&s->workload, FZ_SIM_ACCESS)) {
		need(&missing, profile, "memory.read_bps");
		need(&missing, profile, "memory.read_cost");
	}
	need_of_rows(&missing, s);
	if (!missing.keys.used)
		return FZ_EXIT_DONE;
	fz_complain("profile '%s' does not say %s: say it in a profile "
		    "of your own, or assume it with --set KEY=VALUE, for "
		    "example --set %s=%s",
		    s->options.profile, missing.keys.text, missing.first,
		    fz_profile_example(missing.first));
	return FZ_EXIT_FAILED;
}
