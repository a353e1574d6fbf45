// SPDX-License-Identifier: GPL-2.0-or-later
/* Caches to model, to text. */
#include <fz/cache_spec.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <fz/units.h>

#include "cache_words.h"

const char *fz_cache_relation_name(enum fz_cache_relation relation)
{
	static const char *const names[FZ_CACHE_NR_RELATIONS] = {
		[FZ_CACHE_PLAIN] = "plain",
		[FZ_CACHE_INCLUSIVE] = "inclusive",
		[FZ_CACHE_VICTIM] = "victim",
	};

	return names[relation];
}

struct number_text {
	char text[FZ_FORMAT_BYTES];
};

static struct number_text size_of(uint64_t bytes)
{
	struct number_text size;

	fz_format_bytes(size.text, sizeof(size.text), bytes);
	return size;
}

/* As few digits as bring the number back. */
static struct number_text number_of(double value)
{
	struct number_text number;
	double back;

	for (int decimals = 0; decimals < 15; decimals++) {
		snprintf(number.text, sizeof(number.text), "%.*f", decimals,
			 value);
		if (!fz_parse_decimal(number.text, &back, NULL) &&
		    back == value)
			break;
	}
	return number;
}

/* A text that grows. */
struct writing {
	char *at;
	size_t left;
};

static void put(struct writing *writing, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct writing *writing, const char *format, ...)
{
	va_list args;
	size_t length;

	va_start(args, format);
	vsnprintf(writing->at, writing->left, format, args);
	va_end(args);
	length = strlen(writing->at);
	writing->at += length;
	writing->left -= length;
}

static void put_level(struct writing *writing,
		      const struct fz_cache_level *level)
{
	put(writing, "%s/%u", size_of(level->bytes).text, level->ways);
	if (level->relation != FZ_CACHE_PLAIN)
		put(writing, ":%s", fz_cache_relation_name(level->relation));
	if (level->latency_cycles > 0)
		put(writing, "@%s", number_of(level->latency_cycles).text);
}

static void put_store(struct writing *writing,
		      const struct fz_string_store *store)
{
	if (store->threshold_bytes)
		put(writing, ",elide=%s/%s",
		    size_of(store->threshold_bytes).text,
		    size_of(store->ramp_bytes).text);
	if (store->loads_per_line > 0)
		put(writing, ",loads=%s",
		    number_of(store->loads_per_line).text);
}

void fz_cache_spec_format(char *buf, size_t cap,
			  const struct fz_cache_spec *spec)
{
	const struct fz_cache_geometry *geometry = &spec->geometry;
	const struct fz_cache_prefetcher *ahead = &geometry->prefetcher;
	struct writing writing = { .at = buf, .left = cap };

	for (unsigned int i = 0; i < geometry->nr_levels; i++) {
		if (i)
			put(&writing, ",");
		put_level(&writing, &geometry->level[i]);
	}
	if (geometry->line_bytes != DEFAULT_LINE_BYTES)
		put(&writing, ",line=%u", geometry->line_bytes);
	if (geometry->memory_cycles > 0)
		put(&writing, ",memory=%s",
		    number_of(geometry->memory_cycles).text);
	if (ahead->streams)
		put(&writing, ",prefetch=%u/%u/%u", ahead->streams,
		    ahead->degree, ahead->distance);
	put_store(&writing, &spec->store);
}
