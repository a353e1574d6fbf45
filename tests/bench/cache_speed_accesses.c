// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Touches the lines of cache_speed in memory, to be run by a simulator of
 * caches; without touching them, to tell what all the rest costs there.
 * usage: cache_speed_accesses contiguous|random touch|leave NR
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cache_speed_stream.h"

static uint64_t touch(struct stream stream, const volatile char *memory,
		      uint64_t nr)
{
	uint64_t sum = 0;

	while (nr--)
		sum += (uint64_t)memory[(size_t)stream_next(&stream) *
					STREAM_LINE_BYTES];
	return sum;
}

static uint64_t leave(struct stream stream, uint64_t nr)
{
	uint64_t sum = 0;

	while (nr--)
		sum += (uint64_t)stream_next(&stream) * STREAM_LINE_BYTES;
	return sum;
}

int main(int argc, char **argv)
{
	const size_t bytes = (size_t)STREAM_LINES * STREAM_LINE_BYTES;
	struct stream stream = { .is_random = false };
	uint64_t nr, sum;
	void *memory;

	if (argc != 4) {
		fprintf(stderr, "usage: cache_speed_accesses "
				"contiguous|random touch|leave NR\n");
		return 2;
	}
	stream.is_random = strcmp(argv[1], "random") == 0;
	nr = strtoull(argv[3], NULL, 10);
	/* Mapped before, as page faults are not what is measured. */
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (memory == MAP_FAILED) {
		perror("cache_speed_accesses: mmap");
		return 1;
	}
	sum = strcmp(argv[2], "touch") == 0 ? touch(stream, memory, nr)
					    : leave(stream, nr);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
