// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine as a block of text to paste into a report. */
#include "machine_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <fz/clear.h>
#include <fz/units.h>

#include "note.h"
#include "view.h"

/* Mails and commit messages are 72 columns wide. */
#define WIDTH     72
#define KEY_WIDTH 19
#define KEY_BYTES 64

struct size_text {
	char text[FZ_FORMAT_BYTES];
};

static struct size_text size_of(uint64_t bytes)
{
	struct size_text size;

	fz_format_bytes(size.text, sizeof(size.text), bytes);
	return size;
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static const char *known(const char *text)
{
	return text[0] ? text : "unknown";
}

/* Words of a value behind the key; lines that follow are indented as far. */
static void print_wrapped(FILE *out, char *value)
{
	int column = KEY_WIDTH;
	char *rest, *word = strtok_r(value, " \t\n", &rest);

	for (bool first = true; word; first = false) {
		const int length = (int)strlen(word);

		if (!first && column + 1 + length > WIDTH) {
			fprintf(out, "\n%*s%s", KEY_WIDTH, "", word);
			column = KEY_WIDTH + length;
		} else {
			fprintf(out, "%s%s", first ? "" : " ", word);
			column += length + !first;
		}
		word = strtok_r(NULL, " \t\n", &rest);
	}
	fputc('\n', out);
}

__attribute__((format(printf, 3, 4))) static void
fact(FILE *out, const char *key, const char *format, ...)
{
	const int used = (int)strlen(key);
	char value[FZ_NOTE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	fprintf(out, "%s:%*s", key,
		used < KEY_WIDTH - 1 ? KEY_WIDTH - 1 - used : 1, "");
	print_wrapped(out, value);
}

static void found(FILE *out, const char *key, const struct fz_finding *finding)
{
	if (finding->value[0])
		fact(out, key, "%s (%s)", finding->value, finding->basis);
	else
		fact(out, key, "unknown");
}

static void print_cpu(FILE *out, const struct fz_machine *machine)
{
	const struct fz_topology *t = &machine->topology;

	fact(out, "cpu", "%s", known(machine->cpu));
	fact(out, "cpu id", "%s", known(machine->uarch));
	fact(out, "cpu features", "%s", known(machine->features));
	if (!t->nr_cpus) {
		fact(out, "cpus", "unknown");
		return;
	}
	fact(out, "cpus", "%u in %u core%s, %u package%s, %u NUMA node%s",
	     t->nr_cpus, t->nr_cores, plural(t->nr_cores), t->nr_packages,
	     plural(t->nr_packages), t->nr_nodes, plural(t->nr_nodes));
	fact(out, "allowed cpus", "%s", known(t->allowed_cpus));
}

static void print_cache(FILE *out, const struct fz_cpu_cache *cache)
{
	struct fz_note note = { .used = 0 };
	char key[KEY_BYTES];

	fz_note_add(&note, "%u x %s", cache->nr,
		    cache->bytes ? size_of(cache->bytes).text : "unknown");
	if (cache->ways)
		fz_note_add(&note, ", %u-way", cache->ways);
	if (cache->line_bytes)
		fz_note_add(&note, ", %u-byte lines", cache->line_bytes);
	if (cache->nr_cpus)
		fz_note_add(&note, ", %u cpu%s each", cache->nr_cpus,
			    plural(cache->nr_cpus));
	snprintf(key, sizeof(key), "%s cache", cache->name);
	fact(out, key, "%s", note.text);
}

static void print_caches(FILE *out, const struct fz_topology *topology)
{
	if (!topology->nr_caches)
		fact(out, "caches", "unknown");
	for (size_t i = 0; i < topology->nr_caches; i++)
		print_cache(out, &topology->caches[i]);
}

static void print_kernel(FILE *out, const struct fz_machine *machine)
{
	fact(out, "kernel", "%s", known(machine->kernel_full));
	found(out, "preempt mode", &machine->preempt_mode);
	found(out, "zeroes huge pages", &machine->kernel_policy);
	found(out, "zeroes 4K pages", &machine->base_policy);
	fact(out, "clears with", "%s (kernel's choice on this cpu)",
	     machine->kernel_clear->name);
	found(out, "init_on_alloc", &machine->init_on_alloc);
	if (machine->hz)
		fact(out, "HZ", "%u", machine->hz);
	else
		fact(out, "HZ", "unknown");
}

static void print_thp(FILE *out, const struct fz_machine *machine)
{
	struct fz_note sizes = { .used = 0 };

	if (machine->thp_enabled[0])
		fact(out, "THP", "%s, defrag %s, %s", machine->thp_enabled,
		     known(machine->thp_defrag),
		     machine->thp_pmd_bytes
			     ? size_of(machine->thp_pmd_bytes).text
			     : "size unknown");
	else
		fact(out, "THP", "unknown");
	for (size_t i = 0; i < machine->nr_mthp; i++)
		fz_note_add(&sizes, "%s=%s ",
			    size_of(machine->mthp[i].bytes).text,
			    known(machine->mthp[i].enabled));
	fact(out, "mTHP", "%s", machine->nr_mthp ? sizes.text : "none");
}

static void print_pool(FILE *out, const struct fz_pool *pool)
{
	char key[KEY_BYTES];

	snprintf(key, sizeof(key), "hugetlb %s",
		 size_of(pool->page_bytes).text);
	fact(out, key,
	     "%" PRIu64 " total, %" PRIu64 " free, %" PRIu64
	     " reserved, %" PRIu64 " surplus, %" PRIu64 " overcommit",
	     pool->total, pool->free, pool->reserved, pool->surplus,
	     pool->overcommit);
	for (size_t i = 0; i < pool->nr_nodes; i++) {
		const struct fz_pool_node *node = &pool->nodes[i];

		snprintf(key, sizeof(key), "  node %u", node->node);
		fact(out, key, "%" PRIu64 " total, %" PRIu64 " free",
		     node->total, node->free);
	}
}

static void print_memory(FILE *out, const struct fz_machine *machine)
{
	print_thp(out, machine);
	if (!machine->pools.nr)
		fact(out, "hugetlb", "none");
	for (size_t i = 0; i < machine->pools.nr; i++)
		print_pool(out, &machine->pools.pool[i]);
}

static void print_clears(FILE *out)
{
	struct fz_note usable = { .used = 0 };

	for (size_t i = 0; fz_clears[i]; i++)
		if (!fz_clear_why_unsupported(fz_clears[i]))
			fz_note_add(&usable, "%s ", fz_clears[i]->name);
	fact(out, "clear primitives", "%s", usable.text);
}

static void print_rights(FILE *out, const struct fz_machine *machine)
{
	if (machine->has_pmu)
		fact(out, "counters", "usable (%s)", known(machine->pmu));
	else
		fact(out, "counters", "none: %s", known(machine->pmu));
	if (machine->perf_event_paranoid == INT32_MIN)
		fact(out, "perf rights", "perf_event_paranoid unknown");
	else
		fact(out, "perf rights", "perf_event_paranoid %d",
		     machine->perf_event_paranoid);
}

static void print_noise(FILE *out, const struct fz_machine *machine)
{
	fact(out, "governor", "%s",
	     machine->governor[0] ? machine->governor : "none");
	fact(out, "clock", "%s, clocksource %s", known(machine->clock),
	     known(machine->clocksource));
	if (machine->virtualised)
		fact(out, "virtual machine", "yes (%s)",
		     known(machine->hypervisor));
	else
		fact(out, "virtual machine", "no");
	if (machine->steal_ms == UINT64_MAX)
		fact(out, "steal time", "unknown");
	else
		fact(out, "steal time", "%" PRIu64 " ms since boot",
		     machine->steal_ms);
}

int fz_machine_text(FILE *out, const struct fz_machine *machine)
{
	struct fz_view view;
	int code = fz_view_begin(&view);

	if (code)
		return code;
	print_cpu(view.stream, machine);
	print_caches(view.stream, &machine->topology);
	print_kernel(view.stream, machine);
	print_memory(view.stream, machine);
	print_clears(view.stream);
	print_rights(view.stream, machine);
	print_noise(view.stream, machine);
	return fz_view_end(&view, out);
}
