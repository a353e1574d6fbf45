// SPDX-License-Identifier: GPL-2.0-or-later
/* What vm-scalability's test of that name has its processes do. */
#include <fz/generator.h>

static uint64_t anon_w_seq_hugetlb_page(const struct fz_walk *walk,
					uint64_t access)
{
	(void)walk;
	return access;
}

const struct fz_generator fz_generator_anon_w_seq_hugetlb = {
	.name = "anon-w-seq-hugetlb",
	.summary = "processes write huge pages upwards, as vm-scalability does",
	.comm = "usemem",
	.page_bytes = 2 << 20,
	.nr_processes = 8,
	.page = anon_w_seq_hugetlb_page,
};
