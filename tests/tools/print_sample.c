// SPDX-License-Identifier: GPL-2.0-or-later
/* print_sample KIND VIEW: a made-up result on stdout, for scripts. */
#include <stdio.h>
#include <stdlib.h>

#include "sample_result.h"

int main(int argc, char **argv)
{
	struct sample *sample = argc == 3 ? sample_find(argv[1]) : NULL;
	char *text;

	if (!sample) {
		fprintf(stderr, "usage: print_sample KIND VIEW\n");
		return 2;
	}
	text = sample_print(sample, argv[2]);
	fputs(text, stdout);
	free(text);
	sample_free(sample);
	return 0;
}
