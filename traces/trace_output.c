// SPDX-License-Identifier: GPL-2.0-or-later
/* Hands records to the writer of a format. */
#include <fz/trace_output.h>

#include <errno.h>
#include <stdlib.h>

struct fz_trace_output {
	const struct fz_trace_format *format;
	struct fz_trace_writer writer;
};

int fz_trace_output_open(struct fz_trace_output **out,
			 const struct fz_trace_format *format,
			 struct fz_byte_sink sink)
{
	struct fz_trace_output *output;
	int code = -ENOMEM;

	if (!format->write_begin)
		return -ENOTSUP;
	output = calloc(1, sizeof(*output));
	if (!output)
		return -ENOMEM;
	output->format = format;
	output->writer.sink = sink;
	output->writer.state = calloc(1, format->writer_bytes + 1);
	if (output->writer.state)
		code = format->write_begin(&output->writer);
	if (code)
		fz_trace_output_close(output);
	else
		*out = output;
	return code;
}

int fz_trace_output_write(struct fz_trace_output *output,
			  const struct fz_fault *faults, size_t nr)
{
	return output->format->write(&output->writer, faults, nr);
}

int fz_trace_output_end(struct fz_trace_output *output)
{
	return output->format->write_end
		       ? output->format->write_end(&output->writer)
		       : 0;
}

void fz_trace_output_close(struct fz_trace_output *output)
{
	if (!output)
		return;
	free(output->writer.state);
	free(output);
}
