/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks gzip, and checks its checksums, which libarchive does not. */
#ifndef FZ_BYTE_GUNZIP_H
#define FZ_BYTE_GUNZIP_H

#include <fz/trace_input.h>

struct fz_gunzip;

/* NULL without memory. */
struct fz_gunzip *fz_gunzip_new(struct fz_byte_source from);
void fz_gunzip_free(struct fz_gunzip *gunzip);

/* As struct fz_byte_source reads; -EBADMSG for what is damaged. */
ssize_t fz_gunzip_read(struct fz_gunzip *gunzip, void *buf, size_t cap);

/* What is wrong, after -EBADMSG. */
const char *fz_gunzip_why(const struct fz_gunzip *gunzip);

#endif
