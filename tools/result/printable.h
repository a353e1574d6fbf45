/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from a file may be anything; a terminal obeys some of it. */
#ifndef FZ_PRINTABLE_H
#define FZ_PRINTABLE_H

/* Put a question mark for every byte that is not printable ASCII. */
void fz_make_printable(char *text);

/* Put one for every control character; other characters of UTF-8 stay. */
void fz_make_harmless(char *text);

#endif
