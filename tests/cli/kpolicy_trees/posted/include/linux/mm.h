/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINUX_MM_H
#define LINUX_MM_H

#ifdef ARCH_ZEROES_FAST
#define ZERO_AT_ONCE ARCH_ZERO_AT_ONCE
#else
#define ZERO_AT_ONCE 1
#endif

#endif
