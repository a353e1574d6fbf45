// SPDX-License-Identifier: GPL-2.0-or-later
/* Caches to model, from text. */
#include <fz/cache_spec.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fz/units.h>

#include "cache_words.h"

/* More than any word that means something. */
#define WORD_BYTES 64

/* How messages quote a word; a longer one is cut. */
#define QUOTED "'%.60s'"

/* A text being read. */
struct reading {
	struct fz_cache_spec *spec;
	struct fz_err *err;
	const struct fz_cache_spec *here;
	bool has_preset;
	unsigned int given; /* keys that were there, one bit each */
};

static int refuse(const struct reading *reading, const char *word,
		  const char *hint)
{
	return fz_err_set(reading->err, -EINVAL,
			  "'%.60s' is not understood: give %s", word, hint);
}

/* A size as fz_parse_bytes() reads it, but for a fraction: 10.5M. */
static bool read_bytes(const char *text, uint64_t *bytes)
{
	char number[WORD_BYTES], unit[WORD_BYTES] = "1";
	const size_t digits = strspn(text, "0123456789.");
	uint64_t unit_bytes;
	double value;

	if (strlen(text) >= WORD_BYTES - 1)
		return false;
	memcpy(number, text, digits);
	number[digits] = '\0';
	strcpy(unit + 1, text + digits);
	if (fz_parse_decimal(number, &value, NULL) ||
	    fz_parse_bytes(unit, &unit_bytes, NULL))
		return false;
	value *= (double)unit_bytes;
	if (value != floor(value) || value >= (double)(1ull << 53))
		return false;
	*bytes = (uint64_t)value;
	return true;
}

static bool read_unsigned(const char *text, unsigned int *value)
{
	uint64_t number;

	if (fz_parse_u64(text, &number, NULL) || number > UINT_MAX)
		return false;
	*value = (unsigned int)number;
	return true;
}

static bool read_cycles(const char *text, double *cycles)
{
	return !fz_parse_decimal(text, cycles, NULL) && *cycles > 0;
}

/* Cut the text at the first `mark`; the part behind it, NULL if there is none.
 */
static char *cut(char *text, char mark)
{
	char *at = strchr(text, mark);

	if (at)
		*at++ = '\0';
	return at;
}

static bool read_relation(const char *text, enum fz_cache_relation *relation)
{
	for (unsigned int i = 0; i < FZ_CACHE_NR_RELATIONS; i++) {
		*relation = (enum fz_cache_relation)i;
		if (strcmp(text, fz_cache_relation_name(*relation)) == 0)
			return true;
	}
	return false;
}

static int refuse_level(const struct reading *reading, const char *word)
{
	char names[256] = "";

	if (reading->here)
		strcpy(names, "here, ");
	for (const struct fz_cache_preset *preset = fz_cache_presets;
	     preset->name; preset++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names),
			 "%s, ", preset->name);
	return fz_err_set(reading->err, -EINVAL,
			  QUOTED " is no level: give SIZE/WAYS, then "
				 ":inclusive or :victim and @CYCLES if they "
				 "apply, as in 32K/8@4,1M/8:inclusive,"
				 "32M/16:victim; or, in front, one of %sand no "
				 "level",
			  word, names);
}

static int read_level(struct reading *reading, char *word)
{
	struct fz_cache_geometry *geometry = &reading->spec->geometry;
	struct fz_cache_level level = { .relation = FZ_CACHE_PLAIN };
	char copy[WORD_BYTES], *cycles, *relation, *ways;

	strcpy(copy, word);
	cycles = cut(copy, '@');
	relation = cut(copy, ':');
	ways = cut(copy, '/');
	if (!ways || !read_bytes(copy, &level.bytes) ||
	    !read_unsigned(ways, &level.ways) ||
	    (relation && !read_relation(relation, &level.relation)) ||
	    (cycles && !read_cycles(cycles, &level.latency_cycles)))
		return refuse_level(reading, word);
	if (reading->has_preset)
		return fz_err_set(reading->err, -EINVAL,
				  QUOTED " is a level beside those of a "
					 "preset: give either",
				  word);
	if (geometry->nr_levels == FZ_CACHE_MAX_LEVELS)
		return fz_err_set(reading->err, -EINVAL,
				  QUOTED " is one level too many: give at most "
					 "%d",
				  word, FZ_CACHE_MAX_LEVELS);
	geometry->level[geometry->nr_levels++] = level;
	return 0;
}

static bool read_line(struct fz_cache_spec *spec, char *value)
{
	uint64_t bytes;

	if (!read_bytes(value, &bytes) || bytes > UINT_MAX)
		return false;
	spec->geometry.line_bytes = (unsigned int)bytes;
	return true;
}

static bool read_memory(struct fz_cache_spec *spec, char *value)
{
	return read_cycles(value, &spec->geometry.memory_cycles);
}

