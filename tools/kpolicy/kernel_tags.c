// SPDX-License-Identifier: GPL-2.0-or-later
/* What C files define, as universal-ctags sees it. */
#include "kernel_tags.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "captured.h"
#include "view.h"

#define NEEDS "universal-ctags is needed: apt-get install universal-ctags"

/* Exuberant ctags has the same name, and knows no parameters. */
static int check_ctags(struct fz_err *err)
{
	static const char *const argv[] = { "ctags", "--version", NULL };
	char *text;
	int code = fz_captured_run(argv, &text, NULL);

	if (code < 0)
		return fz_err_set(err, code == -ENOENT ? -ENOENT : code,
				  code == -ENOENT ? "there is no ctags; " NEEDS
						  : "cannot run 'ctags'");
	code = strstr(text, "Universal Ctags") ? 0 : -ENOENT;
	free(text);
	return code ? fz_err_set(err, code, "this ctags is another one; " NEEDS)
		    : 0;
}

/*
 * Files as they were read, under names that have nothing to escape.
 */
struct handed {
	int *fds;          /* [nr] */
	char (*paths)[64]; /* [nr] */
	size_t nr;
};

static void hand_back(struct handed *handed)
{
	for (size_t i = 0; i < handed->nr; i++)
		close(handed->fds[i]);
	free(handed->fds);
	free(handed->paths);
}

static int hand_over(struct handed *handed,
		     const struct fz_kernel_source *sources, size_t nr_sources)
{
	int code = 0;

	*handed = (struct handed){
		.fds = calloc(nr_sources, sizeof(*handed->fds)),
		.paths = calloc(nr_sources, sizeof(*handed->paths)),
	};
	if (!handed->fds || !handed->paths)
		return -ENOMEM;
	for (size_t i = 0; i < nr_sources && !code; i++) {
		const int fd = memfd_create("foliosim", MFD_CLOEXEC);

		if (fd < 0)
			return -errno;
		handed->fds[handed->nr++] = fd;
		snprintf(handed->paths[i], sizeof(handed->paths[i]),
			 "/proc/%d/fd/%d", (int)getpid(), fd);
		code = fz_write_fd(fd, sources[i].text, sources[i].bytes);
	}
	return code;
}

/* Its last line says why, after its name; it may have a new line at its end. */
static int tell_failure(char *said, int status, struct fz_err *err)
{
	static const char prefix[] = "ctags: ";
	size_t length = strlen(said);
	const char *line;

	while (length && said[length - 1] == '\n')
		said[--length] = '\0';
	line = strrchr(said, '\n');
	line = line ? line + 1 : said;
	if (strncmp(line, prefix, sizeof(prefix) - 1) == 0)
		line += sizeof(prefix) - 1;
	return fz_err_set(err, -EINVAL, "'ctags' failed with %d%s%.200s",
			  status, *line ? ": " : "", line);
}

static int run_ctags(const struct handed *handed, char **text,
		     struct fz_err *err)
{
	static const char *const words[] = {
		/* Headers would be C++, and files of options are the user's. */
		"ctags",
		"--options=NONE",
		"--language-force=C",
		"--kinds-C=defgmpstuvlzD",
		"--fields=kneS",
		/* Attributes behind a variable's name would hide it. */
		"-I",
		"__read_mostly,__ro_after_init,__initdata,__initconst,"
		"__meminitdata,__refdata,__cacheline_aligned,"
		"__cacheline_aligned_in_smp,____cacheline_aligned,"
		"____cacheline_aligned_in_smp,__latent_entropy,__used,"
		"__maybe_unused,__always_unused,noinline_for_stack,noinline,"
		"__always_inline,__init,__meminit,__ref,__sched,__cold,"
		"__must_check,__percpu",
		"--excmd=number",
		"--sort=no",
		"-f",
		"-",
	};
	const size_t nr_words = sizeof(words) / sizeof(words[0]);
	const char **argv = calloc(nr_words + handed->nr + 1, sizeof(*argv));
	char *said = NULL;
	int code;

	if (!argv)
		return fz_err_set(err, -ENOMEM, "out of memory");
	memcpy(argv, words, sizeof(words));
	for (size_t i = 0; i < handed->nr; i++)
		argv[nr_words + i] = handed->paths[i];
	code = fz_captured_run(argv, text, &said);
	free(argv);
	if (code < 0)
		return fz_err_set(err, code, "cannot run 'ctags': %s",
				  strerror(-code));
	if (code > 0) {
		free(*text);
		*text = NULL;
		code = tell_failure(said, code, err);
	}
	free(said);
	return code;
}

