/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binding threads to CPUs. */
#ifndef FZ_SIM_HW_PIN_H
#define FZ_SIM_HW_PIN_H

/**
 * fz_hw_pin() - bind the calling thread to a CPU
 * @cpu: number of the CPU
 *
 * Return: 0; -EINVAL if there is no such CPU, or the kernel does not let this
 * process on it; -ENOTSUP if the environment shows hwloc another machine.
 */
int fz_hw_pin(unsigned int cpu);

#endif
