/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can this be simulated? */
#ifndef FZ_SIM_CHECK_H
#define FZ_SIM_CHECK_H

#include <fz/err.h>
#include <fz/simulate.h>

/**
 * fz_sim_check() - is everything possible, and every price known?
 * @params: what is to be simulated
 * @err: message on failure
 *
 * Return: 0 or -EINVAL.
 */
int fz_sim_check(const struct fz_sim_params *params, struct fz_err *err);

#endif
