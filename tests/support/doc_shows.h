/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of docs/ that show an example must show the file that is tested. */
#ifndef DOC_SHOWS_H
#define DOC_SHOWS_H

/* Fails the running test unless the page holds the whole example verbatim. */
void ck_assert_doc_shows(const char *page, const char *example);

#endif
