// SPDX-License-Identifier: GPL-2.0-or-later
/* Event attributes of perf script --header, and perf's messages. */
#include "perf_header.h"

#include "perf_line.h"

static bool holds(struct scan text, const char *part)
{
	return scan_find(&text, part);
}

/* Does a list of words with | between them hold a word? */
static bool list_holds(struct scan text, const char *word)
{
	const size_t bytes = strlen(word);

	while (scan_left(&text) >= bytes) {
		const char *from = text.at;

		while (scan_left(&text) && *text.at != '|' && *text.at != ',')
			text.at++;
		if ((size_t)(text.at - from) == bytes &&
		    memcmp(from, word, bytes) == 0)
			return true;
		if (!scan_char(&text, '|'))
			return false;
	}
	return false;
}

bool perf_header_event(struct scan text, struct perf_header_event *found)
{
	struct scan part;
	const char *comma;
	uint64_t period;

	if (!scan_text(&text, "# event : name = "))
		return false;
	comma = memchr(text.at, ',', scan_left(&text));
	found->event = perf_event_of_name(
		text.at, comma ? (size_t)(comma - text.at) : scan_left(&text));
	if (found->event == FZ_NR_EVENTS)
		return false;
	part = text;
	found->has_addresses =
		scan_find(&part, "sample_type = ") && list_holds(part, "ADDR");
	part = text;
	found->has_every_fault =
		!holds(text, ", freq = 1") &&
		(!scan_find(&part, "{ sample_period, sample_freq } = ") ||
		 (scan_decimal(&part, &period) && period == 1));
	return true;
}

bool perf_header_is_message(struct scan text, bool *no_addresses)
{
	static const char *const parts[] = {
		"Was the 'perf record' command properly terminated?",
		"Ignoring.",
		"WARNING:",
		"Warning:",
		"Processed ",
		"Check IO/CPU overload!",
		"incompatible file format",
		"Cannot print '",
		"[ perf record: ",
		"failed to open ",
	};

	*no_addresses = holds(text, "do not have ADDR attribute set");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (holds(text, parts[i]))
			return true;
	return false;
}
