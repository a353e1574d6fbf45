/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes as arguments of the messages of this layer. */
#ifndef FZ_SIM_SIZE_TEXT_H
#define FZ_SIM_SIZE_TEXT_H

#include <stdint.h>

#include <fz/units.h>

/**
 * struct fz_size_text - a size in words, by value
 * @text: as fz_format_bytes() writes it
 */
struct fz_size_text {
	char text[FZ_FORMAT_BYTES];
};

/**
 * fz_size_text() - write a size
 * @bytes: the size
 *
 * Return: the text; lives as long as the expression it stands in.
 */
struct fz_size_text fz_size_text(uint64_t bytes);

#endif
