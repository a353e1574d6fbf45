/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ASM_PAGE_32_H
#define ASM_PAGE_32_H

static inline void clear_page(void *to)
{
	asm_clear_one(to);
}

#endif
