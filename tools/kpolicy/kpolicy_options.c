// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of foliosim kpolicy. */
#include "kpolicy_options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char help_text[] =
	"usage: foliosim kpolicy --linux DIR [OPTION]...\n"
	"\n"
	"Make a policy of what a kernel's source tree does: its function, and what\n"
	"that uses of mm/memory.c, mm/page_alloc.c and a few headers, is compiled as\n"
	"it stands there. The scheduler's calls and the stores become steps of a\n"
	"plan. Needs universal-ctags and a C compiler. A line is printed for every\n"
	"name that was used: from where in the tree it is, or that it is the shim's.\n"
	"See docs/bring-your-kernel.md.\n"
	"\n"
	"  --linux DIR        the tree; nothing is written into it\n"
	"  --function NAME    the function (by default folio_zero_user, or where\n"
	"                     there is none clear_huge_page); or FILE:NAME\n"
	"  --arch ARCH        whose headers: a folder of arch/ (default x86)\n"
	"  --config LIST      CONFIG_ words that are set, as HIGHMEM, or NAME=VALUE;\n"
	"                     NAME=n takes one away that is set by default. HIGHMEM\n"
	"                     stands for a kernel of 32 bits\n"
	"  --also FILE        read one more file of the tree; may be repeated\n"
	"  --shim FILE        a header that comes before the tree: what it defines is\n"
	"                     not taken from there\n"
	"  -o, --output FILE  the shared object (default ./NAME.so); the C that it is\n"
	"                     compiled from is beside it, FILE with .c\n"
	"  --help             this text\n"
	"\n"
	"The compiler is that of the environment variable CC, or cc.\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage, 77 there is no compiler or no ctags.\n";

enum option_id {
	OPT_LINUX = 1,
	OPT_FUNCTION,
	OPT_ARCH,
	OPT_CONFIG,
	OPT_ALSO,
	OPT_SHIM,
	OPT_HELP,
	OPT_OUTPUT = 'o',
};

static const struct option long_options[] = {
	{ "linux", required_argument, NULL, OPT_LINUX },
	{ "function", required_argument, NULL, OPT_FUNCTION },
	{ "arch", required_argument, NULL, OPT_ARCH },
	{ "config", required_argument, NULL, OPT_CONFIG },
	{ "also", required_argument, NULL, OPT_ALSO },
	{ "shim", required_argument, NULL, OPT_SHIM },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* They become lines of C. */
static bool is_config_word(const char *word)
{
	size_t i = 0;

	while (isalnum((unsigned char)word[i]) || word[i] == '_')
		i++;
	if (!i || isdigit((unsigned char)word[0]))
		return false;
	if (!word[i])
		return true;
	if (word[i++] != '=' || !word[i])
		return false;
	while (isalnum((unsigned char)word[i]) || word[i] == '_')
		i++;
	return !word[i];
}

static bool set_config(struct fz_kpolicy_options *options, const char *value)
{
	fz_list_fini(&options->config);
	options->has_config =
		fz_list_parse(&options->config, "--config", value);
	for (size_t i = 0; options->has_config && i < options->config.nr; i++)
		if (!is_config_word(options->config.words[i])) {
			fz_complain("--config: '%s' is neither a CONFIG_ word "
				    "nor NAME=VALUE",
				    options->config.words[i]);
			return false;
		}
	return options->has_config;
}

static bool add_also(struct fz_kpolicy_options *options, const char *value)
{
	if (options->tree.nr_also == FZ_KPOLICY_MAX_ALSO) {
		fz_complain("--also: more than %d files", FZ_KPOLICY_MAX_ALSO);
		return false;
	}
	options->also[options->tree.nr_also++] = value;
	return true;
}

static bool set_option(struct fz_kpolicy_options *options, int id,
		       const char *value)
{
	switch (id) {
	case OPT_LINUX:
		options->tree.root = value;
		return true;
	case OPT_FUNCTION:
		options->function = value;
		return true;
	case OPT_ARCH:
		options->tree.arch = value;
		if (!*value)
			fz_complain("--arch: '' is no folder of arch/");
		return *value;
	case OPT_CONFIG:
		return set_config(options, value);
	case OPT_ALSO:
		return add_also(options, value);
	case OPT_SHIM:
		options->tree.shim = value;
		return true;
	case OPT_OUTPUT:
		options->output = value;
		return true;
	default:
		return false;
	}
}

int fz_kpolicy_options_parse(struct fz_kpolicy_options *options, int argc,
			     char **argv)
{
	int id;

	*options = (struct fz_kpolicy_options){ .tree = { .arch = "x86" } };
	options->tree.also = options->also;
	while ((id = fz_option_next_of(argc, argv, ":o:", long_options)) !=
	       -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			options->help = true;
			return FZ_EXIT_DONE;
		}
		if (!set_option(options, id, optarg))
			return fz_usage("kpolicy");
	}
	if (!fz_option_no_arguments(argc, argv))
		return fz_usage("kpolicy");
	if (!options->tree.root) {
		fz_complain("--linux is missing: which source tree?");
		return fz_usage("kpolicy");
	}
	return FZ_EXIT_DONE;
}

void fz_kpolicy_options_fini(struct fz_kpolicy_options *options)
{
	fz_list_fini(&options->config);
}
