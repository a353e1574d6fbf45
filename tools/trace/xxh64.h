/* SPDX-License-Identifier: GPL-2.0-or-later */
/* XXH64, the hash that zst takes for a checksum. */
#ifndef FZ_XXH64_H
#define FZ_XXH64_H

#include <stddef.h>
#include <stdint.h>

#define FZ_XXH64_STRIPE 32u

/* Of bytes that come in pieces. */
struct fz_xxh64 {
	uint64_t lane[4];
	uint64_t nr; /* bytes so far; those of an unfinished stripe are kept */
	uint8_t rest[FZ_XXH64_STRIPE];
};

/* The seed is 0. */
struct fz_xxh64 fz_xxh64_begin(void);
void fz_xxh64_add(struct fz_xxh64 *hash, const void *bytes, size_t nr);
uint64_t fz_xxh64_value(const struct fz_xxh64 *hash);

#endif
