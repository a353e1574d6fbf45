// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading a folio after its fault. */
#include <fz/use.h>

#include <fz/folio.h>

#include "ticks.h"

#define LINE_BYTES 64u

static const char *const use_names[FZ_NR_USES] = {
	[FZ_USE_NONE] = "none",   [FZ_USE_LINE] = "line",
	[FZ_USE_NEAR] = "near",   [FZ_USE_FOLIO] = "folio",
	[FZ_USE_PHASE] = "phase",
};

const char *fz_use_name(enum fz_use use)
{
	return use_names[use];
}

static void read_pages(const char *base, struct fz_range pages)
{
	const char *at = base + (pages.first << FZ_PAGE_SHIFT);
	const char *end = at + (pages.nr << FZ_PAGE_SHIFT);

	for (; at < end; at += LINE_BYTES)
		(void)*(const volatile uint64_t *)at;
}

/* Never 0, which means "not measured": a load can take less than a tick. */
static uint64_t ticks_since(const struct fz_hooks *hooks, uint64_t begin)
{
	const uint64_t end = ticks_after_loads(hooks);

	return end > begin ? end - begin : 1;
}

struct fz_use_ticks fz_use_folio(const struct fz_hooks *hooks, const char *base,
				 uint64_t nr_pages, uint64_t fault_page,
				 enum fz_use use)
{
	const struct fz_neighbourhood pages =
		fz_neighbourhood_of(nr_pages, fault_page, FZ_RADIUS_PAGES);
	struct fz_use_ticks ticks = { 0 };
	uint64_t begin;

	if (use == FZ_USE_NONE || use == FZ_USE_PHASE)
		return ticks;
	begin = ticks_after_loads(hooks);
	(void)*(const volatile uint64_t *)(base +
					   (fault_page << FZ_PAGE_SHIFT));
	ticks.line = ticks_since(hooks, begin);
	if (use == FZ_USE_LINE)
		return ticks;
	read_pages(base, pages.near);
	ticks.near = ticks_since(hooks, begin);
	if (use == FZ_USE_NEAR)
		return ticks;
	read_pages(base, (struct fz_range){ 0, nr_pages });
	ticks.folio = ticks_since(hooks, begin);
	return ticks;
}

void fz_use_all(const char *base, uint64_t nr_pages)
{
	read_pages(base, (struct fz_range){ 0, nr_pages });
}
