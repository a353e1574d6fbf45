// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers in the names of /sys directories. */
#include "name_number.h"

#include <string.h>

bool fz_name_number(const char *name, const char *prefix, const char *suffix,
		    uint64_t *number)
{
	const size_t skip = strlen(prefix);
	uint64_t value = 0;
	const char *at = name + skip;

	if (strncmp(name, prefix, skip) != 0 || *at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (value > UINT64_MAX / 10 - 1)
			return false;
		value = value * 10 + (uint64_t)(*at - '0');
	}
	*number = value;
	return strcmp(at, suffix) == 0;
}
