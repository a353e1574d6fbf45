// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a workload, and refuses what cannot be one. */
#include "workload_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "json_read.h"

/* Bytes of "task 1048576: phase 4096: " and the like. */
#define WHERE_BYTES 48
#define MAX_PHASES  ((size_t)4096)
#define NAME_BYTES  ((size_t)32)

/* What is read, for all functions. */
struct reading {
	struct fz_json_reading json;
	struct fz_workload *workload;
};

static const struct fz_json_member document_members[] = {
	{ "schema", FZ_JSON_STR, true },
	{ "cpus", FZ_JSON_INT, true },
	{ "tasks", FZ_JSON_ARR, false },
	{ NULL, 0, false },
};

static const struct fz_json_member task_members[] = {
	{ "name", FZ_JSON_STR, false },    { "class", FZ_JSON_STR, true },
	{ "priority", FZ_JSON_INT, true }, { "cpus", FZ_JSON_STR, true },
	{ "loops", FZ_JSON_INT, true },    { "start", FZ_JSON_STR, true },
	{ "program", FZ_JSON_ARR, false }, { NULL, 0, false },
};

static const struct fz_json_member phase_members[] = {
	{ "fault", FZ_JSON_STR, true },
	{ "page", FZ_JSON_STR | FZ_JSON_INT, true },
	{ "access", FZ_JSON_STR, true },
	{ "compute", FZ_JSON_STR, true },
	{ "sleep", FZ_JSON_STR | FZ_JSON_OBJ, true },
	{ NULL, 0, false },
};

static const struct fz_json_member sleep_members[] = {
	{ "poisson", FZ_JSON_STR, true },
	{ "period", FZ_JSON_STR, true },
	{ NULL, 0, false },
};

static int check_object(const struct reading *r, const char *where,
			json_t *object, const struct fz_json_member *members)
{
	int code;

	if (!json_is_object(object))
		return fz_json_fail(&r->json, -EBADMSG, "%sit is not an object",
				    where);
	code = fz_json_check_members(&r->json, where, object, members);
	return code ? code
		    : fz_json_check_known(&r->json, where, object, members);
}

/* Members that are there, or their value if not. */
static json_int_t integer_or(const json_t *object, const char *name,
			     json_int_t other)
{
	const json_t *value = json_object_get(object, name);

	return value ? json_integer_value(value) : other;
}

static const char *text_or(const json_t *object, const char *name,
			   const char *other)
{
	const json_t *value = json_object_get(object, name);

	return value ? json_string_value(value) : other;
}

static int read_integer(const struct reading *r, const char *where,
			const json_t *object, const char *name,
			json_int_t other, uint64_t min, uint64_t max,
			uint64_t *number)
{
	const json_int_t value = integer_or(object, name, other);

	if (value < 0 || (uint64_t)value < min || (uint64_t)value > max)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%s'%s' is %" JSON_INTEGER_FORMAT
				    ": give %" PRIu64 " to %" PRIu64,
				    where, name, value, min, max);
	*number = (uint64_t)value;
	return 0;
}

static int read_ns(const struct reading *r, const char *where, const char *name,
		   const char *text, uint64_t min, uint64_t *ns)
{
	struct fz_err reason;

	if (fz_parse_ns(text, ns, &reason))
		return fz_json_fail(&r->json, -EBADMSG, "%s'%s': %s", where,
				    name, reason.msg);
	if (*ns >= min && *ns <= FZ_WORKLOAD_MAX_NS)
		return 0;
	return fz_json_fail(
		&r->json, -EBADMSG,
		"%s'%s' is '%.40s': give %" PRIu64 "ns to %" PRIu64 "s", where,
		name, text, min, (uint64_t)(FZ_WORKLOAD_MAX_NS / 1000000000));
}

