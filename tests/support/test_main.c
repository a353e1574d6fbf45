// SPDX-License-Identifier: GPL-2.0-or-later
/* main() of every Check test: runs the suite, exit 0, 1 or 77 (skipped). */
#include <stdio.h>

#include "fz_test.h"

int main(void)
{
	const char *skip = fz_test_skip_reason ? fz_test_skip_reason() : NULL;
	SRunner *runner;
	int failed;

	if (skip) {
		printf("skipped: %s\n", skip);
		return 77;
	}
	runner = srunner_create(fz_test_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
