// SPDX-License-Identifier: GPL-2.0-or-later
/* Multi-size THP: a mapping for every page, and room for so many. */
#include "mthp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file_lines.h"
#include "size_text.h"
#include "thp_files.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif

#define MAX_MAPS "/proc/sys/vm/max_map_count"

/* Mappings that a run makes beside its buffers: arenas, stacks, records. */
#define MAPS_BESIDE 256u

#define MIB ((uint64_t)1 << 20)

/* UINT64_MAX, so that all sizes are below it, where there is none. */
static uint64_t pmd_bytes(const struct fz_hooks *hooks)
{
	uint64_t bytes = UINT64_MAX;

	fz_read_u64(hooks, FZ_THP_DIR "/hpage_pmd_size", &bytes);
	return bytes;
}

void fz_mthp_list(const struct fz_hooks *hooks, char text[FZ_MTHP_LIST_BYTES])
{
	const uint64_t limit = pmd_bytes(hooks);
	struct fz_mthp mthp[FZ_MAX_MTHP];
	const size_t nr = fz_mthp_read(hooks, mthp);
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < nr && used < FZ_MTHP_LIST_BYTES; i++)
		if (mthp[i].bytes < limit)
			used += (size_t)snprintf(
				text + used, FZ_MTHP_LIST_BYTES - used, "%s%s",
				used ? ", " : "",
				fz_size_text(mthp[i].bytes).text);
}

int fz_mthp_size_check(const struct fz_hooks *hooks, uint64_t page_bytes,
		       struct fz_err *err)
{
	char path[FZ_THP_PATH_BYTES], word[FZ_THP_WORD_BYTES];
	char known[FZ_MTHP_LIST_BYTES];

	if (page_bytes == pmd_bytes(hooks))
		return fz_err_set(err, -ENOTSUP,
				  "transparent huge pages of %s are those of "
				  "the PMD size: ask for 'thp'",
				  fz_size_text(page_bytes).text);
	fz_thp_size_path(path, page_bytes, "enabled");
	fz_mthp_list(hooks, known);
	if (page_bytes < pmd_bytes(hooks) &&
	    fz_thp_word_read(hooks, path, word, sizeof(word)) == 0)
		return 0;
	if (!known[0])
		return fz_err_set(err, -ENOTSUP,
				  "the kernel has no mTHP: '%s' is missing; "
				  "it came with Linux 6.8",
				  path);
	return fz_err_set(err, -ENOTSUP,
			  "the kernel has no mTHP of %s; it has %s",
			  fz_size_text(page_bytes).text, known);
}

static bool count_line(void *arg, char *line)
{
	uint64_t *nr = arg;

	(void)line;
	++*nr;
	return true;
}

int fz_mthp_room_check(const struct fz_hooks *hooks, uint64_t page_bytes,
		       uint64_t bytes, struct fz_err *err)
{
	const uint64_t nr_pages = bytes / page_bytes;
	uint64_t used = MAPS_BESIDE, limit, left, most_bytes;
	char advice[64] = "ask for less";

	if (fz_read_u64(hooks, MAX_MAPS, &limit) ||
	    fz_file_lines(hooks, "/proc/self/maps", count_line, &used))
		return 0;
	left = limit > used ? limit - used : 0;
	if (nr_pages <= left)
		return 0;
	most_bytes = left * page_bytes;
	if (most_bytes >= MIB)
		most_bytes &= ~(MIB - 1); /* a number that can be read */
	if (most_bytes)
		snprintf(advice, sizeof(advice), "--size %s works",
			 fz_size_text(most_bytes).text);
	return fz_err_set(
		err, -ENOMEM,
		"cannot map %s as mTHP of %s: each page is a mapping of its "
		"own, and of the %" PRIu64 " that '" MAX_MAPS
		"' allows %" PRIu64 " are left; %s, or: echo %" PRIu64
		" > " MAX_MAPS,
		fz_size_text(bytes).text, fz_size_text(page_bytes).text, limit,
		left, advice, used + nr_pages);
}

/*
 * The first fault of a mapping sets up the kernel's record of who maps its
 * pages; parts that are split off later share that of the whole. So one page is
 * faulted in before, and given back, or every fault would be a first one.
 */
static void fault_once(const struct fz_hooks *hooks, char *base, uint64_t bytes)
{
	const size_t base_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (hooks->advise(hooks->state, base, base_bytes, MADV_POPULATE_WRITE))
		return; /* the population of the buffer will say why */
	/* All of it: where THP is always on, more came than was asked for. */
	hooks->advise(hooks->state, base, bytes, MADV_DONTNEED);
}

int fz_mthp_advise(const struct fz_hooks *hooks, char *base, uint64_t bytes,
		   uint64_t page_bytes)
{
	int code;

	fault_once(hooks, base, bytes);
	code = hooks->advise(hooks->state, base, bytes, MADV_HUGEPAGE);
	for (uint64_t at = 0; at < bytes && !code; at += 2 * page_bytes)
		code = hooks->advise(hooks->state, base + at, page_bytes,
				     MADV_DONTDUMP);
	return code;
}
