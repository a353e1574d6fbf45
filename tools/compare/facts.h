/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between the machines and tools of two result documents. */
#ifndef FZ_FACTS_H
#define FZ_FACTS_H

#include <stddef.h>

#include "result_read.h"

/* More make nobody wiser; the rest is counted. */
#define FZ_FACTS_MAX 64

/**
 * struct fz_fact - one thing that differs
 * @what: "kernel", "caches L3 bytes"; owned
 * @base: how it is there; NULL = unknown, or there is none; owned
 * @other: the same of the other document
 */
struct fz_fact {
	char *what;
	char *base;
	char *other;
};

/**
 * struct fz_facts - all that differs
 * @fact: [nr]
 * @nr: their number
 * @more: how many did not fit
 */
struct fz_facts {
	struct fz_fact fact[FZ_FACTS_MAX];
	size_t nr;
	size_t more;
};

/*
 * Add what differs: the machine block, but for what changes by itself (free
 * huge pages, steal time) and for how a value was found out; the version of the
 * tool; the files of policies that are shared objects, of those that both name.
 * What is there already is not added again. Return: 0 or -ENOMEM.
 */
int fz_facts_add(struct fz_facts *facts, const struct fz_document *base,
		 const struct fz_document *other);

/* The seeds alone: runs of one side may well have different ones. */
int fz_facts_add_seeds(struct fz_facts *facts, const struct fz_document *base,
		       const struct fz_document *other);

/* The NUMA nodes of a row's pages, where both are known. */
int fz_facts_add_nodes(struct fz_facts *facts, const struct fz_read_row *base,
		       const struct fz_read_row *other);

void fz_facts_fini(struct fz_facts *facts);

#endif
