/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ASM_PAGE_64_H
#define ASM_PAGE_64_H

#define ARCH_ZEROES_FAST

/* About a millisecond's worth. */
#define ARCH_ZERO_AT_ONCE (SZ_8M / PAGE_SIZE)

#define clear_user_pages(to, user, page, nr) asm_clear_many(to, nr)

#endif
