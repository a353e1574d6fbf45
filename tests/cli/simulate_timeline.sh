#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Timelines: JSON whenever it ends, and the same story as the result.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/simulations.sh
. "$SOURCE_DIR/tests/cli/simulations.sh"
need jq

machine >machine.json
mixed=$SOURCE_DIR/tests/tools/workloads/mixed.json

# shellcheck disable=SC2317 # called through check
run() {
	"$FOLIOSIM" simulate --profile machine.json --policy neighbourhood-last \
		--timeline t.json --format json "$@" >out 2>err
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$2" "$1" >/dev/null
}

# total NAME...: ns of all spans of these names.
total() {
	local names
	names=$(printf '"%s",' "$@")
	jq "[.[] | select(.ph == \"X\" and IN(.name; ${names%,})) |
		.dur * 1000 | round] | add // 0" t.json
}

for preempt in none voluntary full lazy rt-full; do
	check "$preempt" run --workload "$mixed" --preempt "$preempt"
	check "$preempt: JSON" holds t.json 'type == "array"'
	check "$preempt: stime" [ "$(total fault zero)" = \
		"$(jq '.rows[0].stime_ns' out)" ]
	check "$preempt: utime" [ "$(total access compute)" = \
		"$(jq '.rows[0].utime_ns' out)" ]
	check "$preempt: switch_ns" [ "$(total switch)" = \
		"$(jq '.rows[0].switch_ns' out)" ]
	check "$preempt: wake-ups" [ \
		"$(jq '[.[] | select(.ph == "i")] | length' t.json)" = \
		"$(jq '.rows[0].wake_ns | .rt.count + .fair.count' out)" ]
	check "$preempt: a CPU does one thing at a time" holds t.json '
		[.[] | select(.ph == "X") | {tid, from: (.ts * 1000 | round),
			to: ((.ts + .dur) * 1000 | round)}] | group_by(.tid) |
		all(sort_by(.from) | [.[:-1], .[1:]] | transpose |
			all(.[0].to <= .[1].from))'
done

# On standard output it is the same, and the result where it belongs.
"$FOLIOSIM" simulate --profile machine.json --policy neighbourhood-last \
	--workload "$mixed" --format json --timeline t.json >plain
"$FOLIOSIM" simulate --profile machine.json --policy neighbourhood-last \
	--workload "$mixed" --format json --timeline - --output result >out
check 'standard output: status' [ $? = 0 ]
check 'standard output: the timeline' cmp t.json out
check 'standard output: the result' cmp <(jq .rows plain) <(jq .rows result)
check 'standard output is no file' [ ! -e - ]
"$FOLIOSIM" simulate --profile machine.json --policy neighbourhood-last \
	--workload "$mixed" --timeline - --output result >&- 2>err
check 'no standard output: status' [ $? = 1 ]
check 'no standard output: says so' \
	grep -q 'cannot write to standard output: ' err

# It is written while it goes on, and whole whenever it is stopped. On a slow
# machine that has to be late, to find something.
ulimit -c 0
for seconds in 0.03 0.06 0.15 0.5 2 8; do
	timeout --preserve-status --foreground --signal INT "$seconds" \
		"$FOLIOSIM" simulate --profile machine.json --timeline t.json \
		--generate anon-w-seq-hugetlb --folio-size 4K --size 1T \
		--policy contiguous-page --format json >out 2>err
	check "INT after $seconds s: exit status" [ $? = 130 ]
	check "INT after $seconds s: timeline" \
		[ ! -s t.json -o "$(tail -c 2 t.json)" = ']' ]
	[ ! -s out ] || check "INT after $seconds s: partial" holds out \
		'.partial and all(.rows[]; .status == "partial")'
	if [ -s out ] && holds out '.rows[0].faults > 0'; then
		break
	fi
done
check 'all of it is JSON' holds t.json 'length > 8'
check 'and of the row' holds out \
	'.rows[0] | .faults > 0 and .unfinished == 8'

# A full disk is a failure that is told, also if all fits into a buffer.
for until in 1us 1s; do
	[ -e /dev/full ] || break
	ln -sf /dev/full full.json
	"$FOLIOSIM" simulate --profile machine.json --timeline full.json \
		--workload "$mixed" --policy batched-pages --until "$until" \
		>out 2>err
	check "full disk, $until: status" [ $? = 1 ]
	check "full disk, $until: a result" grep -q '^r1 batched-pages' out
	check "full disk, $until: says so" \
		grep -q "cannot write 'full.json': No space" err
	"$FOLIOSIM" simulate --profile machine.json --timeline - \
		--workload "$mixed" --policy batched-pages --until "$until" \
		--output result >/dev/full 2>err
	check "full standard output, $until: status" [ $? = 1 ]
	check "full standard output, $until: says so" \
		grep -q 'cannot write to standard output: No space' err
done
finish
