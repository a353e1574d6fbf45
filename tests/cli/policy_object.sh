#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Policies that are shared objects, in every command that takes policies.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/policy_objects.sh
. "$SOURCE_DIR/tests/cli/policy_objects.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"
# shellcheck source=tests/cli/simulations.sh
. "$SOURCE_DIR/tests/cli/simulations.sh"
need jq
need gzip

compile mine.so "$SOURCE_DIR/docs/examples/towards_fault.c" \
	-I"$SOURCE_DIR/model"
as_object same
compile 'with blank.so' "$SOURCE_DIR/docs/examples/towards_fault.c" \
	-I"$SOURCE_DIR/model"

# shellcheck disable=SC2317 # called through check
run() {
	"$FOLIOSIM" "$@" >out 2>err && return
	cat err
	return 1
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" out >/dev/null
}

fits() {
	local schema=$SOURCE_DIR/docs/foliosim.$1-1.schema.json

	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || return 0
	check "it is no $1" /usr/bin/python3 \
		"$SOURCE_DIR/tests/cli/validate.py" "$schema" out
}

crc32_of() {
	gzip -c "$1" | tail -c 8 | od -An -tx4 -N4 --endian=little | tr -d ' '
}

# plan: an object is what its source is
for page in 0 1 17 256 511; do
	for how in '--preempt none' '--preempt full --highmem' \
		'--preempt lazy --per-page-clear --radius 0' \
		'--preempt voluntary --batch 64K --radius 7'; do
		for policy in ./same.so neighbourhood-last; do
			# shellcheck disable=SC2086 # words
			check "plan of $policy" run plan --policy "$policy" \
				--folio-size 2M --fault-page "$page" $how \
				--format csv
			mv out "plan.${policy##*/}"
		done
		check "page $page, $how: they differ" \
			cmp plan.same.so plan.neighbourhood-last
	done
done
check 'plan, text' run plan --policy ./mine.so --folio-size 2M --fault-page 5
check 'the policy is not named' grep -qx 'policy *towards-fault' out
check 'an absolute path' run plan --policy "$scratch/mine.so" --folio-size 1G \
	--fault-page last --format json
check 'a blank in a path' run plan --policy './with blank.so' --folio-size 4K \
	--fault-page 0 --cache genoa
check 'twice: the last counts' run plan --policy ./missing.so \
	--policy ./mine.so --folio-size 2M --fault-page 5
check 'sound plans are printed as ever' run plan --policy ./mine.so \
	--no-verify --folio-size 2M --fault-page 5
check 'built-in ones too' run plan --policy init-pages --no-verify \
	--folio-size 2M

# bench: mixed lists, baselines, parameters
few=(--page-size 4K --folio-size 64K --size 1M --repeat 2)
check 'bench' run bench "${few[@]}" --engine buffers,kernel --format json \
	--policy ./same.so,neighbourhood-last,./mine.so --baseline ./same.so
check 'rows' holds '[.rows[].policy] | .[:3] == ["same", "neighbourhood-last", "towards-fault"]'
check 'not all are measured' holds '.rows[:3] | all(.status == "measured")'
check 'a row is another in its place' holds '.rows[:3] | all(.same_as == [])'
check 'the baseline' holds '.rows[:3] | all(.ratio.baseline_id == "r1")'
check 'hypothetical' holds '.rows[0].hypothetical == .rows[1].hypothetical and (.rows[2].hypothetical | not)'
check 'objects' holds '[.policy_objects[] | .policy, .path] == ["same", "./same.so", "towards-fault", "./mine.so"]'
check 'size' holds ".policy_objects[1].bytes == $(stat -c %s mine.so)"
check 'checksum' holds ".policy_objects[1].crc32 == \"$(crc32_of mine.so)\""
fits result

for baseline in towards-fault ./mine.so .//mine.so "$scratch/mine.so"; do
	check "--baseline $baseline" run bench "${few[@]}" --engine bare \
		--policy all,./mine.so --baseline "$baseline" --format json
	check "$baseline is no baseline" holds \
		'all(.rows[] | select(.status == "measured"); .ratio.baseline_id == "r10")'
done
check 'parameters' run bench "${few[@]}" --policy ./mine.so --engine buffers \
	--batch 8K,16K --radius 0,1,2 --preempt none,full --fault-page 0,5 \
	--format json
check 'a row for each' holds '.rows | length == 24 and all(.status == "measured")'
check 'threads' run bench "${few[@]}" --policy ./mine.so,batched-pages \
	--engine buffers --threads 1,2 --format json
