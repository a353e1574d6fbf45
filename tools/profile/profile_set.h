/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a profile by their keys: asked for, and replaced. */
#ifndef FZ_PROFILE_SET_H
#define FZ_PROFILE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/err.h>
#include <fz/profile.h>

/**
 * DOC: keys
 *
 * A key is where a number stands in the document: "hz", "memory.bps"; those of
 * a primitive begin with its name: "stosb.bps", "stosb.call_ns.up". Sizes and
 * bandwidths take K, M, G, T (1024-based), times also ns, us, ms, s.
 */

#define FZ_PROFILE_KEY_BYTES 64

/*
 * Is the number of that key known? The key must exist.
 */
bool fz_profile_knows(const struct fz_profile *profile, const char *key);

/* A value as it may be written for that key, which must exist: of the right
 * form and order of magnitude, and of no machine. */
const char *fz_profile_example(const char *key);

/* The number of that key, which must exist and be known. */
double fz_profile_number(const struct fz_profile *profile, const char *key);

/*
 * Replace a number: "memory.bps=300G". `key` gets the key, [cap]. Return: 0;
 * -EINVAL with a sentence: no such key, no such number. What contradicts
 * another number is not seen here: see fz_profile_check().
 */
int fz_profile_set(struct fz_profile *profile, const char *assignment,
		   char key[FZ_PROFILE_KEY_BYTES], struct fz_err *err);

/*
 * Could a document with these numbers be read? Return: 0; -EBADMSG with a
 * sentence; -ENOMEM.
 */
int fz_profile_check(const struct fz_profile *profile, struct fz_err *err);

#endif
