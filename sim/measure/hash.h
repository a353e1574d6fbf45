/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uthash, told not to exit when memory runs out. Private to this layer. */
#ifndef FZ_SIM_HASH_H
#define FZ_SIM_HASH_H

/* On failure the element is left out and its hh.tbl is NULL. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#endif
