// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory to measure loads in. */
#include "pass.h"

#include "latency.h"
#include "memory_available.h"

/* Working sets of more take too long, wherever they come from. */
#define MAX_SET_BYTES ((uint64_t)512 << 20)
/* Of what the machine can spare. */
#define MEMORY_SHARE 4u

/* On transparent huge pages, so that a TLB miss is not taken for a far load. */
static int open_memory(struct pass *pass, uint64_t bytes, struct fz_err *err)
{
	const int code =
		fz_buffer_open_large(&pass->memory, pass->bench->hooks,
				     pass->params->thp_bytes, bytes, err);

	if (code)
		return code;
	pass->probe->page = fz_buffer_page(pass->memory);
	pass->probe->page.bytes = fz_buffer_backing(pass->memory).page_bytes;
	return 0;
}

static uint64_t largest_set(const struct fz_hooks *hooks)
{
	const uint64_t share = fz_memory_available(hooks) / MEMORY_SHARE;

	return share < MAX_SET_BYTES ? share : MAX_SET_BYTES;
}

/* The sets of the levels are the largest, and gone when those of victims
 * come. */
static uint64_t memory_bytes(const struct fz_levels *levels)
{
	const uint64_t victims = victim_bytes(levels);
	uint64_t bytes = 0;

	for (size_t i = 0; i < levels->nr; i++)
		if (levels->level[i].set_bytes > bytes)
			bytes = levels->level[i].set_bytes;
	return victims > bytes ? victims : bytes;
}

int pass_measure_levels(struct pass *pass, struct fz_err *err)
{
	const struct fz_hooks *hooks = pass->bench->hooks;
	struct fz_levels *levels = &pass->probe->levels;
	char *base;
	int code;

	fz_levels_plan(levels, pass->params->topology, largest_set(hooks));
	code = open_memory(pass, memory_bytes(levels), err);
	if (code)
		return code;
	base = fz_buffer_base(pass->memory);
	pass->probe->clock_ticks = chase_clock_ticks(hooks);
	code = latency_measure(levels, base, pass->lines,
			       pass->probe->clock_ticks, &pass->random, hooks,
			       pass->bench->stop);
	if (code)
		return fz_err_set(err, code, FZ_STOPPED);
	if (pass->probe->wanted[FZ_PROBE_VICTIM])
		victim_sets_build(&pass->sets, pass->probe, base, pass->lines,
				  &pass->random);
	return 0;
}
