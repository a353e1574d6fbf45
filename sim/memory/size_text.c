// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes as arguments of the messages of this layer. */
#include "size_text.h"

struct fz_size_text fz_size_text(uint64_t bytes)
{
	struct fz_size_text size;

	fz_format_bytes(size.text, sizeof(size.text), bytes);
	return size;
}
