// SPDX-License-Identifier: GPL-2.0-or-later
/* A trace that is read from a file, and what is said about it. */
#include "trace_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

struct fz_trace_file {
	char *path;
	bool strict;
	struct fz_byte_input *input;
	struct fz_trace *trace;
	struct fz_fault_source source; /* of the trace */
};

const char *fz_trace_format_name_at(size_t i)
{
	return fz_trace_formats[i] ? fz_trace_formats[i]->name : NULL;
}

bool fz_trace_option_format(struct fz_trace_options *options, const char *value)
{
	size_t i;

	if (!fz_option_index("trace format", value, fz_trace_format_name_at,
			     &i))
		return false;
	options->format = fz_trace_formats[i];
	return true;
}

/* As /proc/cpuinfo has it in MHz; 1e9 and 2.596e9 are rates, too. */
bool fz_trace_option_tsc_hz(struct fz_trace_options *options, const char *value)
{
	char *end;
	const double hz = strtod(value, &end);

	if (value[strspn(value, "0123456789.e+")] || end == value || *end ||
	    !isfinite(hz) || hz < 1e3 || hz > 1e12) {
		fz_complain("--tsc-hz: '%s' is no rate: give ticks a second, "
			    "like 2596000000",
			    value);
		return false;
	}
	options->params.tsc_hz = hz;
	return true;
}

/* A message that says why bytes could not be had beats one that says that. */
static int name_file(const struct fz_trace_file *file, int code,
		     const struct fz_err *why, struct fz_err *err)
{
	const char *bytes = fz_byte_input_why(file->input);

	if (bytes)
		return fz_err_set(err, code, "cannot read '%s': %s", file->path,
				  bytes);
	return fz_err_set(err, code, "'%s' %s", file->path, why->msg);
}

static int open_input(struct fz_trace_file **out, struct fz_byte_input *input,
		      const char *name, const struct fz_trace_options *options,
		      struct fz_err *err)
{
	struct fz_trace_file *file = calloc(1, sizeof(*file));
	struct fz_err why = { "" };
	int code = -ENOMEM;

	if (file)
		file->path = strdup(name);
	if (!file || !file->path) {
		fz_byte_input_close(input);
		free(file);
		return fz_err_set(err, code, "out of memory");
	}
	file->strict = options->strict;
	file->input = input;
	code = fz_trace_open(&file->trace, fz_byte_input_source(input),
			     options->format, &options->params, &why);
	if (code) {
		name_file(file, code, &why, err);
		fz_trace_file_close(file);
		return code;
	}
	file->source = fz_trace_source(file->trace);
	*out = file;
	return 0;
}

int fz_trace_file_open(struct fz_trace_file **out, const char *path,
		       const struct fz_trace_options *options,
		       struct fz_err *err)
{
	struct fz_byte_input *input;
	const int code = fz_byte_input_open(&input, path, err);

	if (code)
		return code;
	return open_input(out, input,
			  strcmp(path, "-") ? path : "standard input", options,
			  err);
}

int fz_trace_file_open_fd(struct fz_trace_file **out, int fd, const char *name,
			  const struct fz_trace_options *options,
			  struct fz_err *err)
{
	struct fz_byte_input *input;
	const int code = fz_byte_input_open_fd(&input, fd, name, err);

	return code ? code : open_input(out, input, name, options, err);
}

void fz_trace_file_close(struct fz_trace_file *file)
{
	if (!file)
		return;
	fz_trace_close(file->trace);
	fz_byte_input_close(file->input);
	free(file->path);
	free(file);
}

static ssize_t file_next(void *state, struct fz_fault *faults, size_t max,
			 struct fz_err *err)
{
	struct fz_trace_file *file = state;
	const struct fz_trace_problems *problems =
		fz_trace_problems_of(file->trace);
	struct fz_err why = { "" };
	const ssize_t got =
		file->source.next(file->source.state, faults, max, &why);

	if (got < 0)
		return name_file(file, (int)got, &why, err);
	if (file->strict && problems->nr_bad)
		return fz_err_set(err, -EBADMSG,
				  "'%s' has a line that is not understood, "
				  "which --strict does not allow",
				  file->path);
	return got;
}

struct fz_fault_source fz_trace_file_source(struct fz_trace_file *file)
{
	return (struct fz_fault_source){ .state = file, .next = file_next };
}

const struct fz_trace_format *
fz_trace_file_format(const struct fz_trace_file *file)
{
	return fz_trace_format_of(file->trace);
}

struct fz_byte_share fz_trace_file_share(const struct fz_trace_file *file)
{
	return fz_byte_input_share(file->input);
}

const struct fz_trace_problems *
fz_trace_file_problems(const struct fz_trace_file *file)
{
	return fz_trace_problems_of(file->trace);
}

/* "3 lines not understood: a pid that is no number" */
static void complain_of(const char *path, const struct fz_trace_reason *reason)
{
	const unsigned long long nr = reason->nr;

	if (reason->kind != FZ_TRACE_NOTE)
		fz_complain("'%s': %llu line%s not %s: %s", path, nr,
			    nr == 1 ? "" : "s",
			    reason->kind == FZ_TRACE_BAD ? "understood"
							 : "used",
			    reason->reason);
	else if (nr > 1)
		fz_complain("'%s': note, %llu times: %s", path, nr,
			    reason->reason);
	else
		fz_complain("'%s': note: %s", path, reason->reason);
}

/* Our own binary has checksums of its own. */
static bool may_be_damaged(const struct fz_trace_file *file)
{
	return fz_byte_input_lacks_checksum(file->input) &&
	       strcmp(fz_trace_format_of(file->trace)->name, "binary") != 0;
}

void fz_trace_file_complain(const struct fz_trace_file *file)
{
	const struct fz_trace_problems *problems =
		fz_trace_problems_of(file->trace);

	for (size_t i = 0; i < problems->nr_reasons; i++)
		complain_of(file->path, &problems->reasons[i]);
	for (size_t i = 0; i < problems->nr_quoted; i++)
		fz_complain("'%s' line %llu: %s: '%s'", file->path,
			    (unsigned long long)problems->quoted[i].line,
			    problems->quoted[i].reason,
			    problems->quoted[i].text);
	if (may_be_damaged(file))
		fz_complain("'%s': note: it is packed without a checksum, so "
			    "that damage is not noticed; zstd --check and xz "
			    "--check=crc64 add one",
			    file->path);
	if (problems->nr_lost)
		fz_complain("'%s': %s%llu event%s lost while recording",
			    file->path,
			    problems->nr_lost == UINT64_MAX ? "at least " : "",
			    (unsigned long long)problems->nr_lost,
			    problems->nr_lost == 1 ? " was" : "s were");
}
