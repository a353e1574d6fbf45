// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON documents read back. */
#include "json_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printable.h"

/* First piece of a file; it is doubled from there on. */
#define FIRST_BYTES ((size_t)1 << 16)

int fz_json_fail(const struct fz_json_reading *r, int code, const char *format,
		 ...)
{
	char cause[512];
	va_list args;

	va_start(args, format);
	vsnprintf(cause, sizeof(cause), format, args);
	va_end(args);
	fz_make_printable(cause);
	if (strcmp(r->path, "-") == 0)
		return fz_err_set(r->err, code,
				  "cannot read standard input: %s", cause);
	return fz_err_set(r->err, code, "cannot read '%s': %s", r->path, cause);
}

/* "a string or null" */
static void types_text(char *buf, size_t cap, unsigned int types)
{
	static const struct {
		unsigned int types;
		const char *name;
	} names[] = {
		{ FZ_JSON_OBJ, "an object" }, { FZ_JSON_ARR, "an array" },
		{ FZ_JSON_NUM, "a number" },  { FZ_JSON_INT, "a whole number" },
		{ FZ_JSON_STR, "a string" },  { FZ_JSON_BOO, "true or false" },
		{ FZ_JSON_NUL, "null" },
	};

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t used = strlen(buf);

		if ((types & names[i].types) != names[i].types)
			continue;
		snprintf(buf + used, cap - used, "%s%s", used ? " or " : "",
			 names[i].name);
		types &= ~names[i].types;
	}
}

int fz_json_check_members(const struct fz_json_reading *r, const char *where,
			  const json_t *object,
			  const struct fz_json_member *members)
{
	for (; members->name; members++) {
		const json_t *value = json_object_get(object, members->name);
		char wanted[80];

		if (!value && members->optional)
			continue;
		if (!value)
			return fz_json_fail(r, -EBADMSG, "%sno member '%s'",
					    where, members->name);
		if (members->types & 1u << json_typeof(value))
			continue;
		types_text(wanted, sizeof(wanted), members->types);
		return fz_json_fail(r, -EBADMSG, "%s'%s' is not %s", where,
				    members->name, wanted);
	}
	return 0;
}

int fz_json_check_known(const struct fz_json_reading *r, const char *where,
			json_t *object, const struct fz_json_member *members)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		const struct fz_json_member *member = members;

		while (member->name && strcmp(member->name, key) != 0)
			member++;
		if (!member->name)
			return fz_json_fail(r, -EBADMSG,
					    "%sunknown member '%.40s'", where,
					    key);
	}
	return 0;
}

static int read_error(int error)
{
	return error ? -error : -EIO;
}

static int read_all(const struct fz_json_reading *r, FILE *in, size_t max_bytes,
		    char **text, size_t *bytes)
{
	size_t room = 0;

	*bytes = 0;
	do {
		char *larger;

		if (*bytes > max_bytes)
			return fz_json_fail(r, -EBADMSG,
					    "it is larger than %zu MiB",
					    max_bytes >> 20);
		room = room ? 2 * room : FIRST_BYTES;
		if (room > max_bytes)
			room = max_bytes + 1;
		larger = realloc(*text, room + 1);
		if (!larger)
			return fz_json_fail(r, -ENOMEM, "out of memory");
		*text = larger;
		errno = 0;
		*bytes += fread(*text + *bytes, 1, room - *bytes, in);
	} while (*bytes == room);
	(*text)[*bytes] = '\0';
	if (!ferror(in))
		return 0;
	return fz_json_fail(r, read_error(errno), "%s",
			    strerror(-read_error(errno)));
}

int fz_json_read_text(const struct fz_json_reading *r, size_t max_bytes,
		      char **text, size_t *bytes)
{
	FILE *in = strcmp(r->path, "-") == 0 ? stdin : fopen(r->path, "re");
	int code;

	if (!in)
		return fz_json_fail(r, -errno, "%s", strerror(errno));
	code = read_all(r, in, max_bytes, text, bytes);
	if (in != stdin)
		fclose(in);
	return code;
}

int fz_json_load(const struct fz_json_reading *r, const char *text,
		 size_t bytes, json_t **root)
{
	json_error_t error;

	if (!text[strspn(text, " \t\r\n")] && strlen(text) == bytes)
		return fz_json_fail(r, -EBADMSG, "it is empty");
	*root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
	return *root ? 0
		     : fz_json_fail(r, -EBADMSG, "line %d, column %d: %s",
				    error.line, error.column, error.text);
}
