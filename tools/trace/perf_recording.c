// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording that perf makes and prints. */
#include "perf_recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "options.h"
#include "perf_recipe.h"
#include "trace_file.h"

#define PATH_BYTES 4096
#define MAX_WORDS  1024

/* Without rights to lock more, perf gets no more than this: 512 KiB. */
static const char *const buffers[] = { "16M", "512K" };

struct fz_perf_recording {
	char dir[PATH_BYTES / 2];
	char data[PATH_BYTES];
	char said[PATH_BYTES]; /* what perf says on standard error */
	const char *buffer;    /* one of the above */
	const char *command;   /* that was recorded */
	bool may_have_failed;  /* to run it; its exit status may also be 255 */
	pid_t printing;        /* perf script; 0 = it does not run */
	int printed;           /* its exit status, once it ended */
	struct fz_trace_file *file;
};

struct fz_perf_recording *fz_perf_recording_new(void)
{
	struct fz_perf_recording *r = calloc(1, sizeof(*r));
	const char *tmp = getenv("TMPDIR");

	if (!r) {
		fz_complain("out of memory");
		return NULL;
	}
	snprintf(r->dir, sizeof(r->dir), "%s/foliosim-XXXXXX",
		 tmp && tmp[0] ? tmp : "/tmp");
	if (!mkdtemp(r->dir)) {
		fz_complain("cannot make the directory '%s': %s", r->dir,
			    strerror(errno));
		free(r);
		return NULL;
	}
	snprintf(r->data, sizeof(r->data), "%s/perf.data", r->dir);
	snprintf(r->said, sizeof(r->said), "%s/said", r->dir);
	return r;
}

void fz_perf_recording_free(struct fz_perf_recording *r)
{
	char old[PATH_BYTES + 4];

	if (!r)
		return;
	fz_trace_file_close(r->file);
	/* Its pipe is closed, so it ends. */
	if (r->printing)
		fz_child_wait(r->printing);
	snprintf(old, sizeof(old), "%s.old", r->data);
	unlink(old);
	unlink(r->data);
	unlink(r->said);
	rmdir(r->dir);
	free(r);
}

