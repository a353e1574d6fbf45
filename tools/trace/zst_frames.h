/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at the frames of zst while somebody else unpacks them. */
#ifndef FZ_ZST_FRAMES_H
#define FZ_ZST_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero it at the start. */
struct fz_zst_frames {
	unsigned int part; /* which is next */
	uint64_t skip;     /* bytes in front of it */
	uint8_t bytes[4];  /* [nr] of it so far */
	size_t nr;
	bool has_checksum;   /* the frame that is read */
	bool lacks_checksum; /* one of those so far */
};

/* The next bytes, in pieces of any length. */
void fz_zst_frames_add(struct fz_zst_frames *frames, const void *bytes,
		       size_t nr);

#endif
