// SPDX-License-Identifier: GPL-2.0-or-later
/* What foliosim kpolicy tells: which name came from where. */
#include "kpolicy_table.h"

#include <stdlib.h>
#include <string.h>

#include "command_line.h"

static int name_width(const struct fz_kernel_closure *closure)
{
	size_t width = 0;

	for (size_t i = 0; i < closure->nr_chunks; i++)
		if (closure->chunks[i].used &&
		    strlen(closure->chunks[i].name) > width)
			width = strlen(closure->chunks[i].name);
	for (size_t i = 0; i < closure->nr_shims; i++)
		if (fz_kernel_closure_names(closure, closure->shims[i]->name) &&
		    strlen(closure->shims[i]->name) > width)
			width = strlen(closure->shims[i]->name);
	return (int)width;
}

static void print_chunk(FILE *out, const struct fz_kernel_tree *tree,
			const struct fz_kernel_chunk *chunk, int width)
{
	const struct fz_kernel_source *source = &tree->sources[chunk->source];

	if (source->part == FZ_KERNEL_SPARE) {
		fprintf(out, "%-*s  shim\n", width, chunk->name);
		return;
	}
	fprintf(out, "%-*s  ", width, chunk->name);
	if (chunk->form != FZ_KERNEL_VERBATIM)
		fputs("shim, for ", out);
	fprintf(out, "tree %s:%zu\n", source->name, chunk->line + 1);
}

/* Quoted where a shell would need it. */
static void print_next(FILE *out, char *object, bool has_address)
{
	char plan[] = "plan", policy[] = "--policy", size[] = "--folio-size",
	     bytes[] = "2M", page[] = "--fault-page", middle[] = "middle";
	char *words[] = { plan, policy, object, size, bytes, page, middle };
	char *command = fz_command_line(has_address ? 7 : 5, words);

	fprintf(out, "  %s\n", command ? command : "");
	free(command);
}

void fz_kpolicy_table(FILE *out, const struct fz_kernel_tree *tree,
		      const struct fz_kernel_closure *closure,
		      const struct fz_kpolicy_files *files, bool has_address)
{
	const int width = name_width(closure);

	for (size_t i = 0; i < closure->nr_chunks; i++)
		if (closure->chunks[i].used)
			print_chunk(out, tree, &closure->chunks[i], width);
	for (size_t i = 0; i < closure->nr_shims; i++) {
		const struct fz_kernel_tag *tag = closure->shims[i];
		const char *name = tree->sources[tag->source].name;

		if (!fz_kernel_closure_names(closure, tag->name))
			continue;
		fprintf(out, "%-*s  %s", width, tag->name, "shim");
		if (strcmp(name, "kpolicy_shim.h") != 0)
			fprintf(out, " %s:%zu", name, tag->line + 1);
		fputc('\n', out);
	}
	fprintf(out, "\nwrote %s, compiled from %s; next:\n", files->object,
		files->source);
	print_next(out, files->object, has_address);
}
