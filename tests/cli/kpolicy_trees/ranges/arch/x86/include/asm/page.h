/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ASM_PAGE_H
#define ASM_PAGE_H

#ifdef CONFIG_X86_64
#include <asm/page_64.h>
#endif

#endif
