// SPDX-License-Identifier: GPL-2.0-or-later
/* An example format: lines of TIME_NS ADDRESS, the address in hex. */
#include <fz/trace_format.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe_lines.h"
#include "text_scan.h"

static bool scan_line(struct scan line, struct fz_fault *fault)
{
	*fault = (struct fz_fault){
		.event = FZ_EVENT_PAGE_FAULTS,
		.knows = FZ_KNOWS_TIME | FZ_KNOWS_ADDR,
	};
	return scan_decimal(&line, &fault->time_ns) && scan_char(&line, ' ') &&
	       scan_0x(&line, &fault->addr) && scan_left(&line) == 0;
}

static bool is_record(const char *line, size_t bytes)
{
	struct fz_fault fault;

	return scan_line((struct scan){ line, line + bytes }, &fault);
}

static unsigned int time_address_probe(const char *head, size_t bytes)
{
	return probe_lines(head, bytes, is_record);
}

static ssize_t time_address_read(struct fz_trace_reader *reader,
				 struct fz_fault *faults, size_t max,
				 struct fz_err *err)
{
	struct fz_trace_line line;
	size_t nr = 0;
	int more = 1;

	while (nr < max &&
	       (more = fz_trace_input_line(reader->input, &line)) > 0) {
		const struct scan text = { line.text, line.text + line.bytes };

		if (!line.cut && !line.unterminated &&
		    scan_line(text, &faults[nr]))
			nr++;
		else
			fz_trace_problem(reader->problems, FZ_TRACE_BAD,
					 "not TIME_NS ADDRESS", line.number,
					 line.text, line.bytes);
	}
	return more < 0 ? fz_err_set(err, more, "cannot be read: %s",
				     strerror(-more))
			: (ssize_t)nr;
}

static int time_address_begin(struct fz_trace_writer *writer)
{
	(void)writer;
	return 0;
}

/* Other events are left out: this format has no place for them. */
static int time_address_write(struct fz_trace_writer *writer,
			      const struct fz_fault *faults, size_t nr)
{
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++) {
		char line[64];
		const int bytes = snprintf(line, sizeof(line),
					   "%" PRIu64 " 0x%" PRIx64 "\n",
					   faults[i].time_ns, faults[i].addr);

		if (fz_event_is_fault(faults[i].event))
			code = writer->sink.write(writer->sink.state, line,
						  (size_t)bytes);
	}
	return code;
}

const struct fz_trace_format fz_trace_format_time_address = {
	.name = "time-address",
	.summary = "an example: time and address only",
	.probe = time_address_probe,
	.read = time_address_read,
	.write_begin = time_address_begin,
	.write = time_address_write,
};