/* Cut at the next tab or line's end, which become 0. NULL at the end. */
static char *next_field(char **at)
{
	char *field = *at;

	if (!field)
		return NULL;
	*at = strchr(field, '\t');
	if (*at)
		*(*at)++ = '\0';
	return field;
}

/* Files come in the order that they were given in. */
static bool find_source(const struct handed *handed, const char *path,
			size_t *i)
{
	for (size_t n = 0; n < handed->nr; n++, *i = (*i + 1) % handed->nr)
		if (strcmp(handed->paths[*i], path) == 0)
			return true;
	return false;
}

static size_t line_of(const char *number)
{
	const size_t line = strtoull(number, NULL, 10);

	return line ? line - 1 : 0;
}

/* name, path, line;", letter, and fields that have names. */
static bool parse_line(struct fz_kernel_tag *tag, char *line,
		       const struct fz_kernel_source *sources,
		       const struct handed *handed, size_t *source)
{
	const char *name = next_field(&line);
	const char *path = next_field(&line);
	const char *number = next_field(&line);
	const char *kind = next_field(&line);
	const char *field;

	if (!kind || !find_source(handed, path, source))
		return false;
	*tag = (struct fz_kernel_tag){
		.name = name,
		.source = *source,
		.kind = *kind,
		.line = line_of(number),
		.end = FZ_KERNEL_NO_LINE,
	};
	while ((field = next_field(&line))) {
		if (strncmp(field, "end:", 4) == 0)
			tag->end = line_of(field + 4);
		else if (strncmp(field, "signature:", 10) == 0)
			tag->signature = field + 10;
	}
	return tag->line < sources[*source].nr_lines;
}

static int by_name(const void *a, const void *b)
{
	const struct fz_kernel_tag *left = a, *right = b;
	const int order = strcmp(left->name, right->name);

	if (order)
		return order;
	if (left->source != right->source)
		return left->source < right->source ? -1 : 1;
	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return (left->kind > right->kind) - (left->kind < right->kind);
}

static int parse_tags(struct fz_kernel_tags *tags,
		      const struct fz_kernel_source *sources,
		      const struct handed *handed)
{
	size_t nr = 0, source = 0;

	for (const char *at = tags->text; *at; at++)
		nr += *at == '\n';
	tags->tags = calloc(nr + 1, sizeof(*tags->tags));
	if (!tags->tags)
		return -ENOMEM;
	for (char *line = tags->text, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (*line != '!' && parse_line(&tags->tags[tags->nr], line,
					       sources, handed, &source))
			tags->nr++;
	}
	qsort(tags->tags, tags->nr, sizeof(*tags->tags), by_name);
	return 0;
}

int fz_kernel_tags_read(struct fz_kernel_tags *tags,
			const struct fz_kernel_source *sources,
			size_t nr_sources, struct fz_err *err)
{
	struct handed handed = { .nr = 0 };
	int code;

	*tags = (struct fz_kernel_tags){ .text = NULL };
	code = check_ctags(err);
	if (code)
		return code;
	code = hand_over(&handed, sources, nr_sources);
	if (code)
		fz_err_set(err, code, "cannot hand files to 'ctags': %s",
			   strerror(-code));
	if (!code)
		code = run_ctags(&handed, &tags->text, err);
	if (!code && parse_tags(tags, sources, &handed))
		code = fz_err_set(err, -ENOMEM, "out of memory");
	hand_back(&handed);
	return code;
}

void fz_kernel_tags_fini(struct fz_kernel_tags *tags)
{
	free(tags->tags);
	free(tags->text);
}

const struct fz_kernel_tag *
fz_kernel_tags_find(const struct fz_kernel_tags *tags, const char *name)
{
	size_t low = 0, high = tags->nr;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(tags->tags[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == tags->nr || strcmp(tags->tags[low].name, name) != 0)
		return NULL;
	return &tags->tags[low];
}

const struct fz_kernel_tag *
fz_kernel_tags_next(const struct fz_kernel_tags *tags,
		    const struct fz_kernel_tag *tag)
{
	const struct fz_kernel_tag *next = tag + 1;

	if (next == tags->tags + tags->nr || strcmp(next->name, tag->name) != 0)
		return NULL;
	return next;
}
