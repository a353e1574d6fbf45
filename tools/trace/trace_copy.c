// SPDX-License-Identifier: GPL-2.0-or-later
/* Records from a source to a file. */
#include "trace_copy.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <fz/trace_output.h>

#include "byte_pack.h"
#include "options.h"
#include "stop_signal.h"
#include "whole_file.h"

#define BATCH_RECORDS 512u

/* The i-th of those that can be written. */
static const char *writable_name_at(size_t i)
{
	for (size_t j = 0; fz_trace_formats[j]; j++)
		if (fz_trace_formats[j]->write_begin && i-- == 0)
			return fz_trace_formats[j]->name;
	return NULL;
}

bool fz_trace_option_to(const struct fz_trace_format **to, const char *value)
{
	size_t i;

	if (!fz_option_index("format to write", value, writable_name_at, &i))
		return false;
	*to = fz_trace_format_find(value);
	return true;
}

bool fz_trace_fits_output(const struct fz_trace_format *to, const char *path)
{
	if ((path && strcmp(path, "-") != 0) || !isatty(STDOUT_FILENO) ||
	    strcmp(to->name, "binary") != 0)
		return true;
	fz_complain("a binary trace does not go to a terminal: name a file "
		    "with -o");
	return false;
}

/* What happens between opening and closing of the file. */
struct copy {
	struct fz_fault_source source;
	struct fz_whole_file file;
	struct fz_pack *pack; /* NULL = bytes go to the file as they are */
	struct fz_trace_output *output;
	const atomic_int *stop; /* NULL = signals are not our business */
	int stop_before;        /* a signal that we go on in spite of */
	struct fz_fault faults[BATCH_RECORDS]; /* [nr] */
	ssize_t nr;
};

static bool is_stopped(const struct copy *copy)
{
	return copy->stop && *copy->stop != copy->stop_before;
}

static bool read_some(struct copy *copy)
{
	struct fz_err err = { "" };

	copy->nr = copy->source.next(copy->source.state, copy->faults,
				     BATCH_RECORDS, &err);
	if (copy->nr < 0 && !is_stopped(copy))
		fz_complain("%s", err.msg);
	return copy->nr >= 0;
}

/* Packed as the file's name says. */
static int open_output(struct copy *copy, const struct fz_trace_format *to)
{
	const enum fz_packing packing = fz_packing_of(copy->file.path);
	struct fz_byte_sink sink = fz_whole_file_sink(&copy->file);

	if (packing != FZ_PACKING_NONE) {
		copy->pack = fz_pack_new(packing, sink);
		if (!copy->pack)
			return -ENOMEM;
		sink = fz_pack_sink(copy->pack);
	}
	return fz_trace_output_open(&copy->output, to, sink);
}

static int end_output(struct copy *copy)
{
	const int code = fz_trace_output_end(copy->output);

	return code || !copy->pack ? code : fz_pack_end(copy->pack);
}

/* Everything but the first records, which were read. */
static bool copy_all(struct copy *copy, const struct fz_trace_format *to)
{
	int code = open_output(copy, to);

	while (!code && copy->nr > 0 && !is_stopped(copy)) {
		code = fz_trace_output_write(copy->output, copy->faults,
					     (size_t)copy->nr);
		if (!code && !read_some(copy))
			return false;
	}
	if (!code && !is_stopped(copy))
		code = end_output(copy);
	if (code)
		fz_whole_file_complain(&copy->file, code);
	return !code && !is_stopped(copy) && !fz_whole_file_commit(&copy->file);
}

/* Where there is nothing to write, a file that is there stays as it is. */
int fz_trace_copy(struct fz_fault_source source,
		  const struct fz_trace_format *to, const char *path)
{
	struct copy copy = { .source = source, .file = FZ_WHOLE_FILE_NONE };
	bool done = read_some(&copy);

	if (done && !fz_whole_file_open(&copy.file, path)) {
		if (copy.file.temporary) {
			copy.stop = fz_stop_signal_catch();
			copy.stop_before = *copy.stop;
		}
		done = copy_all(&copy, to);
	} else {
		done = false;
	}
	fz_trace_output_close(copy.output);
	fz_pack_free(copy.pack);
	fz_whole_file_close(&copy.file);
	return done ? FZ_EXIT_DONE : FZ_EXIT_FAILED;
}