check 'not all with threads' holds '.rows | all(.status == "measured")'
check 'model' run bench --page-size 2M --engine model --profile genoa \
	--policy ./same.so,neighbourhood-last --repeat 3 --format json
check 'another price' holds '.rows[0].seconds == .rows[1].seconds'
fits result
for format in text commit; do
	check "$format" run bench "${few[@]}" --policy ./mine.so --format "$format"
	check "$format: no file" grep -qE "policy towards-fault is ./mine.so .*crc32 $(crc32_of mine.so)" out
done
check 'no objects, no member' run bench "${few[@]}" --policy init-pages \
	--format json
check 'but there is one' holds 'has("policy_objects") | not'

# compare: two builds of one name are told, one build is not
few_rounds=(bench "${few[@]}" --engine model --profile genoa --repeat 12)
mkdir again
sed 's/BATCH_PAGES 64/BATCH_PAGES 32/' \
	"$SOURCE_DIR/docs/examples/towards_fault.c" >again/mine.c
compile again/mine.so again/mine.c -I"$SOURCE_DIR/model" -g
cp mine.so same-build.so
for build in mine same-build again/mine; do
	check "bench $build" run "${few_rounds[@]}" --policy "./$build.so" \
		--batch 256K --format json --seed ${#build}
	mv out "${build##*/}-$(dirname "$build").json"
done
check 'compare' run compare --format json mine-..json mine-again.json
fits compare
check 'two builds' holds "[.comparisons[0].differences[] | select(.what == \"object of policy towards-fault\") | .base, .side] == [\"./mine.so, $(stat -c %s mine.so) bytes, crc32 $(crc32_of mine.so)\", \"./again/mine.so, $(stat -c %s again/mine.so) bytes, crc32 $(crc32_of again/mine.so)\"]"
for format in text commit; do
	check "compare, $format" run compare --format $format \
		mine-..json mine-again.json
	check "$format: two builds" grep -q \
		'object of policy towards-fault: ./mine.so' out
done
check 'compare one build' run compare mine-..json same-build-..json
check 'one build is two' test "$(grep -c 'object of policy' out)" = 0

# replay: of the same steps the same prices
workload >trace
check 'replay' run replay --policy ./same.so,neighbourhood-last --format json \
	--folio-size 64K,2M,auto trace
check 'priced otherwise' holds '[.rows[] | select(.policy == "same").seconds] == [.rows[] | select(.policy == "neighbourhood-last").seconds]'
fits result
check 'replay in memory' run replay --policy ./mine.so,./same.so \
	--engine buffers --page-size 4K --size 4M --folio-size 64K trace
check 'replay names no file' grep -q 'is ./same.so' out
check 'replay for a commit' run replay --policy ./mine.so --folio-size 2M \
	--format commit trace
check 'nor does it' grep -q 'is ./mine.so' out

# simulate: of the same steps the same course
machine >machine.json
for kernel in 6.12 7.3; do
	check "simulate $kernel" run simulate --profile machine.json --cpus 4 \
		--generate anon-w-seq-hugetlb --page-kind thp --size 64M \
		--init-on-alloc "$kernel" --preempt none,lazy --jobs 3 \
		--policy ./same.so,neighbourhood-last,./mine.so --format json
	check "$kernel: rows" holds '.rows | length == 6 and all(.status == "modelled")'
	check "$kernel: another course" holds '[.rows[:4][] | del(.id, .policy)] | .[:2] == .[2:]'
	check "$kernel: objects" holds '[.policy_objects[].path] == ["./same.so", "./mine.so"]'
	fits simulation
done
check 'simulate as text' run simulate --profile machine.json --cpus 2 --size 8M \
	--generate anon-w-seq-hugetlb --policy ./mine.so
check 'simulate names no file' grep -q 'is ./mine.so' out

# Whatever ends the tool, nothing is left of it.
for signal in INT TERM KILL; do
	"$FOLIOSIM" bench "${few[@]}" --policy "$scratch/mine.so" \
		--engine buffers --repeat 4096 --use folio >out 2>err &
	pid=$!
	for ((i = 0; i < 50; i++)); do
		[ -n "$(pgrep -P $pid)" ] && break
		sleep 0.1
	done
	kill -"$signal" $pid
	wait $pid 2>/dev/null
	check "SIG$signal: a process is left" gone "$scratch/mine.so"
done
finish
