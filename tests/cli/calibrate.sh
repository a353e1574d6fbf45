#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A profile of this machine, which our own reader takes. No figure is asserted.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"
need jq

pool=/sys/kernel/mm/hugepages/hugepages-2048kB

# What --reserve may change.
settings() {
	cat "$pool/nr_hugepages" \
		/sys/kernel/mm/transparent_hugepage/enabled \
		/sys/kernel/mm/transparent_hugepage/*/enabled 2>/dev/null
}

try calibrate --budget 0s
try calibrate --budget 5
try calibrate --budget 2h
try calibrate --max-extent 1M
try calibrate --max-extent 2G
try calibrate --max-extent x
try calibrate --clear memset,no-such
try calibrate --clear memset,memset
try calibrate --format csv
try calibrate --output no-such/profile.json
try calibrate profile.json

# Fast, and few: memset is there on every CPU.
# shellcheck disable=SC2317 # called through check
run() {
	"$FOLIOSIM" calibrate --clear memset,portable --budget 1ms \
		--max-extent 4M "$@" >out 2>err </dev/null
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" "${2:-out}" >/dev/null
}

# shellcheck disable=SC2317 # called through check
valid() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.profile-1.schema.json" "$1"
}

check 'json' run --format json
check 'schema name' holds '.schema == "foliosim.profile/1"'
check 'primitives' holds '[.clears[].name] | sort == ["memset", "portable"]'
check 'prices' holds 'all(.clears[]; .bps > 0 and .call_ns.up != null and
	.call_ns.down != null and .call_ns.other != null and
	.drain_ns != null)'
check 'no published figure' holds '.fitted_rows == []'
check 'a fault costs something' holds '.fault_ns > 0'
# Where a load can be timed, so can lines.
check 'loads' holds 'if .cache.levels[0].latency_cycles == null then
	.cycle_ns == null and .clock_ns == null
else .cycle_ns > 0 and .clock_ns >= 0 and
	all(.cache.levels[]; .read_cycles > 0) end'
check 'cores' holds '.nr_cores > 0 and .smt > 0'
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	check 'schema' valid out
fi

# Our own reader, and prices.
cp out mine.json
workload >workload.trace
"$FOLIOSIM" replay --profile mine.json --preempt none --folio-size 2M \
	--policy contiguous-page --format json workload.trace >replayed 2>err
check 'replay takes it' holds '.trace.prices.profile == "this-machine" and
	all(.rows[]; .status == "modelled")' replayed

# The document into a file, text beside it.
check 'json file' run --output two.json
check 'json file: document' holds '.schema == "foliosim.profile/1"' two.json
check 'json file: text' grep -q '^== prices' out
for words in '^memset ' '^portable ' '^== long calls' '^== check' \
	'discontiguous-page, page 256' 'folios of 64K' '^drain_ns: ' \
	'^memset: median error' \
	'^fault_ns: ' '^latency_cycles: '; do
	check "text: $words" grep -q -e "$words" out
done
check 'text: 100 columns' test "$(wc -L <out)" -le 100
check 'text file' run --format text --output three.json
check 'text file: is text' grep -q '^== prices' three.json
check 'text file: nothing on stdout' test ! -s out

# Everything is known, or there is a reason.
check 'both' run --output four.json
for member in fault_ns point_ns switch_ns irq_ns hz nr_nodes; do
	if jq -e ".$member == null" four.json >/dev/null; then
		check "$member: reason" grep -q "^$member: not known: ." out
	fi
done
if jq -e '.memory.bps == null' four.json >/dev/null; then
	check 'memory: reason' grep -qE '^memory(.bps)?: not known: .' out
fi
check 'no terminal, no bar' sh -c '! grep -q "\[#*  *\]" err'

# A primitive of another CPU is left out; with nothing left nothing can run.
other=$("$FOLIOSIM" list clears | sed -n 's/ .*unavailable.*//p' | head -n 1)
if [ -n "$other" ]; then
	"$FOLIOSIM" calibrate --clear "$other" >out 2>err
	check "only $other: exit status" test $? = 77
	check "only $other: says why" grep -q "'$other' is left out: ." err
	check "with $other" run --clear "memset,$other" --format json
	check "with $other: not in it" holds '[.clears[].name] == ["memset"]'
fi

# Pools are as they were, also after a signal; no document is left behind.
before=$(settings)
check '--reserve' run --reserve --format json
check '--reserve: given back' [ "$(settings)" = "$before" ]
for seconds in 0.02 0.1 0.3 0.7 1.5; do
	for signal in INT TERM; do
		before=$(settings)
		timeout --preserve-status --foreground --signal "$signal" \
			"$seconds" "$FOLIOSIM" calibrate --reserve \
			--max-extent 64M --output stopped.json >out 2>err
		status=$?
		what="$signal after $seconds s"
		check "$what: exit status $status" \
			[ "$status" = $((128 + $(kill -l "$signal"))) ]
		check "$what: no document" test ! -e stopped.json
		check "$what: nothing printed" test ! -s out
		check "$what: settings" [ "$(settings)" = "$before" ]
	done
done
finish
