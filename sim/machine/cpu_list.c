// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads lists of CPUs. hwloc's reader would lose their order. */
#include <fz/cpu_list.h>

#include <errno.h>
#include <stdbool.h>

/* Messages quote the text; a longer one is cut there. */
#define QUOTED "'%.100s'"

struct range {
	unsigned int first;
	unsigned int last;
	unsigned int step;
};

/* Moves *text behind the digits; what is too large reads as the limit. */
static bool take_number(const char **text, unsigned int *number)
{
	const char *const begin = *text;

	*number = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		*number = *number * 10 + (unsigned int)(**text - '0');
		if (*number > FZ_MAX_CPUS_LISTED)
			*number = FZ_MAX_CPUS_LISTED;
	}
	return *text != begin;
}

static bool take_char(const char **text, char c)
{
	if (**text != c)
		return false;
	(*text)++;
	return true;
}

static bool take_range(const char **text, struct range *range)
{
	if (!take_number(text, &range->first))
		return false;
	range->last = range->first;
	range->step = 1;
	if (!take_char(text, '-'))
		return true;
	if (!take_number(text, &range->last))
		return false;
	if (!take_char(text, ':'))
		return true;
	return take_number(text, &range->step) && range->step > 0;
}

static int add_range(struct fz_cpu_list *list, bool *listed,
		     const struct range *range, const char *text,
		     struct fz_err *err)
{
	if (range->last < range->first)
		return fz_err_set(err, -EINVAL,
				  "cpu list " QUOTED " has the range %u-%u, "
				  "which runs backwards: give %u-%u",
				  text, range->first, range->last, range->last,
				  range->first);
	if (range->last >= FZ_MAX_CPUS_LISTED)
		return fz_err_set(err, -EINVAL,
				  "cpu list " QUOTED " has a number that no "
				  "CPU has: give numbers up to %u",
				  text, FZ_MAX_CPUS_LISTED - 1u);
	for (unsigned int cpu = range->first; cpu <= range->last;
	     cpu += range->step) {
		if (listed[cpu])
			return fz_err_set(err, -EINVAL,
					  "cpu list " QUOTED " has cpu %u "
					  "twice: give each CPU once",
					  text, cpu);
		listed[cpu] = true;
		list->cpu[list->nr++] = cpu;
	}
	return 0;
}

int fz_cpu_list_parse(const char *text, struct fz_cpu_list *list,
		      struct fz_err *err)
{
	bool listed[FZ_MAX_CPUS_LISTED] = { false };
	const char *at = text;
	struct range range;

	list->nr = 0;
	do {
		int code;

		if (!take_range(&at, &range))
			break;
		code = add_range(list, listed, &range, text, err);
		if (code)
			return code;
		if (*at == '\0')
			return 0;
	} while (take_char(&at, ','));
	return fz_err_set(err, -EINVAL,
			  "cpu list " QUOTED " is not understood: give numbers "
			  "and ranges, as in 0-3,8",
			  text);
}
