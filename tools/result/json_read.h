/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON documents read back: files, members, and sentences about what is wrong.
 */
#ifndef FZ_JSON_READ_H
#define FZ_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include <fz/err.h>
#include <jansson.h>

/**
 * struct fz_json_reading - the document being read, for sentences
 * @path: as it was given; "-" is standard input
 * @err: where they go
 */
struct fz_json_reading {
	const char *path;
	struct fz_err *err;
};

/* JSON types that a member may have, as a set. */
enum {
	FZ_JSON_NUL = 1u << JSON_NULL,
	FZ_JSON_STR = 1u << JSON_STRING,
	FZ_JSON_INT = 1u << JSON_INTEGER,
	FZ_JSON_NUM = 1u << JSON_INTEGER | 1u << JSON_REAL,
	FZ_JSON_OBJ = 1u << JSON_OBJECT,
	FZ_JSON_ARR = 1u << JSON_ARRAY,
	FZ_JSON_BOO = 1u << JSON_TRUE | 1u << JSON_FALSE,
};

/* Of a list that ends with a name NULL. */
struct fz_json_member {
	const char *name;
	unsigned int types;
	bool optional;
};

/* "cannot read 'FILE': ..."; returns the code. */
int fz_json_fail(const struct fz_json_reading *r, int code, const char *format,
		 ...) __attribute__((format(printf, 3, 4)));

/*
 * Are they there, and of their types? `where` names the object: "", "tool: ",
 * "row 3: ". 0 or -EBADMSG.
 */
int fz_json_check_members(const struct fz_json_reading *r, const char *where,
			  const json_t *object,
			  const struct fz_json_member *members);

/* Has it members that the list does not? 0 or -EBADMSG. */
int fz_json_check_known(const struct fz_json_reading *r, const char *where,
			json_t *object, const struct fz_json_member *members);

/*
 * All of a stream, at most so many bytes, and a NUL. *text is for free() in any
 * case, and NULL or of that kind before. 0 or -errno.
 */
int fz_json_read_text(const struct fz_json_reading *r, size_t max_bytes,
		      char **text, size_t *bytes);

/* Parse it: -EBADMSG for what is empty, no JSON, or has a member twice. */
int fz_json_load(const struct fz_json_reading *r, const char *text,
		 size_t bytes, json_t **root);

#endif