static int read_bytes(const struct reading *r, const char *where,
		      const char *name, const char *text, uint64_t min,
		      uint64_t max, uint64_t *bytes)
{
	char least[FZ_FORMAT_BYTES], most[FZ_FORMAT_BYTES];
	struct fz_err reason;

	if (fz_parse_bytes(text, bytes, &reason))
		return fz_json_fail(&r->json, -EBADMSG, "%s'%s': %s", where,
				    name, reason.msg);
	if (*bytes >= min && *bytes <= max)
		return 0;
	fz_format_bytes(least, sizeof(least), min);
	fz_format_bytes(most, sizeof(most), max);
	return fz_json_fail(&r->json, -EBADMSG,
			    "%s'%s' is '%.40s': give %s to %s", where, name,
			    text, least, most);
}

static int read_page(const struct reading *r, const char *where,
		     const json_t *object, struct fz_sim_phase *phase)
{
	const json_t *page = json_object_get(object, "page");
	const uint64_t nr_pages = phase->bytes >> FZ_PAGE_SHIFT;

	if (!json_is_string(page))
		return read_integer(r, where, object, "page", 0, 0,
				    nr_pages - 1, &phase->fault_page);
	if (strcmp(json_string_value(page), "random") != 0)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%s'page' is '%.40s': give a number or "
				    "\"random\"",
				    where, json_string_value(page));
	phase->fault_page = FZ_SIM_RANDOM_PAGE;
	return 0;
}

static int read_fault(const struct reading *r, const char *where,
		      const json_t *object, struct fz_sim_phase *phase)
{
	const int code = read_bytes(
		r, where, "fault", text_or(object, "fault", NULL),
		FZ_PAGE_BYTES, FZ_WORKLOAD_MAX_FOLIO_BYTES, &phase->bytes);

	phase->op = FZ_SIM_FAULT;
	if (code)
		return code;
	if (phase->bytes % FZ_PAGE_BYTES)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%s'fault' is '%.40s', no multiple of 4K",
				    where, text_or(object, "fault", NULL));
	return read_page(r, where, object, phase);
}

static int read_sleep(const struct reading *r, const char *where, json_t *value,
		      struct fz_sim_phase *phase)
{
	const char *poisson, *period;
	char inside[WHERE_BYTES + 8];
	int code;

	phase->op = FZ_SIM_SLEEP;
	if (json_is_string(value))
		return read_ns(r, where, "sleep", json_string_value(value), 1,
			       &phase->ns);
	snprintf(inside, sizeof(inside), "%ssleep: ", where);
	code = check_object(r, inside, value, sleep_members);
	if (code)
		return code;
	poisson = text_or(value, "poisson", NULL);
	period = text_or(value, "period", NULL);
	if (!poisson == !period)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%sgive 'poisson' or 'period'", inside);
	phase->op = poisson ? FZ_SIM_SLEEP_POISSON : FZ_SIM_SLEEP_PERIOD;
	return read_ns(r, inside, poisson ? "poisson" : "period",
		       poisson ? poisson : period, 1, &phase->ns);
}

static int read_phase(const struct reading *r, const char *where,
		      json_t *object, struct fz_sim_phase *phase)
{
	const bool has_page = json_object_get(object, "page");
	json_t *sleep = json_object_get(object, "sleep");
	int code = check_object(r, where, object, phase_members);

	if (code)
		return code;
	if (json_object_size(object) != (has_page ? 2 : 1) ||
	    (has_page && !json_object_get(object, "fault")))
		return fz_json_fail(&r->json, -EBADMSG,
				    "%sgive one of 'fault' (with 'page'), "
				    "'access', 'compute' and 'sleep'",
				    where);
	if (json_object_get(object, "fault"))
		return read_fault(r, where, object, phase);
	if (sleep)
		return read_sleep(r, where, sleep, phase);
	if (json_object_get(object, "access")) {
		phase->op = FZ_SIM_ACCESS;
		return read_bytes(r, where, "access",
				  text_or(object, "access", NULL), 1,
				  FZ_WORKLOAD_MAX_ACCESS_BYTES, &phase->bytes);
	}
	phase->op = FZ_SIM_COMPUTE;
	return read_ns(r, where, "compute", text_or(object, "compute", NULL), 1,
		       &phase->ns);
}

