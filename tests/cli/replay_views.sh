#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A made-up recording under several folio sizes, in every view.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"
need jq

workload >workload.trace
software page-faults 2097152 300 >huge.trace
software minor-faults 4096 300 >small.trace
few=(--preempt none --policy 'contiguous-page,neighbourhood-last')

# Without the line of the machine.
shown() {
	try "$@"
	sed -i '/, Linux .*, preempt /d' transcript.stdout
}

shown replay "${few[@]}" workload.trace
shown replay "${few[@]}" --folio-size 2M,1G,auto:16K,64K,2M workload.trace
shown replay "${few[@]}" huge.trace
shown replay "${few[@]}" --recorded-folio 4K --folio-size 4K,2M huge.trace
shown replay --preempt none,voluntary,full --batch 64K,1M --folio-size 2M \
	--policy neighbourhood-last,batched-pages small.trace
shown replay "${few[@]}" --folio-size 2M workload.trace huge.trace small.trace
shown replay --preempt none --folio-size 2M --format commit workload.trace
shown replay "${few[@]}" --format csv workload.trace

# One of each is told of as one.
printf '# foliosim-trace 1\n1 0 7 7 page-faults 0x1000 - - x\n' >one.trace
shown replay "${few[@]}" --folio-size 4K one.trace

# A terminal obeys no name of a file.
cp one.trace $'\e[31m\xc2\x9bt'
"$FOLIOSIM" replay "${few[@]}" $'\e[31m\xc2\x9bt' >out
check 'a name' grep -qF "trace '?[31m??t' (canonical)" out

# On a terminal it shows how far it is, also of a packed trace; a pipe has no
# end that is known.
if command -v script >/dev/null; then
	on_terminal() {
		script -qec "$* >out" terminal </dev/null >/dev/null
	}
	gzip -c workload.trace >workload.trace.gz
	for trace in workload.trace workload.trace.gz; do
		on_terminal "$FOLIOSIM" replay --folio-size 2M "$trace"
		check "$trace: a bar" grep -q '###\] 100%  replay' terminal
	done
	on_terminal "cat workload.trace | $FOLIOSIM replay --folio-size 2M -"
	check 'a pipe: no bar' test "$(grep -c '%  replay' terminal)" = 0
	check 'a pipe: the result' grep -q 'folios of 2M' out
fi

# Where no mapping is known, nobody is left to wonder what auto did.
shown replay "${few[@]}" --folio-size auto one.trace

# shellcheck disable=SC2317 # called through check
run() {
	"$FOLIOSIM" replay "$@" 2>err >out
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" out >/dev/null
}

check 'JSON' run "${few[@]}" --folio-size all --format json workload.trace
check 'classes add up' holds '.trace | .faults == ([.classes[]] | add) and .faults == 1365 and .replayed == .classes["zero-fill"]'
check 'all sizes' holds '[.rows[].folio_bytes] | unique | length == 19'
check 'every fault has an outcome' holds 'all(.rows[].replay; .recorded_faults == .faults_taken + .faults_saved + .repeats)'
# shellcheck disable=SC2016 # jq's own variables
check 'bytes' holds 'all(.rows[]; .bytes == .faults * .folio_bytes and .faults == .replay.faults_taken and .replay.not_faulted_bytes == .bytes - 4096 * (.replay.faults_taken + .replay.faults_saved))'
check 'nothing measured' holds 'all(.rows[]; .status == "modelled" and .rounds == 1 and .placement == [] and .clear == null and .noise.steal_ms == null)'
check 'all stalls' holds 'all(.rows[]; (.fault_ns.mean * .faults / 1e9 / .seconds[0] - 1 | fabs) < 1e-9)'
check 'stretches end where the stall does' holds 'all(.rows[]; .resched.interval_ns.max <= .fault_ns.max)'
# shellcheck disable=SC2317 # called through check
valid() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
}
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	check 'schema' valid
fi

# An auto size, and memory that is really cleared.
check 'buffers' run "${few[@]}" --engine model,buffers --page-size 4K \
	--size 8M --folio-size 64K,2M,auto:64K,2M --format json workload.trace
check 'both engines zero the same' holds '([.rows[] | select(.engine == "model") | [.replay.folio, .policy, .faults, .bytes]] | sort) == ([.rows[] | select(.engine == "buffers") | [.replay.folio, .policy, .faults, .bytes]] | sort)'
check 'measured' holds '[.rows[] | select(.engine == "buffers")] | length == 6 and all(.status == "measured" and .seconds[0] > 0 and .backing.kind == "base")'
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	check 'schema' valid
fi

# The same faults, whatever the way they come in.
check 'from standard input' run "${few[@]}" --format csv - <workload.trace
cp out want
check 'as CSV' "$FOLIOSIM" trace convert --to csv workload.trace >workload.csv
check 'of CSV' run "${few[@]}" --format csv workload.csv
check 'the same' cmp want out
# Records of two sources, merged by time again.
grep -v ' 8 8 ' workload.trace >first
grep -e '^#' -e ' 8 8 ' workload.trace >second
check 'of two' run "${few[@]}" --format csv first second
check 'the same of two' cmp want out

# A software event and a tracepoint of the same faults: one is used.
{
	cat workload.trace
	sed -n 's/exceptions:page_fault_user \(.*\) 0x[0-9a-f]* task/page-faults \1 - task/p' \
		workload.trace
} | awk 'NR == 1 { print; next } { print | "sort -n" }' >both.trace
check 'both' run "${few[@]}" --format json both.trace
check 'one is left out' holds '.trace.files[0] | .dropped == 1365 and (.events | index("page-faults")) == null'
check 'and nothing counted twice' holds '.trace.faults == 1365'

# Five mappings more than a process may have.
awk 'BEGIN {
	print "time_ns,pid,tid,event,addr,error_code"
	for (i = 0; i < 65541; i++)
		printf "%d,1,1,mmap+4096@file,0x%x,\n", i, 4294967296 + 8192 * i
	print "70000,1,1,exceptions:page_fault_user,0x1000,0x6"
}' >many.csv
check 'of many mappings' run "${few[@]}" many.csv
check 'some are not kept' grep -q '^5 mappings were not kept' out
check 'nor in JSON' run "${few[@]}" --format json many.csv
check 'their number' holds '.trace | .mappings == 65541 and .mappings_not_kept == 5'

# More events lost than can be counted, in one trace and in two.
{
	cat workload.trace
	echo '9000000000 - - - lost+18446744073709551615 - - - -'
	echo '9000000001 - - - lost+20 - - - -'
} >losses.trace
check 'of many losses' run "${few[@]}" losses.trace
check 'their least number' grep -q '; at least 18446744073709551615 lost' out
check 'of twice as many' run "${few[@]}" losses.trace losses.trace
check 'the same number' grep -q '; at least 18446744073709551615 lost' out
finish
