/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Real memory to clear: hugetlb and THP of any size, or base pages. */
#ifndef FZ_BUFFER_H
#define FZ_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <fz/hooks.h>
#include <fz/page_nodes.h>

/**
 * DOC: buffers
 *
 * A buffer is mapped, populated and dirtied once, and stays mapped, since
 * memory that the host has not backed yet is 10 to 40 times slower on first
 * touch. What really backs it is read back from /proc/self/smaps and, with
 * rights, /proc/self/pagemap; nothing is believed because it was asked for.
 *
 * Nothing here writes to /proc or /sys.
 */

/**
 * enum fz_page_kind - what was asked for
 * @FZ_PAGES_BASE: base pages, MADV_NOHUGEPAGE
 * @FZ_PAGES_THP: transparent huge pages of the PMD size, MADV_HUGEPAGE
 * @FZ_PAGES_MTHP: multi-size THP, transparent huge pages below the PMD size
 * @FZ_PAGES_HUGETLB: a hugetlb pool
 */
enum fz_page_kind {
	FZ_PAGES_BASE,
	FZ_PAGES_THP,
	FZ_PAGES_MTHP,
	FZ_PAGES_HUGETLB,
};

/**
 * struct fz_page_size - a kind of page
 * @kind: which
 * @bytes: size of one page; for THP the PMD size
 */
struct fz_page_size {
	enum fz_page_kind kind;
	uint64_t bytes;
};

/**
 * struct fz_backing - what a buffer really got
 * @kind: "hugetlb", "thp", "mthp", "base", or "": not what was asked for, and
 *	nothing tells what
 * @page_bytes: size of the pages found, 0 = unknown
 * @verified_by: "smaps+pagemap" or "smaps"; for mTHP "pagemap",
 *	"anon_fault_alloc" or both with a plus between them; "" where neither
 *	could be read
 * @bytes_ok: bytes of the buffer that are backed as asked
 */
struct fz_backing {
	const char *kind;
	uint64_t page_bytes;
	const char *verified_by;
	uint64_t bytes_ok;
};

struct fz_buffer;

/**
 * fz_buffer_open() - map, populate and verify
 * @out: written on success
 * @hooks: the world; must outlive the buffer
 * @page: kind and size of the pages
 * @bytes: a multiple of the page size, not 0
 * @err: on failure one message that names what was asked, free and total, the
 *	file that limits and the command that helps
 *
 * Return: 0; -ENOMEM (no or not enough huge pages, a cgroup limit, a SIGBUS on
 * first touch, more mappings than a process may have); -ENOTSUP (the kernel has
 * no such page size, or THP is switched off); -EINVAL (@bytes is not a multiple
 * of the page size).
 */
int fz_buffer_open(struct fz_buffer **out, const struct fz_hooks *hooks,
		   struct fz_page_size page, uint64_t bytes,
		   struct fz_err *err);

/**
 * fz_buffer_open_large() - on transparent huge pages, or else on base pages
 * @out: written on success
 * @hooks: the world; must outlive the buffer
 * @thp_bytes: size of the huge pages; 0 = base pages at once
 * @bytes: a multiple of the base page, rounded up to whole huge pages if it
 *	gets them; not 0
 * @err: why it got not even base pages
 *
 * Return: as fz_buffer_open(), of base pages.
 */
int fz_buffer_open_large(struct fz_buffer **out, const struct fz_hooks *hooks,
			 uint64_t thp_bytes, uint64_t bytes,
			 struct fz_err *err);

/**
 * fz_buffer_open_on() - as fz_buffer_open(), with memory of one NUMA node
 * @out: written on success
 * @hooks: the world; must outlive the buffer
 * @page: kind and size of the pages
 * @bytes: a multiple of the page size, not 0
 * @node: number of the node; negative = any
 * @err: as fz_buffer_open()
 *
 * Return: as fz_buffer_open(); also what binding gives.
 */