/* The first line that perf said, for a message; "" = none. */
static void first_line(const struct fz_perf_recording *r, char *line,
		       size_t bytes)
{
	FILE *file = fopen(r->said, "re");

	line[0] = '\0';
	if (!file)
		return;
	/* "Error:" has a line of its own. */
	while (fgets(line, (int)bytes, file) &&
	       (line[0] == '\n' || strcmp(line, "Error:\n") == 0))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

static int open_said(const struct fz_perf_recording *r)
{
	return open(r->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static int record(const struct fz_perf_recording *r, const char *const *argv,
		  const int fds[3])
{
	const char *words[MAX_WORDS + 1] = {
		"perf",    "record", "-q",    "-e",           "page-faults",
		"-c",      "1",      "-d",    "--sample-cpu", "-m",
		r->buffer, "-o",     r->data, "--",
	};
	const struct fz_child child = {
		.argv = words,
		.fds = { fds[0], fds[1], fds[2] },
	};
	size_t nr = 0;

	while (words[nr])
		nr++;
	for (size_t i = 0; argv[i]; i++) {
		if (nr == MAX_WORDS)
			return -E2BIG;
		words[nr++] = argv[i];
	}
	return fz_child_run(&child);
}

/* A command that does nothing, with the larger buffer, then the smaller. */
bool fz_perf_recording_is_possible(struct fz_perf_recording *r)
{
	const char *const argv[] = { "true", NULL };
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int said = open_said(r);
	const int fds[3] = { null, null, said };
	char why[200];
	int status = -1;

	for (size_t i = 0; i < 2 && status && status != FZ_CHILD_NOT_FOUND;
	     i++) {
		r->buffer = buffers[i];
		status = record(r, argv, fds);
	}
	first_line(r, why, sizeof(why));
	if (null >= 0)
		close(null);
	if (said >= 0)
		close(said);
	if (status == FZ_CHILD_NOT_FOUND)
		fz_complain("cannot run 'perf': it is not installed; on "
			    "Debian: apt-get install linux-perf");
	else if (status)
		fz_complain("perf cannot record page faults here: %s",
			    why[0] ? why : "it does not say why");
	return !status;
}

static bool is_recorded(const struct fz_perf_recording *r)
{
	struct stat status;

	return stat(r->data, &status) == 0 && status.st_size > 0;
}

bool fz_perf_recording_make(struct fz_perf_recording *r,
			    const char *const *argv, int out_fd)
{
	const int fds[3] = { -1, out_fd, -1 };
	int status;

	unlink(r->data);
	r->command = argv[0];
	status = record(r, argv, fds);
	/* perf has the status of the command, or this one. */
	r->may_have_failed = status == 255;
	if (status < 0)
		fz_complain("cannot run perf: %s", strerror(-status));
	else if (status && !r->may_have_failed)
		fz_complain("'%s' ended with status %d", argv[0], status);
	if (status >= 0 && !is_recorded(r))
		fz_complain("perf left no recording");
	return status >= 0 && is_recorded(r);
}

static bool start_printing(struct fz_perf_recording *r, int fds[2])
{
	const char *words[16] = { NULL };
	struct fz_child child = { .argv = words, .fds = FZ_CHILD_AS_OURS };
	const int said = open_said(r);
	size_t nr = 0;
	pid_t pid;

	for (; fz_perf_script_words[nr]; nr++)
		words[nr] = fz_perf_script_words[nr];
	words[nr++] = "-i";
	words[nr++] = r->data;
	child.fds[1] = fds[1];
	child.fds[2] = said;
	pid = fz_child_start(&child);
	if (said >= 0)
		close(said);
	if (pid < 0) {
		fz_complain("cannot run perf: %s", strerror((int)-pid));
		return false;
	}
	r->printing = pid;
	return true;
}

/* The end of what perf prints is an end only if perf is content. */
static ssize_t next(void *state, struct fz_fault *faults, size_t max,
		    struct fz_err *err)
{
	struct fz_perf_recording *r = state;
	const struct fz_fault_source source = fz_trace_file_source(r->file);
	const ssize_t got = source.next(source.state, faults, max, err);
	char why[200];

	if (got > 0)
		return got;
	if (r->printing) {
		r->printed = fz_child_wait(r->printing);
		r->printing = 0;
	}
	if (got < 0 || !r->printed)
		return got;
	first_line(r, why, sizeof(why));
	return fz_err_set(err, -EBADMSG, "perf script failed: %s",
			  why[0] ? why : "it does not say why");
}

bool fz_perf_recording_read(struct fz_perf_recording *r,
			    struct fz_fault_source *source)
{
	const struct fz_trace_options options = {
		.format = fz_trace_format_find("perf-script"),
	};
	struct fz_err err = { "" };
	int fds[2];

	if (pipe2(fds, O_CLOEXEC)) {
		fz_complain("cannot make a pipe: %s", strerror(errno));
		return false;
	}
	if (!start_printing(r, fds)) {
		close(fds[0]);
		close(fds[1]);
		return false;
	}
	close(fds[1]);
	if (fz_trace_file_open_fd(&r->file, fds[0], "the recording of perf",
				  &options, &err)) {
		if (r->may_have_failed)
			fz_complain("perf could not record '%s'", r->command);
		else
			fz_complain("%s", err.msg);
		return false;
	}
	if (r->may_have_failed)
		fz_complain("'%s' ended with status 255", r->command);
	*source = (struct fz_fault_source){ .state = r, .next = next };
	return true;
}

void fz_perf_recording_complain(const struct fz_perf_recording *r)
{
	if (r->file)
		fz_trace_file_complain(r->file);
}
