/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs bytes on their way to a file. */
#ifndef FZ_BYTE_PACK_H
#define FZ_BYTE_PACK_H

#include <fz/trace_format.h>

enum fz_packing {
	FZ_PACKING_NONE,
	FZ_PACKING_GZ,
	FZ_PACKING_XZ,
	FZ_PACKING_ZST,
};

/* What the end of a file's name asks for; NULL = standard output: nothing. */
enum fz_packing fz_packing_of(const char *path);

struct fz_pack;

/* Of what is packed, into @to. NULL without memory, or without the packer. */
struct fz_pack *fz_pack_new(enum fz_packing packing, struct fz_byte_sink to);
void fz_pack_free(struct fz_pack *pack);

/* Bytes to pack. */
struct fz_byte_sink fz_pack_sink(struct fz_pack *pack);

/* There are no more. 0 or -errno. */
int fz_pack_end(struct fz_pack *pack);

#endif
