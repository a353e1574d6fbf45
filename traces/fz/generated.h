/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace that is being generated: walks of threads, merged by time. */
#ifndef FZ_GENERATED_H
#define FZ_GENERATED_H

#include <fz/err.h>
#include <fz/fault_source.h>
#include <fz/generator.h>

/* In all; a thread needs a few hundred bytes. */
#define FZ_GENERATED_MAX_THREADS 16384u

/* In all, where accesses repeat: which page was touched is 1 bit, so 32 MiB. */
#define FZ_GENERATED_MAX_MARKED_PAGES (1ull << 28)

/* Of a region. */
#define FZ_GENERATED_MAX_BYTES (1ull << 46)

/* Of a thread: a fault in each ns. */
#define FZ_GENERATED_MAX_RATE_PER_S 1000000000u

struct fz_generated;

/**
 * fz_generated_open() - begin to generate
 * @out: written on success
 * @generator: the access pattern; constant
 * @params: copied
 * @err: message on failure
 *
 * Return: 0; -EINVAL or -ERANGE for parameters that are bad, -ENOMEM.
 */
int fz_generated_open(struct fz_generated **out,
		      const struct fz_generator *generator,
		      const struct fz_generator_params *params,
		      struct fz_err *err);

/**
 * fz_generated_close() - free it
 * @generated: may be NULL
 */
void fz_generated_close(struct fz_generated *generated);

/**
 * fz_generated_source() - its records
 * @generated: must outlive the source
 *
 * By time, those of one time by the number of the thread. The records are the
 * same however many are asked for at a time. Where a walk whose accesses
 * repeat finds no new page for very long, but faults are still wanted, the
 * source ends with -ERANGE.
 *
 * Return: the source, of which there is one.
 */
struct fz_fault_source fz_generated_source(struct fz_generated *generated);

#endif
