#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trace_reading beside gawk, which takes the same fields out of the same text of
# perf script (comm, pid, tid, cpu, time, event, addr) and sums them up alike.
# Fails if the sums differ; how long either takes is only printed. Where there is
# zstd, the same text is read from a zst, too.
# usage: TRACE_READING=PROGRAM trace_reading.sh FILE
set -euo pipefail

program=${TRACE_READING:?the program trace_reading}
file=${1:?a text of perf script}

# gawk_sum FILE: RECORDS SUM. Numbers stay below 2^53, where gawk is exact.
gawk_sum() {
	LC_ALL=C gawk '
	BEGIN {
		for (i = 1; i < 256; i++)
			code[sprintf("%c", i)] = i
		event["page-faults:"] = 0
		event["minor-faults:"] = 1
		event["major-faults:"] = 2
	}
	function comm_sum(comm,	i, sum) {
		sub(/^ */, "", comm)
		for (i = 1; i <= length(comm); i++)
			sum += code[substr(comm, i, 1)]
		return sum
	}
	{
		column = substr($0, 1, 16)
		if (!(column in comms))
			comms[column] = comm_sum(column)
		$0 = substr($0, 17)
		slash = index($1, "/")
		dot = index($3, ".")
		fraction = substr($3, dot + 1, length($3) - dot - 1)
		time = substr($3, 1, dot - 1) * 1e9
		time += fraction * (length(fraction) == 6 ? 1000 : 1)
		address = substr($5, length($5) > 12 ? length($5) - 11 : 1)
		sum += comms[column] + time + strtonum("0x" address)
		sum += 3 * substr($1, 1, slash - 1) + 5 * substr($1, slash + 1)
		sum += 7 * substr($2, 2, 3) + 11 * event[$4]
		sum %= 4503599627370496
	}
	END { printf "%d %d\n", NR, sum }' "$1"
}

cat "$file" >/dev/null # into the page cache
ours=$("$program" "$file")
echo "$ours"
if command -v zstd >/dev/null; then
	packed=$(mktemp --suffix=.zst)
	trap 'rm -f "$packed"' EXIT
	zstd -qf "$file" -o "$packed"
	from_zst=$("$program" "$packed")
	[[ ${from_zst%%$'\n'*} == *"${ours##* }" ]] ||
		{ echo "the zst has other sums: $from_zst"; exit 1; }
	sed -n 's/^stream/zst   /p' <<<"$from_zst"
fi
TIMEFORMAT='%U %S'
{ read -r theirs; read -r user system; } < <({ time gawk_sum "$file"; } 2>&1)

awk -v took="$user $system" -v theirs="$theirs" '
	$1 == "reader" { seconds = $2; ours = $(NF - 2) " " $NF }
	END {
		split(took, part, " ")
		took = part[1] + part[2]
		printf "gawk    %9.6f s  %.1f times as long as reader\n",
			took, took / seconds
		if (ours == theirs)
			exit 0
		print "gawk has other records or sums: " theirs
		exit 1
	}' <<<"$ours"
