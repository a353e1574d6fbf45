// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the switch of a size of transparent huge pages for a while. */
#include <fz/thp_switch.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "thp_files.h"

#define OPEN_WORD "madvise"

/* A write takes no time. The lock is only advice, and any user can hold it. */
#define LOCK_WAIT_NS 10000000000u

struct fz_thp_switch {
	const struct fz_hooks *hooks;
	struct fz_thp_switches found; /* as they were before */
	bool written;
};

static int switch_lock(const struct fz_thp_switch *s)
{
	return s->hooks->lock_file(s->hooks->state, s->hooks->root,
				   s->found.own, LOCK_WAIT_NS);
}

static void switch_unlock(const struct fz_thp_switch *s, int lock)
{
	if (lock >= 0)
		s->hooks->unlock_file(s->hooks->state, lock);
}

static int switch_write(const struct fz_thp_switch *s, const char *word,
			struct fz_err *err)
{
	const int code = s->hooks->write_file(s->hooks->state, s->hooks->root,
					      s->found.own, word);

	if (!code)
		return 0;
	fz_err_set(err, code, "cannot write '%s': %s; as root: echo %s > %s",
		   s->found.own, strerror(-code), word, s->found.own);
	return code == -EROFS ? -EACCES : code;
}

/* With the lock: only now is it known what the switches say. */
static int open_locked(struct fz_thp_switch *s, struct fz_page_size page,
		       struct fz_err *err)
{
	int code;

	if (fz_thp_switches_read(s->hooks, page, &s->found) ||
	    strcmp(s->found.word, "never") != 0)
		return 0;
	code = switch_write(s, OPEN_WORD, err);
	s->written = !code;
	return code;
}

int fz_thp_switch_open(struct fz_thp_switch **out, const struct fz_hooks *hooks,
		       struct fz_page_size page, struct fz_err *err)
{
	struct fz_thp_switch *s = calloc(1, sizeof(*s));
	int code, lock;

	if (!s)
		return fz_err_set(err, -ENOMEM, "out of memory");
	s->hooks = hooks;
	/* Which file it is does not change. */
	fz_thp_switches_read(hooks, page, &s->found);
	lock = switch_lock(s);
	code = open_locked(s, page, err);
	switch_unlock(s, lock);
	if (code)
		free(s);
	else
		*out = s;
	return code;
}

const char *fz_thp_switch_path(const struct fz_thp_switch *thp_switch)
{
	return thp_switch->written ? thp_switch->found.own : NULL;
}

const char *fz_thp_switch_before(const struct fz_thp_switch *thp_switch)
{
	return thp_switch->found.own_word;
}

static int close_locked(const struct fz_thp_switch *s, struct fz_err *err)
{
	char word[FZ_THP_WORD_BYTES];
	const int code =
		fz_thp_word_read(s->hooks, s->found.own, word, sizeof(word));

	if (code)
		return fz_err_set(err, code, "cannot read '%s': %s",
				  s->found.own, strerror(-code));
	if (strcmp(word, OPEN_WORD) != 0)
		return 0;
	return switch_write(s, s->found.own_word, err);
}

int fz_thp_switch_close(struct fz_thp_switch *thp_switch, struct fz_err *err)
{
	int code = 0, lock;

	if (!thp_switch)
		return 0;
	if (thp_switch->written) {
		lock = switch_lock(thp_switch);
		code = close_locked(thp_switch, err);
		switch_unlock(thp_switch, lock);
	}
	free(thp_switch);
	return code;
}