static int read_program(const struct reading *r, size_t index,
			const json_t *program, struct fz_sim_task *task)
{
	const size_t nr = json_array_size(program);
	struct fz_sim_phase *phases;
	int code = 0;

	if (!nr || nr > MAX_PHASES)
		return fz_json_fail(&r->json, -EBADMSG,
				    "task %zu: 'program' has %zu phases: give "
				    "1 to %zu",
				    index + 1, nr, MAX_PHASES);
	phases = calloc(nr, sizeof(*phases));
	if (fz_workload_keep(r->workload, phases))
		return fz_json_fail(&r->json, -ENOMEM, "out of memory");
	for (size_t i = 0; i < nr && !code; i++) {
		char where[WHERE_BYTES];

		snprintf(where, sizeof(where),
			 "task %zu: phase %zu: ", index + 1, i + 1);
		code = read_phase(r, where, json_array_get(program, i),
				  &phases[i]);
	}
	task->phases = phases;
	task->nr_phases = nr;
	return code;
}

/* A name stands in reports and timelines as it is. */
static int read_name(const struct reading *r, const char *where,
		     const json_t *object, struct fz_sim_task *task)
{
	const json_t *value = json_object_get(object, "name");
	const char *name = json_string_value(value);
	bool ok = name[0] && strlen(name) < NAME_BYTES &&
		  strlen(name) == json_string_length(value);

	for (const char *c = name; *c; c++)
		ok = ok && *c >= ' ' && *c <= '~' && *c != '"' && *c != '\\';
	if (!ok)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%s'name' must have 1 to %zu printable "
				    "ASCII characters, without \" and \\",
				    where, NAME_BYTES - 1);
	task->name = strdup(name);
	if (fz_workload_keep(r->workload, (char *)(uintptr_t)task->name))
		return fz_json_fail(&r->json, -ENOMEM, "out of memory");
	return 0;
}

static int read_class(const struct reading *r, const char *where,
		      const json_t *object, struct fz_sim_task *task)
{
	const char *class = text_or(object, "class", "fair");
	const bool has_priority = json_object_get(object, "priority");
	uint64_t priority;
	int code;

	if (strcmp(class, "fair") == 0) {
		task->class = FZ_SIM_FAIR;
		if (!has_priority)
			return 0;
		return fz_json_fail(&r->json, -EBADMSG,
				    "%s'priority' is for class rt", where);
	}
	if (strcmp(class, "rt") != 0)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%s'class' is '%.40s': give fair or rt",
				    where, class);
	task->class = FZ_SIM_RT;
	if (!has_priority)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%sno member 'priority': class rt has 1 "
				    "to 99",
				    where);
	code = read_integer(r, where, object, "priority", 0, 1, 99, &priority);
	task->priority = code ? 0 : (unsigned int)priority;
	return code;
}

/* Once for each of its CPUs. */
static int add_task(const struct reading *r, const char *where,
		    const json_t *object, struct fz_sim_task task)
{
	const char *text = text_or(object, "cpus", NULL);
	const unsigned int nr_cpus = r->workload->nr_cpus;
	struct fz_cpu_list list = { .nr = 0 };
	struct fz_err reason;
	int code = 0;

	if (text && fz_cpu_list_parse(text, &list, &reason))
		return fz_json_fail(&r->json, -EBADMSG, "%s'cpus': %s", where,
				    reason.msg);
	for (unsigned int cpu = 0; !text && cpu < nr_cpus; cpu++)
		list.cpu[list.nr++] = cpu;
	if (r->workload->nr_tasks + list.nr > FZ_WORKLOAD_MAX_TASKS)
		return fz_json_fail(&r->json, -EBADMSG,
				    "%sit makes more than %zu tasks in all",
				    where, FZ_WORKLOAD_MAX_TASKS);
	for (size_t i = 0; i < list.nr && !code; i++) {
		task.cpu = list.cpu[i];
		if (task.cpu >= nr_cpus)
			return fz_json_fail(&r->json, -EBADMSG,
					    "%s'cpus' has CPU %u; the last one "
					    "of %u is %u",
					    where, task.cpu, nr_cpus,
					    nr_cpus - 1);
		code = fz_workload_add(r->workload, task);
	}
	return code ? fz_json_fail(&r->json, code, "out of memory") : 0;
}

