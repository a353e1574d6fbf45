/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One error convention: a code and one sentence. */
#ifndef FZ_ERR_H
#define FZ_ERR_H

/**
 * DOC: errors
 *
 * A command returns 0 or a negative errno, a predicate returns bool, a
 * computation returns its value. An iterator returns 1 (item), 0 (end) or a
 * negative errno. The codes have fixed meanings here:
 *
 *   -EINVAL   a parameter that the user gave is bad
 *   -ERANGE   a number is out of range
 *   -EBADMSG  malformed input
 *   -ENOTSUP  this CPU or kernel lacks it
 *   -ENOMEM   no memory, huge pages included
 *   -EACCES, -EPERM  rights are missing
 *   -EINTR    a signal asked to stop
 *
 * Messages are lower case without a full stop; they say what failed first,
 * with the subject in single quotes, then the cause, then what to type. Of a
 * longer one the middle is left out, so that a long path leaves the cause.
 */

#define FZ_ERR_MSG_BYTES 1024

/**
 * struct fz_err - the sentence that goes with an error code
 * @msg: NUL-terminated, empty when nothing was set
 */
struct fz_err {
	char msg[FZ_ERR_MSG_BYTES];
};

/**
 * fz_err_set() - write the sentence and hand the code back
 * @err: where to write; may be NULL
 * @code: a negative errno
 * @format: printf format of the sentence
 *
 * Return: @code, so that failing is one line.
 */
int fz_err_set(struct fz_err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
