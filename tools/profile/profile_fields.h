/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a profile, one a line: for what reads and what writes them. */
#ifndef FZ_PROFILE_FIELDS_H
#define FZ_PROFILE_FIELDS_H

#include <stddef.h>

/* Longest time in a profile; longer ones are mistakes. */
#define FZ_PROFILE_MAX_NS 1e9

/* How a number is kept, and what stands for "not known". */
enum fz_profile_kind {
	FZ_PROFILE_REAL,         /* double; null = NAN */
	FZ_PROFILE_LATER,        /* double; null = NAN, and so is no member */
	FZ_PROFILE_CYCLES,       /* double; null = 0 */
	FZ_PROFILE_LATER_CYCLES, /* double; null = 0, and so is no member */
	FZ_PROFILE_NUMBER,       /* unsigned int; null = 0 */
	FZ_PROFILE_COUNT,        /* unsigned int, always known */
	FZ_PROFILE_BYTES,        /* uint64_t, always known */
};

/**
 * struct fz_profile_field - a member that is a number
 * @name: in JSON and in C
 * @kind: how it is kept
 * @offset: in its struct
 * @min: smallest that is understood
 * @max: largest
 */
struct fz_profile_field {
	const char *name;
	enum fz_profile_kind kind;
	size_t offset;
	double min;
	double max;
};

/* Lists that end with a name NULL, in the order of the document. */
extern const struct fz_profile_field fz_profile_fields[];
extern const struct fz_profile_field fz_profile_cache_fields[];
extern const struct fz_profile_field fz_profile_level_fields[];
extern const struct fz_profile_field fz_profile_prefetcher_fields[];
extern const struct fz_profile_field fz_profile_memory_fields[];
extern const struct fz_profile_field fz_profile_call_fields[];
extern const struct fz_profile_field fz_profile_clear_fields[];

/* By enum fz_cache_relation; NULL behind the last. */
extern const char *const fz_profile_relations[];

#endif
