// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine object of the JSON documents. */
#include "machine_json.h"

#include <string.h>

#include "json_value.h"

static json_t *finding_json(const struct fz_finding *finding)
{
	const char *basis = finding->basis[0] ? finding->basis : "unknown";

	return json_pack("{s:o, s:o}", "value", fz_json_known(finding->value),
			 "basis", fz_json_text(basis));
}

static json_t *caches_json(const struct fz_topology *topology)
{
	json_t *caches = json_array();

	for (size_t i = 0; i < topology->nr_caches; i++) {
		const struct fz_cpu_cache *cache = &topology->caches[i];

		json_array_append_new(
			caches,
			json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name",
				  fz_json_text(cache->name), "bytes",
				  fz_json_known_count(cache->bytes),
				  "line_bytes",
				  fz_json_known_count(cache->line_bytes),
				  "ways", fz_json_known_count(cache->ways),
				  "cpus", fz_json_known_count(cache->nr_cpus),
				  "instances", fz_json_known_count(cache->nr)));
	}
	return caches;
}

static json_t *numa_json(const struct fz_topology *topology)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "nodes",
			 fz_json_known_count(topology->nr_nodes), "cpus",
			 fz_json_known_count(topology->nr_cpus), "cores",
			 fz_json_known_count(topology->nr_cores), "packages",
			 fz_json_known_count(topology->nr_packages),
			 "allowed_cpus", fz_json_known(topology->allowed_cpus));
}

static json_t *thp_json(const struct fz_machine *machine)
{
	json_t *sizes = json_array();

	for (size_t i = 0; i < machine->nr_mthp; i++)
		json_array_append_new(
			sizes,
			json_pack("{s:o, s:o}", "bytes",
				  fz_json_count(machine->mthp[i].bytes),
				  "enabled",
				  fz_json_known(machine->mthp[i].enabled)));
	return json_pack("{s:o, s:o, s:o, s:o}", "enabled",
			 fz_json_known(machine->thp_enabled), "defrag",
			 fz_json_known(machine->thp_defrag), "pmd_bytes",
			 fz_json_known_count(machine->thp_pmd_bytes), "mthp",
			 sizes);
}

static json_t *pool_nodes_json(const struct fz_pool *pool)
{
	json_t *nodes = json_array();

	for (size_t i = 0; i < pool->nr_nodes; i++) {
		const struct fz_pool_node *node = &pool->nodes[i];

		json_array_append_new(
			nodes, json_pack("{s:o, s:o, s:o}", "node",
					 fz_json_count(node->node), "total",
					 fz_json_count(node->total), "free",
					 fz_json_count(node->free)));
	}
	return nodes;
}

static json_t *pools_json(const struct fz_pools *pools)
{
	json_t *array = json_array();

	for (size_t i = 0; i < pools->nr; i++) {
		const struct fz_pool *pool = &pools->pool[i];

		json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
				  "page_bytes", fz_json_count(pool->page_bytes),
				  "total", fz_json_count(pool->total), "free",
				  fz_json_count(pool->free), "reserved",
				  fz_json_count(pool->reserved), "surplus",
				  fz_json_count(pool->surplus), "overcommit",
				  fz_json_count(pool->overcommit), "nodes",
				  pool_nodes_json(pool)));
	}
	return array;
}

static json_t *clock_json(const struct fz_machine *machine)
{
	return json_pack("{s:o, s:o, s:o}", "ticks",
			 fz_json_known(machine->clock), "clocksource",
			 fz_json_known(machine->clocksource), "hz",
			 fz_json_known_count(machine->hz));
}

static json_t *pmu_json(const struct fz_machine *machine)
{
	const int paranoid = machine->perf_event_paranoid;

	return json_pack(
		"{s:b, s:o, s:o}", "available", machine->has_pmu, "detail",
		fz_json_known(machine->pmu), "perf_event_paranoid",
		paranoid == INT32_MIN ? json_null() : json_integer(paranoid));
}

static json_t *features_json(const char *features)
{
	json_t *array = json_array();
	const char *word = features + strspn(features, " ");

	while (*word) {
		const size_t len = strcspn(word, " ");

		json_array_append_new(array, json_stringn(word, len));
		word += len;
		word += strspn(word, " ");
	}
	return array;
}

/* The names of the contract first, then what helps to read them. */
json_t *fz_machine_json(const struct fz_machine *machine)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b,"
		" s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"cpu", fz_json_known(machine->cpu), "kernel",
		fz_json_known(machine->kernel), "preempt_mode",
		finding_json(&machine->preempt_mode), "kernel_policy",
		finding_json(&machine->kernel_policy), "init_on_alloc",
		finding_json(&machine->init_on_alloc), "caches",
		caches_json(&machine->topology), "numa",
		numa_json(&machine->topology), "thp", thp_json(machine),
		"hugetlb_pools", pools_json(&machine->pools), "clock",
		clock_json(machine), "pmu", pmu_json(machine), "virtualised",
		machine->virtualised, "base_policy",
		finding_json(&machine->base_policy), "kernel_full",
		fz_json_known(machine->kernel_full), "uarch",
		fz_json_known(machine->uarch), "features",
		features_json(machine->features), "governor",
		fz_json_known(machine->governor), "hypervisor",
		fz_json_known(machine->hypervisor), "steal_ms",
		fz_json_count(machine->steal_ms));
}