static bool read_prefetch(struct fz_cache_spec *spec, char *value)
{
	struct fz_cache_prefetcher *is = &spec->geometry.prefetcher;
	char *degree, *distance;

	*is = (struct fz_cache_prefetcher){ 0 };
	if (strcmp(value, "0") == 0)
		return true;
	degree = cut(value, '/');
	distance = degree ? cut(degree, '/') : NULL;
	return distance && read_unsigned(value, &is->streams) && is->streams &&
	       read_unsigned(degree, &is->degree) &&
	       read_unsigned(distance, &is->distance);
}

static bool read_elide(struct fz_cache_spec *spec, char *value)
{
	struct fz_string_store *store = &spec->store;
	char *ramp;

	store->threshold_bytes = store->ramp_bytes = 0;
	if (strcmp(value, "0") == 0)
		return true;
	ramp = cut(value, '/');
	return ramp && read_bytes(value, &store->threshold_bytes) &&
	       store->threshold_bytes && read_bytes(ramp, &store->ramp_bytes);
}

static bool read_loads(struct fz_cache_spec *spec, char *value)
{
	return !fz_parse_decimal(value, &spec->store.loads_per_line, NULL);
}

static const struct {
	const char *name;
	bool (*read)(struct fz_cache_spec *spec, char *value);
	const char *hint;
} keys[] = {
	{ "line", read_line, "a size in bytes, as in line=64" },
	{ "memory", read_memory, "a latency in cycles, as in memory=300" },
	{ "prefetch", read_prefetch,
	  "STREAMS/DEGREE/DISTANCE, as in prefetch=16/2/1, or prefetch=0" },
	{ "elide", read_elide,
	  "THRESHOLD/RAMP, as in elide=32M/10.5M, or elide=0" },
	{ "loads", read_loads, "a number, as in loads=2.157" },
};

static int read_key(struct reading *reading, char *word)
{
	char copy[WORD_BYTES], *value;

	strcpy(copy, word);
	value = cut(copy, '=');
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(copy, keys[i].name) != 0)
			continue;
		if (reading->given & 1u << i)
			return fz_err_set(reading->err, -EINVAL,
					  "'%s' is given twice", copy);
		reading->given |= 1u << i;
		return keys[i].read(reading->spec, value)
			       ? 0
			       : refuse(reading, word, keys[i].hint);
	}
	return refuse(reading, word,
		      "line=, memory=, prefetch=, elide= or loads=");
}

static int read_word(struct reading *reading, char *word)
{
	return strchr(word, '=') ? read_key(reading, word)
				 : read_level(reading, word);
}

/* All words from `text` on, the first of which `reading` has not seen. */
static int read_words(struct reading *reading, const char *text)
{
	int code = 0;

	while (text && !code) {
		const size_t length = strcspn(text, ",");
		char word[WORD_BYTES];

		if (length == 0)
			return fz_err_set(reading->err, -EINVAL,
					  "a word between commas is empty: "
					  "give levels as in 32K/8,1M/8 with "
					  "one comma between them");
		if (length >= sizeof(word))
			return refuse(reading, text, "a shorter word");
		memcpy(word, text, length);
		word[length] = '\0';
		code = read_word(reading, word);
		text = text[length] ? text + length + 1 : NULL;
	}
	return code;
}

static bool first_word_is(const char *text, const char *name)
{
	const size_t length = strcspn(text, ",");

	return length == strlen(name) && strncmp(text, name, length) == 0;
}

static const struct fz_cache_preset *find_preset(const char *text)
{
	for (const struct fz_cache_preset *preset = fz_cache_presets;
	     preset->name; preset++)
		if (first_word_is(text, preset->name))
			return preset;
	return NULL;
}

/* The caches that the first word names, if it names some. */
static int read_preset(struct reading *reading, const char *text)
{
	const struct fz_cache_preset *preset = find_preset(text);
	int code = 0;

	if (preset)
		code = read_words(reading, preset->text);
	else if (reading->here && first_word_is(text, "here"))
		*reading->spec = *reading->here;
	else
		return 0;
	reading->has_preset = true;
	reading->given = 0;
	return code;
}

static int read_text(struct reading *reading, const char *text)
{
	int code = read_preset(reading, text);

	if (!code && reading->has_preset) {
		text = strchr(text, ',');
		return text ? read_words(reading, text + 1) : 0;
	}
	if (!code)
		code = read_words(reading, text);
	if (!code && reading->spec->geometry.nr_levels == 0)
		code = fz_err_set(reading->err, -EINVAL,
				  "there is no level: give them from the core "
				  "outward, as in 32K/8,1M/8,32M/16");
	return code;
}

int fz_cache_spec_parse(const char *text, const struct fz_cache_spec *here,
			struct fz_cache_spec *spec, struct fz_err *err)
{
	struct fz_cache_spec is = {
		.geometry.line_bytes = DEFAULT_LINE_BYTES,
	};
	struct reading reading = { .spec = &is, .err = err, .here = here };
	int code = read_text(&reading, text);

	if (!code)
		code = fz_cache_geometry_check(&is.geometry, err);
	if (!code)
		*spec = is;
	return code;
}
