// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer: any bytes as a workload: refused with a sentence, or tasks on CPUs
 * that there are. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "workload_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr);

static void check(const struct fz_workload *workload)
{
	struct fz_err err = { "" };

	for (size_t i = 0; i < workload->nr_tasks; i++)
		if (workload->tasks[i].cpu >= workload->nr_cpus ||
		    !workload->tasks[i].nr_phases)
			abort();
	if (fz_workload_check_end(workload, 1500, &err) && !err.msg[0])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t nr)
{
	struct fz_workload workload = { .nr_cpus = 0 };
	struct fz_err err = { "" };
	char *text = malloc(nr + 1);

	if (!text)
		return 0;
	memcpy(text, bytes, nr);
	text[nr] = '\0';
	if (fz_workload_parse(&workload, "fuzz", text, nr, &err) == 0)
		check(&workload);
	else if (!err.msg[0])
		abort();
	fz_workload_fini(&workload);
	free(text);
	return 0;
}
