/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks xz and zst. */
#ifndef FZ_BYTE_UNPACK_H
#define FZ_BYTE_UNPACK_H

#include <stdbool.h>

#include <fz/trace_input.h>

struct fz_unpack;

/* NULL without memory. */
struct fz_unpack *fz_unpack_new(struct fz_byte_source from);
void fz_unpack_free(struct fz_unpack *unpack);

/* As struct fz_byte_source reads; -EBADMSG for what is damaged. */
ssize_t fz_unpack_read(struct fz_unpack *unpack, void *buf, size_t cap);

/* What is wrong, after -EBADMSG. */
const char *fz_unpack_why(const struct fz_unpack *unpack);

/* Has a frame of zst been read that has none? */
bool fz_unpack_lacks_checksum(const struct fz_unpack *unpack);

#endif
