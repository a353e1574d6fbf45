#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What cannot be simulated, and options that are none.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/simulations.sh
. "$SOURCE_DIR/tests/cli/simulations.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"
need jq

machine >machine.json
workload >workload.trace
software page-faults 2097152 300 >huge.trace
: >empty
cp "$SOURCE_DIR/tests/tools/workloads/mixed.json" \
	"$SOURCE_DIR/model/profiles/genoa.json" .
anon='--generate anon-w-seq-hugetlb --size 2M'

try simulate
try simulate --profile machine.json
try simulate --generate anon-w-seq-hugetlb
try simulate --profile no-such --generate anon-w-seq-hugetlb
try simulate --profile no-such.json --generate anon-w-seq-hugetlb
try simulate --profile genoa --generate anon-w-seq-hugetlb
try simulate --profile genoa --generate anon-w-seq-hugetlb --cpus 4
try simulate --profile genoa --generate anon-w-seq-hugetlb --cpus 4 \
	--policy batched-pages --preempt full --set memory.bps=300G --hz 250
try simulate --profile milan --workload mixed.json --preempt lazy
jq '.hz = null' machine.json >no-hz.json
try simulate --profile no-hz.json --workload mixed.json
jq '.memory.read_bps = null' machine.json >no-read.json
try simulate --profile no-read.json --workload mixed.json
try simulate --profile machine --workload mixed.json

wrong() {
	# shellcheck disable=SC2086 # options are words
	try simulate --profile machine.json "$@"
}

# Options.
# shellcheck disable=SC2086 # options are words
{
	wrong --generate no-such
	wrong $anon --workload x.json
	wrong $anon workload.trace
	wrong $anon --size 3M
	wrong $anon --folio-size 5K
	wrong $anon --folio-size 32G
	wrong $anon --size 0
	wrong --size 1G workload.trace
	wrong --folio-size 12K workload.trace
	wrong --folio-size 4K huge.trace
	wrong --recorded-folio 3K workload.trace
	wrong $anon --recorded-folio 4K
	wrong $anon --cpus 0
	wrong $anon --cpus 8193
	wrong $anon --wake idle
	wrong $anon --interval 1ms
	wrong $anon --wake rt --interval 0ms
	wrong $anon --wake rt --interval 5
	wrong $anon --page-kind 4k
	wrong $anon --clear no-such
	wrong $anon --stream-clear no-such
	wrong $anon --stream-clear stosb
	wrong $anon --policy no-such
	wrong $anon --preempt no-such
	wrong $anon --batch 5K
	wrong $anon --radius x
	wrong $anon --context no-such
	wrong $anon --init-on-alloc 6.1
	wrong $anon --wins 1.5
	wrong $anon --wins -1
	wrong $anon --slice 0us
	wrong $anon --hz 0
	wrong $anon --warn-ms x
	wrong $anon --until 0s
	wrong $anon --until soon
	wrong $anon --max-events 0
	wrong $anon --max-events many
	wrong $anon --seed -1
	wrong $anon --jobs 0
	wrong $anon --jobs 1025
	wrong $anon --format commit
	wrong $anon --format xml
	wrong $anon --output /no/such/file
	wrong $anon --output same --timeline same
	wrong $anon --output - --timeline - --policy batched-pages
	wrong $anon --timeline - --policy batched-pages
	wrong $anon --timeline t.json
	wrong $anon --timeline /no/such/file --policy batched-pages
	wrong $anon --no-such
	wrong $anon --set hz
	wrong $anon --set hz=0
	wrong $anon --set no.such=1
	wrong $anon --set hz=1 --set hz=2
	wrong $anon --set hz=1 --hz 2
	wrong $anon --set nr_cores=5
	wrong $anon --set stosb.ramp_bytes=1G
}

# Workloads; test_workload has more.
wrong --workload no-such.json
wrong --workload empty
wrong --workload /dev/null
wrong --workload genoa.json
program() {
	echo "{\"cpus\": 1, \"tasks\": [{\"name\": \"a\"$1, \"program\": [$2]}]}" \
		>made.json
	wrong --workload made.json
}
program ', "after": "b"' '{"fault": "2M"}'
program '' '{"fautl": "2M"}'
program '' '{"fault": "2T"}'
program '' '{"sleep": {"poisson": "0ms"}}'
program ', "cpus": "0-1"' '{"fault": "2M"}'
program ', "loops": 0' '{"fault": "2M"}'
# shellcheck disable=SC2016 # no shell's
jq '.tasks[2].program = [{"compute": "1us"}]' mixed.json >hog.json
wrong --workload hog.json
wrong --workload mixed.json --cpus 2
wrong --workload mixed.json --folio-size 2M

# Recordings.
wrong missing.trace
wrong empty
grep -v 'fault_user.* 0x6 ' workload.trace >nothing.trace
wrong nothing.trace

# No end is near.
# shellcheck disable=SC2086 # options are words
{
	wrong $anon --cpus 1 --max-events 1 --policy batched-pages
	wrong $anon --cpus 1 --max-events 5 \
		--policy batched-pages,contiguous-page --preempt none \
		--wake rt --interval 10us --format csv
}

# Nothing is left that can be simulated.
jq '.clears |= .[:1]' machine.json >no-stream.json
try simulate --profile no-stream.json --generate anon-w-seq-hugetlb --size 2M \
	--cpus 1 --policy streaming-neighbourhood-last

check 'no file was made' [ ! -e t.json ]
check 'nor that one' [ ! -e same ]
check 'nor -' [ ! -e - ]
finish