static int read_task(const struct reading *r, size_t index, json_t *object)
{
	struct fz_sim_task task = { .name = NULL };
	char where[WHERE_BYTES];
	int code;

	snprintf(where, sizeof(where), "task %zu: ", index + 1);
	code = check_object(r, where, object, task_members);
	if (!code)
		code = read_name(r, where, object, &task);
	if (!code)
		code = read_class(r, where, object, &task);
	if (!code)
		code = read_integer(r, where, object, "loops", 1, 0,
				    FZ_WORKLOAD_MAX_LOOPS, &task.loops);
	if (!code)
		code = read_ns(r, where, "start",
			       text_or(object, "start", "0ns"), 0,
			       &task.start_ns);
	if (!code)
		code = read_program(r, index,
				    json_object_get(object, "program"), &task);
	task.background = !task.loops;
	return code ? code : add_task(r, where, object, task);
}

static int read_cpus(const struct reading *r, const json_t *root)
{
	uint64_t nr_cpus;
	int code;

	if (!json_object_get(root, "cpus") && r->workload->nr_cpus)
		return 0;
	if (!json_object_get(root, "cpus"))
		return fz_json_fail(&r->json, -EBADMSG,
				    "no member 'cpus': add it, or give --cpus");
	code = read_integer(r, "", root, "cpus", 0, 1, FZ_WORKLOAD_MAX_CPUS,
			    &nr_cpus);
	if (!code && !r->workload->nr_cpus)
		r->workload->nr_cpus = (unsigned int)nr_cpus;
	return code;
}

static int read_root(const struct reading *r, json_t *root)
{
	const json_t *tasks = json_object_get(root, "tasks");
	const char *schema;
	int code = check_object(r, "", root, document_members);

	if (code)
		return code;
	schema = text_or(root, "schema", FZ_WORKLOAD_SCHEMA);
	if (strcmp(schema, FZ_WORKLOAD_SCHEMA) != 0)
		return fz_json_fail(&r->json, -EBADMSG,
				    "'schema' is '%.40s'; understood is "
				    "'" FZ_WORKLOAD_SCHEMA "'",
				    schema);
	code = read_cpus(r, root);
	if (!code && !json_array_size(tasks))
		return fz_json_fail(&r->json, -EBADMSG,
				    "'tasks' is empty: give one");
	for (size_t i = 0; i < json_array_size(tasks) && !code; i++)
		code = read_task(r, i, json_array_get(tasks, i));
	return code;
}

int fz_workload_parse(struct fz_workload *workload, const char *path,
		      const char *text, size_t bytes, struct fz_err *err)
{
	const struct reading r = { { path, err }, workload };
	json_t *root = NULL;
	int code = fz_json_load(&r.json, text, bytes, &root);

	if (!code)
		code = read_root(&r, root);
	json_decref(root);
	return code;
}

int fz_workload_read(struct fz_workload *workload, const char *path,
		     struct fz_err *err)
{
	const struct fz_json_reading r = { path, err };
	char *text = NULL;
	size_t bytes;
	int code = fz_json_read_text(&r, FZ_WORKLOAD_MAX_BYTES, &text, &bytes);

	if (!code)
		code = fz_workload_parse(workload, path, text, bytes, err);
	free(text);
	return code;
}
