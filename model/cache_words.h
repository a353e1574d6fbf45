/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reading and writing the text of a cache share. */
#ifndef FZ_CACHE_WORDS_H
#define FZ_CACHE_WORDS_H

#define FZ_CACHE_NR_RELATIONS 3

/* Of a text that gives no line size. */
#define DEFAULT_LINE_BYTES 64

#endif
