// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading what disturbs a measurement. */
#include <fz/noise.h>

#include <inttypes.h>
#include <stdio.h>

#define UNKNOWN UINT64_MAX

/* /proc/stat counts in USER_HZ, which is 100 on every architecture here. */
#define MS_PER_USER_TICK 10u

static uint64_t steal_ms(const struct fz_hooks *hooks)
{
	uint64_t steal;
	char text[256];

	if (fz_read_text(hooks, "/proc/stat", text, sizeof(text)) < 0)
		return UNKNOWN;
	/* cpu user nice system idle iowait irq softirq steal … */
	if (sscanf(text, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &steal) !=
	    1)
		return UNKNOWN;
	if (steal > UINT64_MAX / MS_PER_USER_TICK)
		return UNKNOWN;
	return steal * MS_PER_USER_TICK;
}

void fz_noise_read_thread(const struct fz_hooks *hooks,
			  struct fz_noise_reading *reading)
{
	reading->cpu = hooks->cpu(hooks->state);
	if (hooks->usage(hooks->state, &reading->usage))
		reading->usage = (struct fz_usage){ UNKNOWN, UNKNOWN };
}

struct fz_noise_reading fz_noise_read(const struct fz_hooks *hooks)
{
	struct fz_noise_reading reading = { .steal_ms = steal_ms(hooks) };

	fz_noise_read_thread(hooks, &reading);
	return reading;
}

static uint64_t increase(uint64_t before, uint64_t after)
{
	if (before == UNKNOWN || after == UNKNOWN)
		return UNKNOWN;
	return after > before ? after - before : 0;
}

struct fz_noise fz_noise_between(const struct fz_noise_reading *before,
				 const struct fz_noise_reading *after)
{
	return (struct fz_noise){
		.steal_ms = increase(before->steal_ms, after->steal_ms),
		.involuntary_switches =
			increase(before->usage.involuntary_switches,
				 after->usage.involuntary_switches),
		.migrations = before->cpu != after->cpu,
		.minor_faults = increase(before->usage.minor_faults,
					 after->usage.minor_faults),
	};
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a + b;
}

void fz_noise_add(struct fz_noise *sum, const struct fz_noise *noise)
{
	sum->steal_ms = sum_of(sum->steal_ms, noise->steal_ms);
	sum->involuntary_switches =
		sum_of(sum->involuntary_switches, noise->involuntary_switches);
	sum->migrations += noise->migrations;
	sum->minor_faults = sum_of(sum->minor_faults, noise->minor_faults);
}
