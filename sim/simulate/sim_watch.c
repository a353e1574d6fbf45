// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells an endless simulation from a long one. */
#include "sim_watch.h"

static bool has_ended(const struct fz_sim_player *player)
{
	return player->task->loops && player->loops == player->task->loops;
}

/* One that has never run yet has nothing else to be told by. */
static bool sleeps(const struct fz_sim_player *player)
{
	return player->fresh ||
	       (!player->has_work && player->woken_ns == FZ_NEVER_NS &&
		(player->loops || player->phase));
}

static double left_ns(const struct fz_sim_player *player)
{
	return player->has_work ? fz_work_ns(&player->work) - player->done_ns
				: 0;
}

static bool got_on(const struct fz_sim_player *player)
{
	const struct fz_sim_mark *mark = &player->mark;

	return sleeps(player) || player->loops != mark->loops ||
	       player->phase != mark->phase ||
	       player->next_work != mark->next_work ||
	       left_ns(player) < mark->left_ns;
}

static bool is_stuck(struct fz_sim *sim, struct fz_sim_player *player)
{
	const uint64_t pick = sim->cpus[player->task->cpu].pick;

	if (got_on(player))
		player->mark = (struct fz_sim_mark){
			.loops = player->loops,
			.phase = player->phase,
			.next_work = player->next_work,
			.left_ns = left_ns(player),
			.pick = pick,
		};
	return pick - player->mark.pick >
	       FZ_SIM_MAX_PICKS + sim->params->nr_tasks;
}

uint32_t fz_sim_watch(struct fz_sim *sim)
{
	uint32_t stuck = FZ_NO_TASK;

	for (uint32_t i = 0; i < sim->params->nr_tasks; i++) {
		struct fz_sim_player *player = &sim->players[i];

		if (player->task->background || has_ended(player))
			continue;
		if (!is_stuck(sim, player))
			return FZ_NO_TASK;
		stuck = i;
	}
	return stuck;
}
