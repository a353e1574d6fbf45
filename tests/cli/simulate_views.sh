#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Simulations of all kinds, as text, JSON and CSV.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/simulations.sh
. "$SOURCE_DIR/tests/cli/simulations.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"
need jq

machine >machine.json
workload >workload.trace
cp "$SOURCE_DIR/tests/tools/workloads/mixed.json" .
policies=discontiguous-page,contiguous-page,batched-pages,neighbourhood-last

try simulate --profile machine.json --generate anon-w-seq-hugetlb --size 32M \
	--policy "$policies"
try simulate --profile machine.json --generate anon-w-seq-hugetlb --size 64M \
	--folio-size 32M --wake rt --interval 200us --preempt none,full \
	--batch 1M,8M --policy batched-pages,streaming-neighbourhood-last
try simulate --profile machine.json --workload mixed.json --preempt lazy \
	--policy "$policies" --warn-ms 1
try simulate --profile machine.json --workload mixed.json --until 3ms \
	--policy neighbourhood-last
try simulate --profile machine.json --cpus 2 --folio-size 64K \
	--policy neighbourhood-last workload.trace
try simulate --profile machine.json --cpus 2 --init-on-alloc 6.12 \
	--policy neighbourhood-last,init-pages-extent workload.trace
try simulate --profile machine.json --generate anon-w-seq-hugetlb --size 2M \
	--policy init-pages-batched --context alloc-pte-lock --preempt full
jq '.clears |= .[:1]' machine.json >no-stream.json
try simulate --profile no-stream.json --generate anon-w-seq-hugetlb --size 2M \
	--policy batched-pages,streaming-neighbourhood-last --format csv
try simulate --profile genoa --generate anon-w-seq-hugetlb --size 2M --cpus 3 \
	--set memory.bps=300G --set memory.read_bps=20G --set switch_ns=1us \
	--set irq_ns=500 --hz 1000 --set nr_nodes=1 --policy batched-pages \
	--format json
sed -i 's/"version": "[^"]*"/"version": "VERSION"/' transcript.stdout

# shellcheck disable=SC2317 # called through check
run() {
	"$FOLIOSIM" simulate --profile machine.json "$@" >out 2>err
}

# shellcheck disable=SC2317 # called through check
valid() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.simulation-1.schema.json" out
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" out >/dev/null
}

has_jsonschema=
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null && has_jsonschema=yes

# sound WHAT FILTER OPTION...: a document that fits, of which the filter holds.
sound() {
	local what=$1 filter=$2
	shift 2
	check "$what" run --format json "$@"
	check "$what: holds" holds "$filter"
	# shellcheck disable=SC2016 # no shell's
	check "$what: all of the time" holds '.parameters.cpus as $cpus |
		all(.rows[]; .profile == "made-up" and .reason == null and
			.status == "modelled" and .stime_ns + .utime_ns +
			.switch_ns + .idle_ns == $cpus * .wall_ns)'
	[ -z "$has_jsonschema" ] || check "$what: schema" valid
}

anon='--generate anon-w-seq-hugetlb --size 8M --cpus 4'
# shellcheck disable=SC2086 # options are words
{
	sound 'all policies' '.rows | length == 9 and
		all(.faults == 16 and .bytes == 33554432)' $anon
	sound 'all models' '.rows | length == 54' $anon --preempt all
	sound 'batches' '[.rows[] | .batch_bytes] == [65536, 1048576, null]' \
		$anon --policy batched-pages,contiguous-page --batch 64K,1M
	sound 'a trace' '.parameters.workload | .source == "traces" and
		.traces.replayed == .traces.faults + 0 and .tasks == 2' \
		--folio-size 4K workload.trace
	sound 'hz of an option' '.parameters.hz == 100 and
		.profile.assumed == [{"key": "hz", "value": 100}]' \
		$anon --hz 100
	sound 'rt beats fair' '[.rows[] | .wake_ns.rt.count > 0 and
		.wake_ns.fair.count == 0] | all' $anon --wake rt
	sound 'fair ones' '[.rows[] | .wake_ns.fair.count > 0 and
		.wake_ns.rt.count == 0] | all' $anon --wake fair
	sound 'until' '.rows | all(.wall_ns == 50000 and .unfinished == 4)' \
		$anon --until 50us
	sound 'events' '.parameters.max_events == null' $anon \
		--policy contiguous-page
	events=$(jq '.rows[0].events' out)
	sound 'just as many events' \
		".rows[0].events == $events and .parameters.max_events == $events" \
		$anon --policy contiguous-page --max-events "$events"
	check 'one event less' [ "$(run $anon --policy contiguous-page \
		--max-events $((events - 1)); echo $?)" = 77 ]
	check 'one event less: what to type' grep -q -- --max-events err
	thp="$anon --page-kind thp --policy contiguous-page"
	sound 'init_on_alloc twice' '.rows[0].stime_ns > 0' $thp \
		--init-on-alloc 6.12
	twice=$(jq '.rows[0].stime_ns' out)
	sound 'init_on_alloc once' '.rows[0].stime_ns > 0' $thp \
		--init-on-alloc 7.3
	once=$(jq '.rows[0].stime_ns' out)
	check "twice is more than once: $twice, $once" [ "$twice" -gt "$once" ]
	sound 'hugetlb' '.rows[0].stime_ns > 0' $anon --policy contiguous-page
	plain=$(jq '.rows[0].stime_ns' out)
	sound 'hugetlb and init_on_alloc' ".rows[0].stime_ns == $plain" $anon \
		--policy contiguous-page --init-on-alloc 6.12
}

# Bandwidth over time has all bytes, in few enough bins.
check 'long' run --generate anon-w-seq-hugetlb --size 4G --folio-size 32M \
	--cpus 2 --policy batched-pages --format json
# shellcheck disable=SC2016 # no shell's
check 'bins' holds '.rows[0] | (.bandwidth.bytes | length) <= 256 and
	(.bandwidth.bytes | add) as $sum | (.wall_ns * .bandwidth.mean_bps / 1e9) as $all |
	($sum - $all | fabs) < 1000 and
	.bandwidth.peak_bps >= .bandwidth.mean_bps and
	.bandwidth.peak_bps <= 1.0001e11'

# A row for each line of CSV, and as many fields everywhere.
check 'csv' run --generate anon-w-seq-hugetlb --size 2M --cpus 2 --format csv
check 'csv lines' [ "$(wc -l <out)" = 10 ]
check 'csv fields' [ "$(awk -F, '{ print NF }' out | sort -u | wc -l)" = 1 ]

# The same bytes whatever --jobs, and of the same seed.
all="--generate anon-w-seq-hugetlb --size 16M --wake fair --preempt all"
for jobs in 1 2 7 64; do
	# shellcheck disable=SC2086 # options are words
	check "jobs $jobs" run $all --jobs "$jobs" --format json
	jq .rows out >"jobs.$jobs"
	check "jobs $jobs: same" cmp jobs.1 "jobs.$jobs"
done
# shellcheck disable=SC2086 # options are words
check 'seed' run $all --seed 2 --format json
jq .rows out >seed.2
check 'another seed' [ "$(cmp -s jobs.1 seed.2; echo $?)" = 1 ]
finish
