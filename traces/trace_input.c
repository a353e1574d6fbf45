// SPDX-License-Identifier: GPL-2.0-or-later
/* A window over the bytes that moves on as they are used. */
#include <fz/trace_input.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Moving the rest of a window costs nothing beside what was used of it. */
#define WINDOW_BYTES ((size_t)1 << 18)

struct fz_trace_input {
	struct fz_byte_source source;
	uint64_t nr_lines;
	bool ended;   /* the source has no more */
	bool in_rest; /* of a line that was cut */
	size_t begin, end;
	char window[WINDOW_BYTES]; /* [begin, end) is not used yet */
};

int fz_trace_input_open(struct fz_trace_input **out,
			struct fz_byte_source source)
{
	struct fz_trace_input *input = malloc(sizeof(*input));

	_Static_assert(2 * FZ_TRACE_LINE_BYTES <= WINDOW_BYTES &&
			       2 * FZ_TRACE_HEAD_BYTES <= WINDOW_BYTES,
		       "a window holds more than one of them");
	if (!input)
		return -ENOMEM;
	input->source = source;
	input->nr_lines = 0;
	input->ended = input->in_rest = false;
	input->begin = input->end = 0;
	*out = input;
	return 0;
}

void fz_trace_input_close(struct fz_trace_input *input)
{
	free(input);
}

/* More bytes behind those in the window: 1, 0 = there are none, -errno. */
static int refill(struct fz_trace_input *input)
{
	ssize_t got;

	if (input->ended)
		return 0;
	if (input->begin > 0) {
		memmove(input->window, input->window + input->begin,
			input->end - input->begin);
		input->end -= input->begin;
		input->begin = 0;
	}
	got = input->source.read(input->source.state,
				 input->window + input->end,
				 WINDOW_BYTES - input->end);
	if (got < 0)
		return (int)got;
	input->ended = got == 0;
	input->end += (size_t)got;
	return got > 0;
}

/* At least so many bytes in the window, or all there are. */
static int fill(struct fz_trace_input *input, size_t bytes)
{
	int more = 1;

	while (input->end - input->begin < bytes && more > 0)
		more = refill(input);
	return more < 0 ? more : 0;
}

ssize_t fz_trace_input_peek(struct fz_trace_input *input, const char **head)
{
	const int code = fill(input, FZ_TRACE_HEAD_BYTES);
	const size_t bytes = input->end - input->begin;

	*head = input->window + input->begin;
	if (code)
		return code;
	return (ssize_t)(bytes < FZ_TRACE_HEAD_BYTES ? bytes
						     : FZ_TRACE_HEAD_BYTES);
}

/* Drops bytes up to and with the next newline. */
static int skip_rest(struct fz_trace_input *input)
{
	int more = 1;

	while (input->in_rest && more > 0) {
		const char *at = input->window + input->begin;
		const char *newline =
			memchr(at, '\n', input->end - input->begin);

		if (newline) {
			input->begin += (size_t)(newline - at) + 1;
			input->in_rest = false;
			return 0;
		}
		input->begin = input->end;
		more = refill(input);
	}
	return more < 0 ? more : 0;
}

/* Hands out the next @bytes of the window, of which some are shown. */
static void hand_out(struct fz_trace_input *input, struct fz_trace_line *line,
		     size_t bytes, size_t taken)
{
	*line = (struct fz_trace_line){
		.text = input->window + input->begin,
		.bytes = bytes < FZ_TRACE_LINE_BYTES ? bytes
						     : FZ_TRACE_LINE_BYTES,
		.number = ++input->nr_lines,
		.cut = bytes > FZ_TRACE_LINE_BYTES,
		.unterminated = taken == bytes && !input->in_rest,
	};
	if (line->bytes && line->text[line->bytes - 1] == '\r')
		line->bytes--;
	input->begin += taken;
}

int fz_trace_input_line(struct fz_trace_input *input,
			struct fz_trace_line *line)
{
	size_t looked_at = 0;
	int more = skip_rest(input);

	if (more < 0)
		return more;
	for (;;) {
		const char *at = input->window + input->begin;
		const size_t bytes = input->end - input->begin;
		const char *newline =
			memchr(at + looked_at, '\n', bytes - looked_at);

		if (newline) {
			const size_t length = (size_t)(newline - at);

			hand_out(input, line, length, length + 1);
			return 1;
		}
		if (bytes > FZ_TRACE_LINE_BYTES) {
			input->in_rest = true;
			hand_out(input, line, bytes, bytes);
			return 1;
		}
		looked_at = bytes;
		more = refill(input);
		if (more < 0)
			return more;
		if (more > 0)
			continue;
		if (bytes == 0)
			return 0;
		hand_out(input, line, bytes, bytes);
		return 1;
	}
}

int fz_trace_input_take(struct fz_trace_input *input, size_t bytes,
			const void **out)
{
	const int code = fill(input, bytes);
	const size_t left = input->end - input->begin;

	assert(bytes <= FZ_TRACE_HEAD_BYTES);
	if (code)
		return code;
	if (left < bytes)
		return left ? -EBADMSG : 0;
	*out = input->window + input->begin;
	input->begin += bytes;
	return 1;
}
