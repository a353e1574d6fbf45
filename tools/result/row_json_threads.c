// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of a row about its threads: how they scale, and where they ran. */
#include "row_json_parts.h"

#include "json_value.h"

json_t *fz_row_scaling_json(const struct fz_row_subject *s)
{
	const struct fz_ratio *scaling = &s->figures->scaling;
	const struct fz_row *base = s->figures->scaling_base;
	const bool has = base != NULL;

	return json_pack("{s:o, s:o, s:o, s:o}", "base_id",
			 has ? fz_row_id_json(s->result, base) : json_null(),
			 "median",
			 fz_json_if(has, fz_json_real(scaling->median)), "ci95",
			 fz_interval_json(has, &scaling->ci95), "rounds",
			 fz_json_if(has, fz_json_count(scaling->rounds)));
}

json_t *fz_row_phases_json(const struct fz_figures *figures)
{
	const struct fz_phases *p = &figures->phases;
	const bool has = figures->has_phases;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "zero_s",
			 fz_json_if(has, fz_json_real(p->zero_s)), "use_s",
			 fz_json_if(has, fz_json_real(p->use_s)),
			 "zero_threads_s",
			 fz_json_if(has, fz_json_real(p->zero_threads_s)),
			 "use_threads_s",
			 fz_json_if(has, fz_json_real(p->use_threads_s)),
			 "zero_share_pct",
			 fz_json_if(has, fz_json_real(p->zero_share_pct)));
}

static json_t *cpus_json(const struct fz_row *data, unsigned int thread)
{
	const unsigned int nr_threads = fz_row_nr_buffers(&data->config);
	json_t *cpus = json_array();

	for (size_t i = 0; i < data->rounds; i++)
		json_array_append_new(
			cpus,
			json_integer(
				data->threads[i * nr_threads + thread].cpu));
	return cpus;
}

static json_t *nodes_json(const struct fz_row *data, unsigned int thread)
{
	const struct fz_page_nodes *found =
		data->nodes ? &data->nodes[thread] : NULL;
	json_t *nodes = json_array();

	for (size_t i = 0; found && i < found->nr; i++) {
		const struct fz_node_pages *on = &found->nodes[i];

		json_array_append_new(
			nodes, json_pack("{s:i, s:o}", "node", (int)on->node,
					 "pages", fz_json_count(on->pages)));
	}
	return nodes;
}

/* One entry a thread; none where nothing ran. */
json_t *fz_row_placement_json(const struct fz_row *data)
{
	const unsigned int nr = data->rounds && data->config.engine->zero
					? fz_row_nr_buffers(&data->config)
					: 0;
	json_t *array = json_array();

	for (unsigned int i = 0; i < nr; i++)
		json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:o}", "cpus", cpus_json(data, i),
				  "nodes", nodes_json(data, i), "median_bps",
				  fz_json_real(fz_thread_bps(data, i))));
	return array;
}
