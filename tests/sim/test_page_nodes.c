// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes of pages: of an imagined machine, and of real memory. */
#include <fz/page_nodes.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "fz_test.h"

#define NR(array)  ((int)(sizeof(array) / sizeof((array)[0])))
#define PAGE       ((uint64_t)2 << 20)
#define BASE       ((const char *)0x7f0000000000)
#define BASE_BYTES 4096

/* What the fake kernel answers, and what it was asked. */
struct kernel {
	int code;
	int (*node_of)(uint64_t page);
	size_t nr_asked;
	uint64_t last_page;
	bool ascending;
};

static int fake_page_nodes(void *state, const void **pages, size_t nr,
			   int *node)
{
	struct kernel *kernel = state;

	kernel->nr_asked = nr;
	kernel->ascending = true;
	if (kernel->code)
		return kernel->code;
	for (size_t i = 0; i < nr; i++) {
		const uint64_t at = (uint64_t)((const char *)pages[i] - BASE);

		kernel->ascending &= i == 0 || at / PAGE > kernel->last_page;
		kernel->ascending &= at % PAGE == 0;
		kernel->last_page = at / PAGE;
		node[i] = kernel->node_of(at / PAGE);
	}
	return 0;
}

static int all_on_3(uint64_t page)
{
	(void)page;
	return 3;
}

static int in_turn(uint64_t page)
{
	return page % 2 ? 0 : 7;
}

static int with_holes(uint64_t page)
{
	return page % 4 == 1 ? -ENOENT : page % 4 == 3 ? -EFAULT : 1;
}

static int second_half_on_1(uint64_t page)
{
	return page >= 50000;
}

/* More nodes than are kept, the highest first. */
static int each_its_own(uint64_t page)
{
	return 99 - (int)page;
}

static const struct {
	int code;
	int (*node_of)(uint64_t page);
	uint64_t nr_pages;
	struct fz_page_nodes found;
} cases[] = {
	{ 0, all_on_3, 0, { .nr_pages = 0 } },
	{ 0, all_on_3, 1, { .nr_pages = 1, .nr = 1, .nodes = { { 3, 1 } } } },
	{ 0,
	  all_on_3,
	  1024,
	  { .nr_pages = 1024, .nr = 1, .nodes = { { 3, 1024 } } } },
	{ 0,
	  in_turn,
	  5,
	  { .nr_pages = 5, .nr = 2, .nodes = { { 0, 2 }, { 7, 3 } } } },
	{ 0,
	  with_holes,
	  8,
	  { .nr_pages = 8, .nr_unknown = 4, .nr = 1, .nodes = { { 1, 4 } } } },
	{ 0,
	  second_half_on_1,
	  100000,
	  { .nr_pages = 1024, .nr = 2, .nodes = { { 0, 512 }, { 1, 512 } } } },
	{ -EPERM, NULL, 5000, { .nr_pages = 1024, .nr_unknown = 1024 } },
	{ -ENOSYS, NULL, 3, { .nr_pages = 3, .nr_unknown = 3 } },
};

static struct fz_hooks hooks_of(struct kernel *kernel)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = kernel;
	hooks.page_nodes = fake_page_nodes;
	return hooks;
}

START_TEST(pages_are_counted)
{
	struct kernel kernel = { .code = cases[_i].code,
				 .node_of = cases[_i].node_of };
	const struct fz_hooks hooks = hooks_of(&kernel);
	const struct fz_page_nodes *want = &cases[_i].found;
	struct fz_page_nodes got;

	memset(&got, 0xff, sizeof(got));
	fz_page_nodes_read(&hooks, BASE, cases[_i].nr_pages * PAGE, PAGE, &got);
	ck_assert_uint_eq(got.nr_pages, want->nr_pages);
	ck_assert_uint_eq(got.nr_unknown, want->nr_unknown);
	ck_assert_uint_eq(got.nr, want->nr);
	for (size_t i = 0; i < got.nr; i++) {
		ck_assert_uint_eq(got.nodes[i].node, want->nodes[i].node);
		ck_assert_uint_eq(got.nodes[i].pages, want->nodes[i].pages);
	}
	ck_assert_uint_eq(kernel.nr_asked, want->nr_pages);
}
END_TEST

START_TEST(a_sample_is_spread)
{
	struct kernel kernel = { .node_of = all_on_3 };
	const struct fz_hooks hooks = hooks_of(&kernel);
	struct fz_page_nodes found;

	fz_page_nodes_read(&hooks, BASE, 102400 * PAGE, PAGE, &found);
	ck_assert_uint_eq(found.nr_pages, 1024);
	ck_assert(kernel.ascending);
	ck_assert_uint_eq(kernel.last_page, 102300);
}
END_TEST

START_TEST(nodes_beyond_the_room_are_unknown)
{
	struct kernel kernel = { .node_of = each_its_own };
	const struct fz_hooks hooks = hooks_of(&kernel);
	struct fz_page_nodes found;
	size_t nr_wrong = 0;

	fz_page_nodes_read(&hooks, BASE, 100 * PAGE, PAGE, &found);
	ck_assert_uint_eq(found.nr, FZ_MAX_NODES);
	ck_assert_uint_eq(found.nr_unknown, 100 - FZ_MAX_NODES);
	for (size_t i = 0; i < found.nr; i++)
		nr_wrong += found.nodes[i].node != 100 - FZ_MAX_NODES + i ||
			    found.nodes[i].pages != 1;
	ck_assert_uint_eq(nr_wrong, 0);
}
END_TEST

/* The second half is not touched, so it is nowhere; asking touches nothing. */
START_TEST(real_pages_are_somewhere)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const size_t bytes = 64 * BASE_BYTES;
	char *base = hooks->map(NULL, NULL, bytes, PROT_READ | PROT_WRITE, 0);
	struct fz_page_nodes found;
	uint64_t nr_known = 0;

	ck_assert_ptr_ne(base, MAP_FAILED);
	hooks->advise(NULL, base, bytes, MADV_NOHUGEPAGE);
	memset(base, 1, bytes / 2);
	for (int i = 0; i < 2; i++)
		fz_page_nodes_read(hooks, base, bytes, BASE_BYTES, &found);
	ck_assert_uint_eq(found.nr_pages, 64);
	for (size_t i = 0; i < found.nr; i++)
		nr_known += found.nodes[i].pages;
	ck_assert_uint_eq(nr_known + found.nr_unknown, 64);
	/* All is unknown where a container forbids to ask. */
	ck_assert(nr_known == 32 || nr_known == 0);
	hooks->unmap(NULL, base, bytes);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("page_nodes");
	TCase *tcase = tcase_create("page_nodes");

	tcase_add_loop_test(tcase, pages_are_counted, 0, NR(cases));
	tcase_add_test(tcase, a_sample_is_spread);
	tcase_add_test(tcase, nodes_beyond_the_room_are_unknown);
	tcase_add_test(tcase, real_pages_are_somewhere);
	suite_add_tcase(suite, tcase);
	return suite;
}
