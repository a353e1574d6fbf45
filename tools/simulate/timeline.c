// SPDX-License-Identifier: GPL-2.0-or-later
/* What happened on each CPU, as a file that trace viewers open. */
#include "timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_value.h"
#include "options.h"

struct fz_timeline {
	const char *path;
	FILE *out;
	const struct fz_sim_task *tasks;
	int error; /* errno of the first write that failed */
};

static const char *span_name(enum fz_sim_span what)
{
	switch (what) {
	case FZ_SIM_SPAN_ENTRY:
		return "fault";
	case FZ_SIM_SPAN_ZERO:
		return "zero";
	case FZ_SIM_SPAN_ACCESS:
		return "access";
	case FZ_SIM_SPAN_COMPUTE:
		return "compute";
	case FZ_SIM_SPAN_SWITCH:
		break;
	}
	return "switch";
}

/* Whole us, and ns behind the point. */
#define US_FORMAT "%" PRIu64 ".%03u"
#define US_OF(ns) (ns) / 1000, (unsigned int)((ns) % 1000)

static void write_failed(struct fz_timeline *timeline)
{
	if (!timeline->error)
		timeline->error = errno ? errno : EIO;
}

/* Names of tasks have nothing in them that JSON would want escaped. */
static void on_span(void *state, unsigned int cpu, size_t task,
		    enum fz_sim_span what, uint64_t begin_ns, uint64_t end_ns)
{
	struct fz_timeline *timeline = state;

	if (timeline->error)
		return;
	errno = 0;
	if (fprintf(timeline->out,
		    ",\n{\"name\":\"%s\",\"ph\":\"X\",\"ts\":" US_FORMAT
		    ",\"dur\":" US_FORMAT ",\"pid\":0,\"tid\":%u,"
		    "\"args\":{\"task\":\"%s\"}}",
		    span_name(what), US_OF(begin_ns), US_OF(end_ns - begin_ns),
		    cpu, timeline->tasks[task].name) < 0)
		write_failed(timeline);
}

static void on_woken(void *state, unsigned int cpu, size_t task, uint64_t at_ns,
		     uint64_t ran_ns)
{
	struct fz_timeline *timeline = state;

	if (timeline->error)
		return;
	errno = 0;
	if (fprintf(timeline->out,
		    ",\n{\"name\":\"wake-up\",\"ph\":\"i\",\"s\":\"t\","
		    "\"ts\":" US_FORMAT ",\"pid\":0,\"tid\":%u,"
		    "\"args\":{\"task\":\"%s\",\"latency_us\":" US_FORMAT "}}",
		    US_OF(at_ns), cpu, timeline->tasks[task].name,
		    US_OF(ran_ns - at_ns)) < 0)
		write_failed(timeline);
}

static void write_title(struct fz_timeline *timeline, const char *title)
{
	json_t *text = fz_json_text(title);
	char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY) : NULL;

	errno = 0;
	if (fprintf(timeline->out,
		    "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,"
		    "\"args\":{\"name\":%s}}",
		    quoted ? quoted : "null") < 0)
		write_failed(timeline);
	free(quoted);
	json_decref(text);
}

static bool is_stdout(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* Of standard output a copy, which can be closed. */
static FILE *open_file(const char *path)
{
	FILE *out;
	int fd;

	if (!is_stdout(path))
		return fopen(path, "we");
	fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (fd >= 0 && !out)
		close(fd);
	return out;
}

static int cannot_write(const char *path, int error)
{
	if (is_stdout(path))
		fz_complain("cannot write to standard output: %s",
			    strerror(error));
	else
		fz_complain("cannot write '%s': %s", path, strerror(error));
	return FZ_EXIT_FAILED;
}

int fz_timeline_open(struct fz_timeline **out, const char *path,
		     const char *title, const struct fz_sim_task *tasks)
{
	struct fz_timeline *timeline = calloc(1, sizeof(*timeline));

	if (!timeline) {
		fz_complain("out of memory");
		return FZ_EXIT_FAILED;
	}
	timeline->path = path;
	timeline->tasks = tasks;
	timeline->out = open_file(path);
	if (!timeline->out) {
		free(timeline);
		return cannot_write(path, errno);
	}
	write_title(timeline, title);
	*out = timeline;
	return FZ_EXIT_DONE;
}

struct fz_sim_observer fz_timeline_observer(struct fz_timeline *timeline)
{
	return (struct fz_sim_observer){
		.state = timeline,
		.span = on_span,
		.woken = on_woken,
	};
}

int fz_timeline_close(struct fz_timeline *timeline)
{
	int status = FZ_EXIT_DONE;

	if (!timeline)
		return status;
	errno = 0;
	if (fputs("\n]\n", timeline->out) == EOF)
		write_failed(timeline);
	if (fclose(timeline->out))
		write_failed(timeline);
	if (timeline->error)
		status = cannot_write(timeline->path, timeline->error);
	free(timeline);
	return status;
}
