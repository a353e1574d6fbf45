/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ASM_PAGE_64_H
#define ASM_PAGE_64_H

static inline void clear_pages(void *to, unsigned int nr)
{
	asm_clear_many(to, nr);
}
#define clear_pages clear_pages

#endif
