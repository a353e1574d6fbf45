// SPDX-License-Identifier: GPL-2.0-or-later
/* Text from a file may be anything; a terminal obeys some of it. */
#include "printable.h"

#include <stdbool.h>

void fz_make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* U+0080 to U+009F: the two bytes at `text`. */
static bool is_long_control(const char *text)
{
	const unsigned char second = (unsigned char)text[1];

	return (unsigned char)text[0] == 0xc2 && second >= 0x80 &&
	       second < 0xa0;
}

void fz_make_harmless(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
		else if (is_long_control(text))
			text[0] = text[1] = '?';
}
