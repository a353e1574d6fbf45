// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a file, and looks at its first bytes for what unpacks it. */
#include "byte_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "byte_gunzip.h"
#include "byte_unpack.h"
#include "stop_signal.h"

/* As many as an xz needs to its flags. */
#define HEAD_BYTES 8u

/* Of the last of them, bits 0-3: the kind of checksum, 0 = none. */
#define XZ_CHECK_KIND 0xf

/* A signal may come just before a wait for bytes begins. */
#define LOOK_MS 100

struct fz_byte_input {
	int fd;
	int stop_before;   /* a signal that came before it was opened */
	uint64_t nr_bytes; /* of the file; 0 = it has no size */
	uint64_t nr_read;
	char head[HEAD_BYTES]; /* [nr_head], read to look at */
	size_t nr_head, used_head;
	struct fz_gunzip *gunzip; /* at most one of them */
	struct fz_unpack *unpack;
	bool is_unchecked_xz; /* its first stream, of which there is only one
				 unless files were put together */
};

/* Who is asked to stop does not wait for a pipe that says nothing. */
static int wait_for_bytes(const struct fz_byte_input *input)
{
	struct pollfd poll_fd = { .fd = input->fd, .events = POLLIN };

	while (poll(&poll_fd, 1, LOOK_MS) <= 0)
		if (*fz_stop_signal() != input->stop_before)
			return -EINTR;
	return 0;
}

/* A pipe may be non-blocking by somebody else's choice. */
static ssize_t read_fd(const struct fz_byte_input *input, void *buf, size_t cap)
{
	for (;;) {
		const int code = wait_for_bytes(input);
		ssize_t got;

		if (code)
			return code;
		got = read(input->fd, buf, cap);
		if (got >= 0)
			return got;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
	}
}

static ssize_t read_plain(void *state, void *buf, size_t cap)
{
	struct fz_byte_input *input = state;
	size_t nr = input->nr_head - input->used_head;

	if (!nr) {
		const ssize_t got = read_fd(input, buf, cap);

		input->nr_read += got > 0 ? (uint64_t)got : 0;
		return got;
	}
	nr = nr < cap ? nr : cap;
	memcpy(buf, input->head + input->used_head, nr);
	input->used_head += nr;
	return (ssize_t)nr;
}

static int read_head(struct fz_byte_input *input)
{
	ssize_t got = 1;

	while (got > 0 && input->nr_head < HEAD_BYTES) {
		got = read_fd(input, input->head + input->nr_head,
			      HEAD_BYTES - input->nr_head);
		if (got > 0)
			input->nr_head += (size_t)got;
	}
	return got < 0 ? (int)got : 0;
}

static bool begins_with(const struct fz_byte_input *input, const char *magic,
			size_t bytes)
{
	return input->nr_head >= bytes &&
	       memcmp(input->head, magic, bytes) == 0;
}

static bool is_xz(const struct fz_byte_input *input)
{
	static const char magic[] = { '\xfd', '7', 'z', 'X', 'Z', '\0' };

	return begins_with(input, magic, sizeof(magic));
}

/* A frame that is skipped may come first: pzstd has one of sixteen kinds. */
static bool is_zst(const struct fz_byte_input *input)
{
	return begins_with(input, "\x28\xb5\x2f\xfd", 4) ||
	       (input->nr_head >= 4 && (input->head[0] & 0xf0) == 0x50 &&
		memcmp(input->head + 1, "\x2a\x4d\x18", 3) == 0);
}

static int find_packing(struct fz_byte_input *input)
{
	const struct fz_byte_source plain = { input, read_plain };

	if (begins_with(input, "\x1f\x8b", 2)) {
		input->gunzip = fz_gunzip_new(plain);
		return input->gunzip ? 0 : -ENOMEM;
	}
	if (is_xz(input) || is_zst(input)) {
		input->is_unchecked_xz =
			is_xz(input) && input->nr_head == HEAD_BYTES &&
			!(input->head[HEAD_BYTES - 1] & XZ_CHECK_KIND);
		input->unpack = fz_unpack_new(plain);
		return input->unpack ? 0 : -ENOMEM;
	}
	return 0;
}

static int open_fd(struct fz_byte_input *input)
{
	struct stat status;
	int code;

	if (fstat(input->fd, &status))
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	if (S_ISREG(status.st_mode))
		input->nr_bytes = (uint64_t)status.st_size;
	posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	code = read_head(input);
	return code ? code : find_packing(input);
}

int fz_byte_input_open_fd(struct fz_byte_input **out, int fd, const char *name,
			  struct fz_err *err)
{
	struct fz_byte_input *input = calloc(1, sizeof(*input));
	int code = -ENOMEM;

	if (input) {
		input->fd = fd;
		input->stop_before = *fz_stop_signal();
		code = open_fd(input);
	}
	if (!code) {
		*out = input;
		return 0;
	}
	if (!input && fd != STDIN_FILENO)
		close(fd);
	fz_byte_input_close(input);
	return fz_err_set(err, code, "cannot read '%s': %s", name,
			  strerror(-code));
}

int fz_byte_input_open(struct fz_byte_input **out, const char *path,
		       struct fz_err *err)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return fz_byte_input_open_fd(out, STDIN_FILENO,
					     "standard input", err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fz_byte_input_open_fd(out, fd, path, err);
	return fz_err_set(err, -errno, "cannot read '%s': %s", path,
			  strerror(errno));
}

void fz_byte_input_close(struct fz_byte_input *input)
{
	if (!input)
		return;
	fz_gunzip_free(input->gunzip);
	fz_unpack_free(input->unpack);
	if (input->fd != STDIN_FILENO)
		close(input->fd);
	free(input);
}

static ssize_t input_read(void *state, void *buf, size_t cap)
{
	struct fz_byte_input *input = state;

	if (input->gunzip)
		return fz_gunzip_read(input->gunzip, buf, cap);
	if (input->unpack)
		return fz_unpack_read(input->unpack, buf, cap);
	return read_plain(input, buf, cap);
}

struct fz_byte_source fz_byte_input_source(struct fz_byte_input *input)
{
	return (struct fz_byte_source){ .state = input, .read = input_read };
}

const char *fz_byte_input_why(const struct fz_byte_input *input)
{
	if (input->gunzip)
		return fz_gunzip_why(input->gunzip);
	return input->unpack && fz_unpack_why(input->unpack)[0]
		       ? fz_unpack_why(input->unpack)
		       : NULL;
}

bool fz_byte_input_lacks_checksum(const struct fz_byte_input *input)
{
	return input->unpack && (input->is_unchecked_xz ||
				 fz_unpack_lacks_checksum(input->unpack));
}

struct fz_byte_share fz_byte_input_share(const struct fz_byte_input *input)
{
	const uint64_t done = input->nr_read + input->nr_head;

	/* It may have grown. */
	return (struct fz_byte_share){
		.done = done < input->nr_bytes ? done : input->nr_bytes,
		.all = input->nr_bytes,
	};
}
