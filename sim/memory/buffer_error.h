/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a buffer could not be had, and what helps. */
#ifndef FZ_SIM_BUFFER_ERROR_H
#define FZ_SIM_BUFFER_ERROR_H

#include <stdint.h>

#include <fz/buffer.h>
#include <fz/err.h>
#include <fz/hooks.h>

/**
 * fz_buffer_error() - say why memory could not be mapped or populated
 * @hooks: the world
 * @page: the pages asked for
 * @bytes: size asked for
 * @code: what mmap(), madvise() or the first touch returned, a negative errno
 * @err: the message
 *
 * Call it after the memory was given back, so that the figures it quotes do
 * not count what this process held.
 *
 * Return: -ENOMEM.
 */
int fz_buffer_error(const struct fz_hooks *hooks, struct fz_page_size page,
		    uint64_t bytes, int code, struct fz_err *err);

/**
 * fz_buffer_check() - does the kernel have such pages, switched on?
 * @hooks: the world
 * @page: the pages asked for
 * @bytes: size asked for
 * @err: the message
 *
 * Return: 0; -ENOTSUP if it does not; -EINVAL if @bytes is not a multiple of
 * the page size; -ENOMEM if the machine, or the memory limit of a cgroup, has
 * less left than that.
 */
int fz_buffer_check(const struct fz_hooks *hooks, struct fz_page_size page,
		    uint64_t bytes, struct fz_err *err);

#endif
