// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs and nodes threads and memory may go to, and in which order. */
#include <fz/places.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "hw.h"

/* Of a list in a message; the rest of the message is shorter than this too. */
#define TEXT_BYTES (FZ_ERR_MSG_BYTES / 2)

struct fz_places {
	hwloc_topology_t hw;
	hwloc_bitmap_t allowed;
};

int fz_places_open(struct fz_places **out, struct fz_err *err)
{
	struct fz_places *places = malloc(sizeof(*places));
	int code;

	if (!places)
		return fz_err_set(err, -ENOMEM, "out of memory");
	code = fz_hw_load(&places->hw,
			  HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
				  HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING,
			  err);
	if (code)
		goto err_free;
	places->allowed = fz_hw_allowed(places->hw);
	if (!places->allowed) {
		code = fz_err_set(err, -ENOMEM, "out of memory");
		goto err_destroy;
	}
	*out = places;
	return 0;

err_destroy:
	hwloc_topology_destroy(places->hw);
err_free:
	free(places);
	return code;
}

void fz_places_close(struct fz_places *places)
{
	if (!places)
		return;
	hwloc_bitmap_free(places->allowed);
	hwloc_topology_destroy(places->hw);
	free(places);
}

static const char *why_not(const struct fz_places *places, unsigned int cpu)
{
	hwloc_topology_t hw = places->hw;

	if (!hwloc_bitmap_isset(hwloc_topology_get_complete_cpuset(hw), cpu))
		return "does not exist";
	if (!hwloc_bitmap_isset(hwloc_topology_get_topology_cpuset(hw), cpu))
		return "is offline";
	if (!hwloc_bitmap_isset(hwloc_topology_get_allowed_cpuset(hw), cpu))
		return "is outside the cpuset";
	return "is outside the affinity mask of this thread";
}

int fz_places_check_cpus(const struct fz_places *places,
			 const struct fz_cpu_list *list, struct fz_err *err)
{
	char text[TEXT_BYTES];

	for (size_t i = 0; i < list->nr; i++) {
		const unsigned int cpu = list->cpu[i];

		if (hwloc_bitmap_isset(places->allowed, cpu))
			continue;
		fz_hw_text(places->allowed, text, sizeof(text));
		return fz_err_set(err, -EINVAL, "cpu %u %s; allowed here: %s",
				  cpu, why_not(places, cpu), text);
	}
	return 0;
}

static hwloc_obj_t find_node(const struct fz_places *places, unsigned int node)
{
	return hwloc_get_numanode_obj_by_os_index(places->hw, node);
}

int fz_places_check_node(const struct fz_places *places, unsigned int node,
			 struct fz_err *err)
{
	const hwloc_const_bitmap_t allowed =
		hwloc_topology_get_allowed_nodeset(places->hw);
	char text[TEXT_BYTES];

	if (find_node(places, node) && hwloc_bitmap_isset(allowed, node))
		return 0;
	fz_hw_text(allowed, text, sizeof(text));
	return fz_err_set(err, -EINVAL, "node %u %s; nodes allowed here: %s",
			  node,
			  find_node(places, node) ? "is outside the cpuset"
						  : "does not exist",
			  text);
}

