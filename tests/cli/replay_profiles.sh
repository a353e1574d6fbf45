#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording priced by machine profiles, shipped ones and a user's own.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"
need jq

workload >workload.trace
profiles=$SOURCE_DIR/model/profiles

# Without the line of the machine.
shown() {
	try replay --preempt none "$@" workload.trace
	sed -i '/, Linux .*, preempt /d' transcript.stdout
}

shown --profile milan --folio-size 2M
# It has no streaming primitive, so that row has no price.
shown --profile genoa --folio-size 2M,1G \
	--policy batched-pages,streaming-neighbourhood-last
# Nobody published what long calls cost there.
shown --profile zen5 --folio-size 1G --policy contiguous-page,batched-pages
try replay --preempt none --profile zen5 --folio-size 1G \
	--policy init-pages-extent --format commit workload.trace
shown --profile genoa-boost --folio-size 2M --policy contiguous-page \
	--format commit

# Not a name, and files of all kinds.
jq '.name = "mine" | .cpu = "My CPU" | .clears[0].bps = 1e10' \
	"$profiles/genoa.json" >mine.json
jq '.clears[0].elided_share = 2' mine.json >share.json
jq 'del(.fault_ns)' mine.json >missing.json
jq '.clears[0].ramp_bytes = 99999999999' mine.json >ramp.json
head -c 300 mine.json >cut.json
cp mine.json mine
shown --profile mine.json --folio-size 2M --policy contiguous-page
shown --profile ./mine --folio-size 2M --policy contiguous-page --format commit
for word in mine mine. '' Milan share.json missing.json ramp.json cut.json \
	no-such.json ./no-such /dev/null; do
	try replay --profile "$word" workload.trace
done
try replay --engine buffers --profile milan workload.trace
try replay --profile

# shellcheck disable=SC2317 # called through check
run() {
	"$FOLIOSIM" replay --preempt none --format json "$@" workload.trace \
		2>err >out
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" out >/dev/null
}

# shellcheck disable=SC2317 # called through check
valid() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
}

for profile in $(names profiles); do
	check "$profile" run --profile "$profile" --folio-size 2M
	check "$profile says so" holds \
		".trace.prices | .profile == \"$profile\" and .clear != null"
	check "$profile: rows have a price, or a reason" holds \
		'all(.rows[]; (.status == "modelled") == (.reason == null))'
done
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	check 'schema' valid
fi

# The order of pages costs where it was seen to: first page last goes down.
check 'orders' run --profile milan --folio-size 2M \
	--policy contiguous-page,discontiguous-page
check 'down is slower' holds '[.rows[].seconds[0]] | .[0] < .[1]'

# fault_ns is in each stall and in no stretch.
jq '.fault_ns = 0' mine.json >zero.json
jq '.fault_ns = 1e6' mine.json >large.json
check 'no fault' run --profile zero.json --folio-size 2M --policy batched-pages
zero=$(jq -c '.rows[0] | [.fault_ns.max, .resched.interval_ns.max]' out)
check 'a fault' run --profile large.json --folio-size 2M --policy batched-pages
large=$(jq -c '.rows[0] | [.fault_ns.max - 1e6, .resched.interval_ns.max]' out)
check "fault_ns once: $zero, $large" test "$zero" = "$large"
finish
