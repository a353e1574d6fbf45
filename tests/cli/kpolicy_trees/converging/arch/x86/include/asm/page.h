/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ASM_PAGE_H
#define ASM_PAGE_H

#ifdef __KERNEL__
/* Stores of this architecture, which no policy can call. */
static inline void clear_user_page(void *to, unsigned long user,
				   struct page *page)
{
	asm_clear_one(to);
}
#endif

#endif
