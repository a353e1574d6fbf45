// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading traces that lie in memory. */
#include "read_trace.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Also used where no test runs. */
static void must(bool done)
{
	if (!done)
		abort();
}

static ssize_t read_memory(void *state, void *buf, size_t cap)
{
	struct memory_bytes *memory = state;
	size_t nr = memory->nr - memory->at;

	nr = nr < cap ? nr : cap;
	if (memory->chunk && nr > memory->chunk)
		nr = memory->chunk;
	memcpy(buf, memory->bytes + memory->at, nr);
	memory->at += nr;
	return (ssize_t)nr;
}

struct fz_byte_source memory_source(struct memory_bytes *memory)
{
	return (struct fz_byte_source){ .state = memory, .read = read_memory };
}

static void take_all(struct outcome *outcome, struct fz_trace *trace)
{
	const struct fz_fault_source source = fz_trace_source(trace);
	size_t cap = 0;
	ssize_t got;

	do {
		if (cap - outcome->nr < 64) {
			cap = 2 * cap + 256;
			outcome->faults =
				realloc(outcome->faults,
					cap * sizeof(*outcome->faults));
			must(outcome->faults);
		}
		got = source.next(source.state, outcome->faults + outcome->nr,
				  cap - outcome->nr, &outcome->err);
		outcome->nr += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	outcome->code = (int)got;
}

void outcome_read(struct outcome *outcome, struct fz_byte_source source,
		  const struct fz_trace_format *format, double tsc_hz)
{
	const struct fz_trace_params params = { .tsc_hz = tsc_hz };
	struct fz_trace *trace;

	*outcome = (struct outcome){ .nr = 0 };
	outcome->code =
		fz_trace_open(&trace, source, format, &params, &outcome->err);
	if (outcome->code)
		return;
	take_all(outcome, trace);
	outcome->format = fz_trace_format_of(trace);
	outcome->problems = *fz_trace_problems_of(trace);
	fz_trace_close(trace);
}

void outcome_read_text(struct outcome *outcome, const char *text,
		       const char *format)
{
	struct memory_bytes memory = { .bytes = text, .nr = strlen(text) };

	outcome_read(outcome, memory_source(&memory),
		     format ? fz_trace_format_find(format) : NULL, 0);
}

void outcome_fini(struct outcome *outcome)
{
	free(outcome->faults);
}

uint64_t outcome_count(const struct outcome *outcome,
		       enum fz_trace_problem_kind kind)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < outcome->problems.nr_reasons; i++)
		if (outcome->problems.reasons[i].kind == kind)
			nr += outcome->problems.reasons[i].nr;
	return nr;
}

static void add_field(FILE *text, const struct fz_fault *fault,
		      enum fz_fault_knows which, const char *format,
		      uint64_t value)
{
	putc(' ', text);
	if (fault->knows & which)
		fprintf(text, format, value);
	else
		putc(value ? '?' : '-', text);
}

static void add_record(FILE *text, const struct fz_fault *fault)
{
	static const char *const backings[] = { "", "@anon", "@file" };

	fputs(fz_event_name(fault->event), text);
	if (fault->value)
		fprintf(text, "+%" PRIu64, fault->value);
	fputs(backings[fault->backing], text);
	add_field(text, fault, FZ_KNOWS_TIME, "%" PRIu64, fault->time_ns);
	add_field(text, fault, FZ_KNOWS_PID, "%" PRIu64, fault->pid);
	add_field(text, fault, FZ_KNOWS_TID, "%" PRIu64, fault->tid);
	add_field(text, fault, FZ_KNOWS_CPU, "%" PRIu64, fault->cpu);
	add_field(text, fault, FZ_KNOWS_ADDR, "%" PRIx64, fault->addr);
	add_field(text, fault, FZ_KNOWS_IP, "%" PRIx64, fault->ip);
	add_field(text, fault, FZ_KNOWS_ERROR_CODE, "%" PRIx64,
		  fault->error_code);
	putc(' ', text);
	if (!fault->comm_bytes)
		putc('-', text);
	fwrite(fault->comm, 1, fault->comm_bytes, text);
	putc('\n', text);
}

char *records_text(const struct fz_fault *faults, size_t nr)
{
	size_t bytes;
	char *lines;
	FILE *text = open_memstream(&lines, &bytes);

	must(text);
	for (size_t i = 0; i < nr; i++)
		add_record(text, &faults[i]);
	must(fclose(text) == 0);
	return lines;
}

char *read_sample(const char *name, size_t *bytes)
{
	const size_t cap = (size_t)1 << 20;
	char *text = malloc(cap);
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), FZ_TRACE_DATA "/%s", name);
	file = fopen(path, "r");
	ck_assert_msg(file && text, "cannot read '%s'", path);
	*bytes = fread(text, 1, cap, file);
	fclose(file);
	return text;
}
