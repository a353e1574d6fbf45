// SPDX-License-Identifier: GPL-2.0-or-later
/* Text from a file may be anything; a terminal obeys some of it. */
#include "printable.h"

void fz_make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}
