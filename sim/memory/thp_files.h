/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of transparent huge pages below /sys. */
#ifndef FZ_SIM_THP_FILES_H
#define FZ_SIM_THP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/buffer.h>
#include <fz/hooks.h>
#include <fz/machine.h>

#define FZ_THP_DIR        "/sys/kernel/mm/transparent_hugepage"
#define FZ_THP_PATH_BYTES 128
#define FZ_THP_WORD_BYTES 16

/**
 * fz_thp_size_path() - a file of one size
 * @path: written
 * @page_bytes: the size
 * @file: its name, "enabled" or "stats/anon_fault_alloc"
 */
void fz_thp_size_path(char path[FZ_THP_PATH_BYTES], uint64_t page_bytes,
		      const char *file);

/**
 * fz_thp_word_read() - "always [madvise] never" is "madvise"
 * @hooks: the world
 * @path: the file
 * @word: [cap], empty where the file cannot be read or has nothing in brackets
 * @cap: size of @word in bytes
 *
 * Return: 0, or -errno where the file cannot be read.
 */
int fz_thp_word_read(const struct fz_hooks *hooks, const char *path, char *word,
		     size_t cap);

/**
 * fz_mthp_read() - the sizes that anonymous memory can have, and their switches
 * @hooks: the world
 * @mthp: [return value], ascending; the PMD size, if it has a switch, included
 *
 * Sizes that only shared memory can have are left out.
 *
 * Return: how many there are.
 */
size_t fz_mthp_read(const struct fz_hooks *hooks,
		    struct fz_mthp mthp[FZ_MAX_MTHP]);

/**
 * struct fz_thp_switches - what decides whether a size is to be had
 * @own: the narrowest switch: the size's own, or the global one where a kernel
 *	before 6.8 has no other
 * @own_word: what it says
 * @deciding: @own, or the global switch where @own says inherit
 * @word: what that one says; may be empty
 */
struct fz_thp_switches {
	char own[FZ_THP_PATH_BYTES];
	char own_word[FZ_THP_WORD_BYTES];
	char deciding[FZ_THP_PATH_BYTES];
	char word[FZ_THP_WORD_BYTES];
};

/**
 * fz_thp_switches_read() - find and read the switches of a size
 * @hooks: the world
 * @page: of kind FZ_PAGES_THP or FZ_PAGES_MTHP
 * @switches: written; on failure @deciding is the file that is missing
 *
 * Return: 0, or -errno where the deciding switch cannot be read.
 */
int fz_thp_switches_read(const struct fz_hooks *hooks, struct fz_page_size page,
			 struct fz_thp_switches *switches);

#endif
