/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result documents put together row by row, for tests of comparisons. */
#ifndef MADE_DOCUMENT_H
#define MADE_DOCUMENT_H

#include <fz/random.h>

#include "result_read.h"

/* A document without rows; the machine has a kernel of that name. */
json_t *made_document(const char *kernel);

/*
 * Add a row of engine buffers: 64M of 2M hugetlb pages, random faulting page.
 * `rounds` of about `seconds`, which differ by `stdev`. Return: the row, for
 * changes; the document owns it.
 */
json_t *made_row(json_t *document, const char *policy, size_t rounds,
		 double seconds, double stdev, struct fz_random *random);

/* Read it; the document is given back. Fails the test if it is not right. */
void made_read(struct fz_document *read, json_t *document);

#endif