/* Nodes that have memory and CPUs for this process. */
static void usable_nodes_text(const struct fz_places *places,
			      char text[TEXT_BYTES])
{
	hwloc_bitmap_t usable = hwloc_bitmap_alloc();
	hwloc_obj_t node = NULL;

	while (usable && (node = hwloc_get_next_obj_by_type(
				  places->hw, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_intersects(node->cpuset, places->allowed))
			hwloc_bitmap_set(usable, node->os_index);
	if (usable)
		hwloc_bitmap_and(
			usable, usable,
			hwloc_topology_get_allowed_nodeset(places->hw));
	text[0] = '\0';
	if (usable)
		fz_hw_text(usable, text, TEXT_BYTES);
	hwloc_bitmap_free(usable);
}

/* What a CPU is sorted by, the first difference decides; each CPU once. */
struct candidate {
	unsigned int in_core; /* CPUs of its core that come before it */
	bool not_here;        /* it is not the caller's */
	bool far;             /* its node is not the caller's */
	unsigned int order;   /* hwloc's */
	unsigned int cpu;
};

static int compare(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->in_core != y->in_core)
		return x->in_core < y->in_core ? -1 : 1;
	if (x->not_here != y->not_here)
		return x->not_here ? 1 : -1;
	if (x->far != y->far)
		return x->far ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Counts in the core of @pu; where hwloc knows no cores each CPU is one. */
static unsigned int count_before(const struct fz_places *places,
				 hwloc_const_bitmap_t from, hwloc_obj_t pu,
				 unsigned int here)
{
	const hwloc_obj_t core =
		hwloc_get_ancestor_obj_by_type(places->hw, HWLOC_OBJ_CORE, pu);
	hwloc_obj_t other = NULL;
	unsigned int nr = 0;

	if (!core || pu->os_index == here)
		return 0;
	while ((other = hwloc_get_next_obj_inside_cpuset_by_type(
			places->hw, core->cpuset, HWLOC_OBJ_PU, other)))
		if (hwloc_bitmap_isset(from, other->os_index))
			nr += other->os_index == here ||
			      other->logical_index < pu->logical_index;
	return nr;
}

static bool same_node(const struct fz_places *places, hwloc_obj_t pu,
		      unsigned int here)
{
	const hwloc_obj_t here_pu =
		hwloc_get_pu_obj_by_os_index(places->hw, here);

	return here_pu && hwloc_bitmap_isequal(pu->nodeset, here_pu->nodeset);
}

/* Into @candidates, [hwloc_bitmap_weight(from)]. */
static size_t sort_candidates(const struct fz_places *places,
			      hwloc_const_bitmap_t from, unsigned int here,
			      struct candidate *candidates)
{
	hwloc_obj_t pu = NULL;
	size_t nr = 0;

	while ((pu = hwloc_get_next_obj_by_type(places->hw, HWLOC_OBJ_PU, pu)))
		if (hwloc_bitmap_isset(from, pu->os_index))
			candidates[nr++] = (struct candidate){
				.in_core = count_before(places, from, pu, here),
				.not_here = pu->os_index != here,
				.far = !same_node(places, pu, here),
				.order = pu->logical_index,
				.cpu = pu->os_index,
			};
	qsort(candidates, nr, sizeof(*candidates), compare);
	return nr;
}

static int choose_from(const struct fz_places *places,
		       hwloc_const_bitmap_t from,
		       const struct fz_cpu_choice *choice,
		       struct fz_cpu_list *list, struct fz_err *err)
{
	struct candidate *candidates;
	size_t nr = (size_t)hwloc_bitmap_weight(from);

	candidates = malloc(nr * sizeof(*candidates));
	if (!candidates)
		return fz_err_set(err, -ENOMEM, "out of memory");
	nr = sort_candidates(places, from, choice->here, candidates);
	list->nr = choice->nr_threads < nr ? choice->nr_threads : nr;
	if (list->nr > FZ_MAX_CPUS_LISTED)
		list->nr = FZ_MAX_CPUS_LISTED;
	for (size_t i = 0; i < list->nr; i++)
		list->cpu[i] = candidates[i].cpu;
	free(candidates);
	return 0;
}

static int choose_on_node(const struct fz_places *places,
			  const struct fz_cpu_choice *choice,
			  struct fz_cpu_list *list, struct fz_err *err)
{
	hwloc_bitmap_t from;
	char text[TEXT_BYTES];
	int code = fz_places_check_node(places, choice->node, err);

	if (code)
		return code;
	from = hwloc_bitmap_dup(find_node(places, choice->node)->cpuset);
	if (!from)
		return fz_err_set(err, -ENOMEM, "out of memory");
	hwloc_bitmap_and(from, from, places->allowed);
	if (hwloc_bitmap_iszero(from)) {
		usable_nodes_text(places, text);
		code = fz_err_set(err, -EINVAL,
				  "node %u has no CPU that is allowed here; "
				  "nodes with such CPUs: %s",
				  choice->node, text);
	} else {
		code = choose_from(places, from, choice, list, err);
	}
	hwloc_bitmap_free(from);
	return code;
}

int fz_places_choose(const struct fz_places *places,
		     const struct fz_cpu_choice *choice,
		     struct fz_cpu_list *list, struct fz_err *err)
{
	assert(choice->nr_threads > 0);
	if (choice->has_node)
		return choose_on_node(places, choice, list, err);
	return choose_from(places, places->allowed, choice, list, err);
}
