/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs into one zst frame with a checksum, which libarchive's lack. */
#ifndef FZ_ZST_PACK_H
#define FZ_ZST_PACK_H

#include <fz/trace_format.h>

struct fz_zst_pack;

/* Of what is packed, into @to. NULL without memory. */
struct fz_zst_pack *fz_zst_pack_new(struct fz_byte_sink to);
void fz_zst_pack_free(struct fz_zst_pack *pack);

/* Bytes to pack. 0 or -errno. */
int fz_zst_pack_write(struct fz_zst_pack *pack, const void *bytes, size_t nr);

/* There are no more. 0 or -errno. */
int fz_zst_pack_end(struct fz_zst_pack *pack);

#endif
