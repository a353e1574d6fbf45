/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the switch of a size of transparent huge pages for a while. */
#ifndef FZ_THP_SWITCH_H
#define FZ_THP_SWITCH_H

#include <fz/buffer.h>
#include <fz/err.h>
#include <fz/hooks.h>

/**
 * DOC: switches
 *
 * A size is to be had if its switch, or the global one where that says
 * inherit, is not "never". What is opened is the narrowest: the size's own,
 * and the global one only where a kernel before 6.8 has no other. It is set to
 * "madvise", so that nobody is affected who does not ask for huge pages.
 *
 * The rule for closing: what was there is written back only while the switch
 * still says what was written here; another word is somebody else's choice and
 * stays. Who found the switch open has not changed it and leaves it alone. So
 * of two that run at once the one that opened closes it, maybe while the other
 * still runs; that one then gets smaller pages, and its rows say so. In the
 * end the switch is as it was before both.
 *
 * Reading and writing belong together, so the lock of the file, flock(), is
 * taken around them; after 10 s it goes on without.
 */

struct fz_thp_switch;

/**
 * fz_thp_switch_open() - see to it that a size can be had
 * @out: written on success
 * @hooks: the world; must outlive the switch
 * @page: of kind FZ_PAGES_THP or FZ_PAGES_MTHP
 * @err: message on failure: file, reason and command
 *
 * No such size is no failure: fz_buffer_open() says so.
 *
 * Return: 0; -EACCES or -EPERM without rights, or what else the write
 * returned; -ENOMEM.
 */
int fz_thp_switch_open(struct fz_thp_switch **out, const struct fz_hooks *hooks,
		       struct fz_page_size page, struct fz_err *err);

/**
 * fz_thp_switch_path() - the file that was written
 * @thp_switch: the switch
 *
 * Return: its path, NULL where nothing had to be written.
 */
const char *fz_thp_switch_path(const struct fz_thp_switch *thp_switch);

/**
 * fz_thp_switch_before() - what it said before
 * @thp_switch: the switch; something was written
 *
 * Return: "never", or "inherit" where the global switch is "never".
 */
const char *fz_thp_switch_before(const struct fz_thp_switch *thp_switch);

/**
 * fz_thp_switch_close() - write back what was there, by the rule above
 * @thp_switch: may be NULL
 * @err: message on failure: file, reason and command
 *
 * Call it after the buffers are closed.
 *
 * Return: 0, or -errno if it could not be read or written.
 */
int fz_thp_switch_close(struct fz_thp_switch *thp_switch, struct fz_err *err);

#endif
