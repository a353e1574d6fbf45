// SPDX-License-Identifier: GPL-2.0-or-later
/* One frame, through libzstd. */
#include "zst_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

struct fz_zst_pack {
	struct fz_byte_sink to;
	ZSTD_CCtx *context;
	char packed[1 << 16];
};

struct fz_zst_pack *fz_zst_pack_new(struct fz_byte_sink to)
{
	struct fz_zst_pack *pack = calloc(1, sizeof(*pack));

	if (!pack)
		return NULL;
	pack->to = to;
	pack->context = ZSTD_createCCtx();
	if (pack->context && !ZSTD_isError(ZSTD_CCtx_setParameter(
				     pack->context, ZSTD_c_checksumFlag, 1)))
		return pack;
	fz_zst_pack_free(pack);
	return NULL;
}

void fz_zst_pack_free(struct fz_zst_pack *pack)
{
	if (pack)
		ZSTD_freeCCtx(pack->context);
	free(pack);
}

/* One step; @left: what libzstd still holds, in its own measure. */
static int step(struct fz_zst_pack *pack, ZSTD_inBuffer *in,
		ZSTD_EndDirective what, size_t *left)
{
	ZSTD_outBuffer out = { pack->packed, sizeof(pack->packed), 0 };

	*left = ZSTD_compressStream2(pack->context, &out, in, what);
	if (ZSTD_isError(*left))
		return -EIO;
	return out.pos ? pack->to.write(pack->to.state, pack->packed, out.pos)
		       : 0;
}

int fz_zst_pack_write(struct fz_zst_pack *pack, const void *bytes, size_t nr)
{
	ZSTD_inBuffer in = { bytes, nr, 0 };
	size_t left;
	int code = 0;

	while (in.pos < in.size && !code)
		code = step(pack, &in, ZSTD_e_continue, &left);
	return code;
}

int fz_zst_pack_end(struct fz_zst_pack *pack)
{
	ZSTD_inBuffer in = { NULL, 0, 0 };
	size_t left = 1;
	int code = 0;

	while (left && !code)
		code = step(pack, &in, ZSTD_e_end, &left);
	return code;
}