int fz_buffer_open_on(struct fz_buffer **out, const struct fz_hooks *hooks,
		      struct fz_page_size page, uint64_t bytes, int node,
		      struct fz_err *err);

/**
 * fz_buffer_close() - unmap
 * @buffer: may be NULL
 */
void fz_buffer_close(struct fz_buffer *buffer);

/**
 * fz_buffer_base() - first byte
 * @buffer: the buffer
 *
 * Return: aligned to the page size, also after fz_buffer_remap().
 */
void *fz_buffer_base(const struct fz_buffer *buffer);

/**
 * fz_buffer_bytes() - its size
 * @buffer: the buffer
 *
 * Return: bytes.
 */
uint64_t fz_buffer_bytes(const struct fz_buffer *buffer);

/**
 * fz_buffer_page() - the pages asked for
 * @buffer: the buffer
 *
 * Return: kind and size.
 */
struct fz_page_size fz_buffer_page(const struct fz_buffer *buffer);

/**
 * fz_buffer_backing() - what was found behind it
 * @buffer: the buffer
 *
 * Return: the worst of what was found when it was opened and by each
 * fz_buffer_verify() since.
 */
struct fz_backing fz_buffer_backing(const struct fz_buffer *buffer);

/**
 * fz_buffer_nodes() - on which NUMA nodes its pages are now
 * @buffer: the buffer, populated and not lost
 * @found: written
 */
void fz_buffer_nodes(const struct fz_buffer *buffer,
		     struct fz_page_nodes *found);

/**
 * fz_buffer_first_touch_ns() - time the first population took
 * @buffer: the buffer
 *
 * Return: ns for the whole buffer; on a virtual machine this may be memory
 * coming from the host.
 */
uint64_t fz_buffer_first_touch_ns(const struct fz_buffer *buffer);

/**
 * fz_buffer_dirty() - write non-zero bytes all over it
 * @buffer: the buffer
 * @descending: from the last page to the first
 *
 * Plain stores of eight non-zero bytes, every byte written.
 */
void fz_buffer_dirty(struct fz_buffer *buffer, bool descending);

/**
 * fz_buffer_is_lost() - did its pages go to somebody else?
 * @buffer: the buffer
 *
 * Return: true after fz_buffer_remap(), fz_buffer_populate() or
 * fz_buffer_verify() failed: there is nothing to touch until a
 * fz_buffer_remap() succeeds.
 */
bool fz_buffer_is_lost(const struct fz_buffer *buffer);

/**
 * fz_buffer_remap() - give all pages back and map the same size again, empty
 * @buffer: the buffer
 * @err: as fz_buffer_open()
 *
 * The next touch of each page is a demand fault. The address stays.
 *
 * Return: 0, or -ENOMEM if the pages were lost to somebody else; it may be
 * tried again.
 */
int fz_buffer_remap(struct fz_buffer *buffer, struct fz_err *err);

/**
 * fz_buffer_populate() - touch every page that is not there
 * @buffer: the buffer
 * @err: as fz_buffer_open()
 *
 * What is there already is not changed.
 *
 * Return: 0, or -ENOMEM: all pages are given back then, and the buffer is lost
 * until a fz_buffer_remap() succeeds.
 */
int fz_buffer_populate(struct fz_buffer *buffer, struct fz_err *err);

/**
 * fz_buffer_verify() - is it still backed as well as when it was opened?
 * @buffer: the buffer, populated and not lost
 * @err: message on failure
 *
 * For use after a fz_buffer_remap() whose pages were faulted in again: a kernel
 * short of huge pages falls back to smaller ones without a word. Backing that
 * cannot be read counts as good, and so does 1/64 less than there was. Reads
 * /proc/self/smaps and pagemap, which takes up to 50 ms, and longer with mTHP,
 * a mapping for every page: never in a timed part.
 *
 * Return: 0, or -ENOMEM: all pages are given back then, and the buffer is lost
 * until a fz_buffer_remap() succeeds.
 */
int fz_buffer_verify(struct fz_buffer *buffer, struct fz_err *err);

#endif
