// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading option values and saying what is wrong with them. */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "printable.h"

void fz_complain(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		fputs("foliosim: no memory to say what failed\n", stderr);
		return;
	}
	fz_make_harmless(text);
	fprintf(stderr, "foliosim: %s\n", text);
	free(text);
}

/* The name of the option with this val; NULL if there is none. */
static const char *option_name(const struct option *options, int val)
{
	while (options->name && options->val != val)
		options++;
	return options->name;
}

int fz_option_next(int argc, char **argv, const struct option *options)
{
	return fz_option_next_of(argc, argv, ":", options);
}

int fz_option_next_of(int argc, char **argv, const char *letters,
		      const struct option *options)
{
	const char *name;
	int val;

	opterr = 0;
	val = getopt_long(argc, argv, letters, options, NULL);
	if (val != '?' && val != ':')
		return val;
	/* 0 is an unknown long option, a character a short one. */
	name = option_name(options, optopt);
	if (name && argv[optind - 1][1] == '-')
		fz_complain("option '--%s' %s", name,
			    val == ':' ? "needs a value" : "takes no value");
	else if (val == ':')
		fz_complain("option '-%c' needs a value", optopt);
	else if (optopt)
		fz_complain("unknown option '-%c'", optopt);
	else
		fz_complain("unknown or ambiguous option '%s'",
			    argv[optind - 1]);
	return '?';
}

char *fz_option_optional_value(int argc, char **argv)
{
	if (optarg || optind >= argc || argv[optind][0] == '-')
		return optarg;
	return argv[optind++];
}

bool fz_option_no_arguments(int argc, char **argv)
{
	if (optind >= argc)
		return true;
	fz_complain("unexpected argument '%s'", argv[optind]);
	return false;
}

int fz_usage(const char *command)
{
	fz_complain("try 'foliosim %s --help'", command);
	return FZ_EXIT_USAGE;
}

int fz_output_failed(int error)
{
	fz_complain("cannot write to standard output: %s", strerror(-error));
	return FZ_EXIT_FAILED;
}

void fz_list_fini(struct fz_list *list)
{
	free(list->text);
	*list = (struct fz_list){ .text = NULL };
}

static bool list_holds(const struct fz_list *list, const char *word)
{
	for (size_t i = 0; i < list->nr; i++)
		if (strcmp(list->words[i], word) == 0)
			return true;
	return false;
}

static bool list_append(struct fz_list *list, const char *option,
			const char *word)
{
	if (word[0] == '\0') {
		fz_complain("%s: an empty word in the list: give words with "
			    "one comma between them",
			    option);
		return false;
	}
	if (list_holds(list, word)) {
		fz_complain("%s: '%s' is given twice", option, word);
		return false;
	}
	if (list->nr == FZ_LIST_MAX) {
		fz_complain("%s: more than %d words", option, FZ_LIST_MAX);
		return false;
	}
	list->words[list->nr++] = word;
	return true;
}

bool fz_list_parse(struct fz_list *list, const char *option, const char *value)
{
	char *rest, *word;

	*list = (struct fz_list){ .text = strdup(value) };
	rest = list->text;
	if (!rest) {
		fz_complain("%s: no memory", option);
		return false;
	}
	while ((word = strsep(&rest, ","))) {
		if (!list_append(list, option, word)) {
			fz_list_fini(list);
			return false;
		}
	}
	return true;
}

bool fz_option_bytes(const char *option, const char *value, uint64_t *bytes)
{
	struct fz_err err;
	uint64_t parsed;

	if (fz_parse_bytes(value, &parsed, &err)) {
		fz_complain("%s: %s", option, err.msg);
		return false;
	}
	if (parsed == 0) {
		fz_complain("%s: size '%s' is empty: give more than 0", option,
			    value);
		return false;
	}
	if (parsed > FZ_OPTION_MAX_BYTES) {
		fz_complain("%s: size '%s' is too large: give at most 4194304T",
			    option, value);
		return false;
	}
	*bytes = parsed;
	return true;
}

bool fz_option_pages(const char *option, const char *value, uint64_t *pages)
{
	uint64_t bytes;

	if (!fz_option_bytes(option, value, &bytes))
		return false;
	if (bytes % FZ_PAGE_BYTES) {
		fz_complain("%s: size '%s' is no multiple of a page: give "
			    "4K, 8K, 12K and so on",
			    option, value);
		return false;
	}
	*pages = bytes >> FZ_PAGE_SHIFT;
	return true;
}

bool fz_option_number(const char *option, const char *value, uint64_t min,
		      uint64_t max, uint64_t *number)
{
	struct fz_err err;
	uint64_t parsed;

	if (fz_parse_u64(value, &parsed, &err)) {
		fz_complain("%s: %s", option, err.msg);
		return false;
	}
	if (parsed < min || parsed > max) {
		fz_complain("%s: %s is out of range: give %llu to %llu", option,
			    value, (unsigned long long)min,
			    (unsigned long long)max);
		return false;
	}
	*number = parsed;
	return true;
}

void fz_complain_known(const char *what, const char *word, const char *known)
{
	fz_complain("unknown %s '%.100s': known are %s", what, word,
		    known ? known : "more than there is memory for");
}

void fz_complain_unknown(const char *what, const char *word,
			 const char *(*name_at)(size_t i))
{
	const char *name;
	char *known = NULL;
	size_t bytes;
	FILE *out = open_memstream(&known, &bytes);

	for (size_t i = 0; out && (name = name_at(i)); i++)
		fprintf(out, "%s%s", i ? ", " : "", name);
	if (out)
		fclose(out);
	fz_complain_known(what, word, known);
	free(known);
}

bool fz_option_index(const char *what, const char *word,
		     const char *(*name_at)(size_t i), size_t *index)
{
	const char *name;

	for (size_t i = 0; (name = name_at(i)); i++) {
		if (strcmp(name, word) == 0) {
			*index = i;
			return true;
		}
	}
	fz_complain_unknown(what, word, name_at);
	return false;
}
