/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can this be generated? */
#ifndef FZ_GENERATOR_CHECK_H
#define FZ_GENERATOR_CHECK_H

#include <fz/err.h>
#include <fz/generator.h>

/* 0; -EINVAL or -ERANGE with a message. */
int generator_check(const struct fz_generator *generator,
		    const struct fz_generator_params *params,
		    struct fz_err *err);

#endif
