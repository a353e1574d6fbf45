/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test file supplies to test_main.c, which owns main(). */
#ifndef FZ_TEST_H
#define FZ_TEST_H

#include <check.h>

/* The suite to run. Required. */
Suite *fz_test_suite(void);

/*
 * A sentence why nothing here can run on this machine (printed; exit 77), or
 * NULL to run. Not required.
 */
const char *fz_test_skip_reason(void) __attribute__((weak));

#endif
