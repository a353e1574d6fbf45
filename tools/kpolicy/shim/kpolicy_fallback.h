/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is taken from here only where the files of a tree have no own. */

#define SZ_4K   0x1000
#define SZ_64K  0x10000
#define SZ_1M   0x100000
#define SZ_2M   0x200000
#define SZ_4M   0x400000
#define SZ_8M   0x800000
#define SZ_16M  0x1000000
#define SZ_32M  0x2000000
#define SZ_64M  0x4000000
#define SZ_128M 0x8000000

/* Of 4 MiB, as on x86-64. */
#define MAX_ORDER_NR_PAGES 1024

/* Both ends are in it. */
struct range {
	u64 start, end;
};

#define range_len(range) ((range)->end + 1 - (range)->start)
#define DEFINE_RANGE(first, last) \
	((struct range){ .start = (first), .end = (last) })
