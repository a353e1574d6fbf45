/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two processes of a policy object say to each other. */
#ifndef OBJECT_WIRE_H
#define OBJECT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/policy.h>

/* The object's process has its end here; 0 to 2 are /dev/null. */
#define FZ_WIRE_FD 3

/* One byte more than the longest, for the NUL. */
#define FZ_WIRE_NAME_BYTES 65
#define FZ_WIRE_LINE_BYTES 201

#define FZ_WIRE_MAGIC 0x667a706cu

/* Both ends are one program, so these have no version. */
struct fz_wire_request {
	uint64_t sequence; /* from 1 */
	struct fz_zero_request request;
};

/* FZ_WIRE_POLICY: loaded; a struct fz_wire_policy follows.
 * FZ_WIRE_PLAN: the runs follow.
 * FZ_WIRE_NOTHING: neither, see code and text.
 * FZ_WIRE_CALL: number is of a system call that was not allowed.
 */
enum fz_wire_kind {
	FZ_WIRE_POLICY,
	FZ_WIRE_PLAN,
	FZ_WIRE_NOTHING,
	FZ_WIRE_CALL,
};

struct fz_wire_reply {
	uint32_t magic;
	uint32_t kind;        /* enum fz_wire_kind */
	uint64_t sequence;    /* of the request; 0 before the first */
	uint64_t number;      /* of runs, or of a system call */
	int32_t code;         /* FZ_WIRE_NOTHING: negative errno */
	uint32_t conditional; /* FZ_WIRE_PLAN */
	char text[512];       /* FZ_WIRE_NOTHING: why, not the path */
};

/* struct fz_policy by value. */
struct fz_wire_policy {
	char name[FZ_WIRE_NAME_BYTES];
	char summary[FZ_WIRE_LINE_BYTES];
	char kernels[FZ_WIRE_LINE_BYTES];
	uint32_t uses;
	uint32_t models;
	uint64_t default_batch_pages;
};

/* For the object's end, which waits: did all bytes pass? */
bool fz_wire_read(void *bytes, size_t nr);
bool fz_wire_write(const void *bytes, size_t nr);

#endif
