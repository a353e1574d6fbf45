// SPDX-License-Identifier: GPL-2.0-or-later
/* The configuration that the running kernel was built with. */
#include "machine_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file_lines.h"

#define PIECE_BYTES (64u << 10)

/* windowBits of inflateInit2(): the largest window, with a gzip header. */
#define GZIP_WINDOW_BITS (15 + 16)

static bool config_take(void *arg, char *line)
{
	struct fz_kconfig *config = arg;
	const struct {
		const char *line;
		bool *set;
	} options[] = {
		{ "CONFIG_PREEMPT_NONE=y", &config->preempt_none },
		{ "CONFIG_PREEMPT_VOLUNTARY=y", &config->preempt_voluntary },
		{ "CONFIG_PREEMPT=y", &config->preempt_full },
		{ "CONFIG_PREEMPT_LAZY=y", &config->preempt_lazy },
		{ "CONFIG_PREEMPT_RT=y", &config->preempt_rt },
		{ "CONFIG_PREEMPT_DYNAMIC=y", &config->preempt_dynamic },
		{ "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y", &config->init_on_alloc },
	};

	if (strncmp(line, "CONFIG_", strlen("CONFIG_")) != 0)
		return true;
	config->known = true;
	sscanf(line, "CONFIG_HZ=%u", &config->hz);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(line, options[i].line) == 0)
			*options[i].set = true;
	}
	return true;
}

/* Hands on what one piece of the compressed file unfolds to. */
static int piece_inflate(z_stream *stream, struct fz_lines *lines)
{
	unsigned char out[16 << 10];
	int code = Z_OK;

	while (code == Z_OK && stream->avail_in > 0) {
		stream->next_out = out;
		stream->avail_out = sizeof(out);
		code = inflate(stream, Z_NO_FLUSH);
		fz_lines_feed(lines, (const char *)out,
			      sizeof(out) - stream->avail_out);
	}
	return code;
}

/* A file that breaks off is believed as far as it goes. */
static void gzip_lines(const struct fz_hooks *hooks, const char *path,
		       struct fz_lines *lines)
{
	unsigned char *piece = malloc(PIECE_BYTES);
	z_stream stream = { 0 };
	uint64_t offset = 0;
	int code = Z_OK;
	ssize_t got;

	if (!piece || inflateInit2(&stream, GZIP_WINDOW_BITS) != Z_OK) {
		free(piece);
		return;
	}
	while (code == Z_OK) {
		got = hooks->read_file(hooks->state, hooks->root, path, offset,
				       piece, PIECE_BYTES);
		if (got <= 0)
			break;
		offset += (uint64_t)got;
		stream.next_in = piece;
		stream.avail_in = (unsigned int)got;
		code = piece_inflate(&stream, lines);
	}
	fz_lines_end(lines);
	inflateEnd(&stream);
	free(piece);
}

void fz_kconfig_read(const struct fz_hooks *hooks, const char *release,
		     struct fz_kconfig *config)
{
	struct fz_lines lines = { .take = config_take, .arg = config };
	char path[128];

	memset(config, 0, sizeof(*config));
	gzip_lines(hooks, "/proc/config.gz", &lines);
	if (config->known || release[0] == '\0' || strchr(release, '/'))
		return;
	snprintf(path, sizeof(path), "/boot/config-%s", release);
	fz_file_lines(hooks, path, config_take, config);
}
