/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Caches to model, from and to text. */
#ifndef FZ_CACHE_SPEC_H
#define FZ_CACHE_SPEC_H

#include <stddef.h>

#include <fz/cache_plan.h>
#include <fz/err.h>

/**
 * DOC: text of a cache
 *
 * Words between commas. Levels from the core outward, each
 *
 *   SIZE/WAYS[:inclusive|:victim|:plain][@CYCLES]
 *
 * with the latency of a load that finds its line there; or, instead of levels,
 * the name of a preset. Then any of
 *
 *   line=BYTES                        size of a line, 64 if not given
 *   memory=CYCLES                     latency of memory
 *   prefetch=STREAMS/DEGREE/DISTANCE  the prefetcher, or prefetch=0
 *   elide=THRESHOLD/RAMP              string stores, or elide=0
 *   loads=N                           loads counted for a zeroed line
 *
 * each at most once. Sizes are 1024-based and may have a fraction if they come
 * to whole bytes: 10.5M.
 */

/* Bytes that fz_cache_spec_format() may need. */
#define FZ_CACHE_SPEC_BYTES 512

/**
 * struct fz_cache_preset - a core whose caches are public
 * @name: name in a text
 * @summary: which core
 * @text: its caches
 */
struct fz_cache_preset {
	const char *name;
	const char *summary;
	const char *text;
};

/* All of them; the last has no name. */
extern const struct fz_cache_preset fz_cache_presets[];

/**
 * fz_cache_relation_name() - its word in a text
 * @relation: the relation
 *
 * Return: a string constant.
 */
const char *fz_cache_relation_name(enum fz_cache_relation relation);

/**
 * fz_cache_spec_parse() - read a text
 * @text: the text
 * @here: what the word "here" stands for; NULL = nothing
 * @spec: written on success: a cache that fz_cache_geometry_check() takes
 * @err: message on failure
 *
 * Return: 0 or -EINVAL.
 */
int fz_cache_spec_parse(const char *text, const struct fz_cache_spec *here,
			struct fz_cache_spec *spec, struct fz_err *err);

/**
 * fz_cache_spec_format() - write a text that is read back to the same
 * @buf: [@cap], NUL-terminated afterwards
 * @cap: FZ_CACHE_SPEC_BYTES is enough
 * @spec: the caches
 *
 * What is not known, 0 or as if not given is left out.
 */
void fz_cache_spec_format(char *buf, size_t cap,
			  const struct fz_cache_spec *spec);

#endif
