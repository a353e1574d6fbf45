#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Batch sizes measured on real base pages; and without memory, and stopped.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

few=(--page-size 4K --folio-size 256K --size 2M)

run() {
	"$FOLIOSIM" tune "$@" --format json >out.json 2>err
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" out.json >/dev/null
}

# shellcheck disable=SC2317 # called through check
valid() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.tune-1.schema.json" out.json
}

schema() {
	if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
		check "$1: schema" valid
	fi
}

check 'measured' run "${few[@]}" --repeat 3 --clear memset,portable
schema 'measured'
check 'two curves' holds '.basis == "measured" and .partial == false and
	[.curves[].clear] == ["memset", "portable"]'
# shellcheck disable=SC2016 # jq's own variables, here and below
check 'powers of two' holds 'all(.curves[].points; [.[].batch_bytes] as $b |
	all(4096, 8192, 16384, 32768, 65536, 131072, 262144; . as $power |
		any($b[]; . == $power)))'
check 'points' holds 'all(.curves[].points[]; .rounds == 3 and
	.median_bps > 0 and .p99_ns <= .longest_ns * 1.01 and
	.ci95_share[0] <= .share and .share <= .ci95_share[1])'
check 'shares are of the whole folio' holds 'all(.curves[];
	any(.points[]; .share != 1))'
check 'the whole folio is its own measure' holds 'all(.curves[];
	.points[-1] | .batch_bytes == 262144 and .share == 1)'
# shellcheck disable=SC2016
check 'answers are what points say' holds '.share as $s | .max_latency_ns as $ns |
	all(.curves[];
	([.points[] | select(.share >= $s)][0].batch_bytes) == .by_p99.enough_bytes
	and ([.points[] | select(.p99_ns <= $ns)] | last.batch_bytes)
		== .by_p99.fits_bytes
	and ([.points[] | select(.longest_ns <= $ns)] | last.batch_bytes)
		== .by_longest.fits_bytes)'
# shellcheck disable=SC2016
check 'edges are what points say' holds '.share as $s | all(.curves[];
	([.points[] | select(.ci95_share[0] < $s and $s <= .ci95_share[1]) |
		.batch_bytes] | if . == [] then null else [first, last] end)
		== .edge_bytes and
	(.answer | test("at the edge")) == (.edge_bytes != null))'
check 'those asked for, and the whole' run "${few[@]}" --repeat 1 --batches 8K,64K
schema 'one round'
check 'only those' holds '[.curves[0].points[].batch_bytes] == [8192, 65536, 262144]'
check 'text' "$FOLIOSIM" tune "${few[@]}" --repeat 2 --output out.text
check 'a sentence' grep -qE '^(both can be had|not both): ' out.text
check 'text is too wide' test "$(wc -L <out.text)" -le 80

# A primitive that does not run here has a reason, the others a curve.
foreign=dc-zva
[ "$(uname -m)" = aarch64 ] && foreign=stosb
check 'foreign' run "${few[@]}" --repeat 1 --clear "$foreign,memset" --batches 4K
schema 'foreign'
check 'a reason and a curve' holds '(.curves[0] | .reason != null and
	.points == [] and .answer == null) and (.curves[1].points | length == 2)'
run "${few[@]}" --repeat 1 --clear "$foreign"
check "nothing runs here: exit status $?" test $? = 77 -o -s out.json

# No memory.
run --page-size 2M --size 64T
check 'no memory: exit status' test $? = 77
check "no memory: $(cat err)" grep -q '^foliosim: ' err
check 'no memory: no document' test ! -s out.json
run --page-size 4K --folio-size 64K --size 4K
check 'less than a folio' test $? = 2
run "${few[@]}" --batches 512K
check 'a batch longer than the folio' test $? = 2
if [ -w /dev/full ]; then
	"$FOLIOSIM" tune "${few[@]}" --repeat 1 --batches 4K >/dev/full 2>err
	check 'full disk: exit status' test $? = 1
fi

# A signal: what was measured until then, or nothing.
for seconds in 0.02 0.1 0.3 1; do
	timeout --preserve-status --foreground --signal INT "$seconds" \
		"$FOLIOSIM" tune "${few[@]}" --repeat 4000 --format json \
		>out.json 2>err
	check "INT after $seconds s: exit status $?" test $? = 130
	if [ -s out.json ]; then
		check "INT after $seconds s: partial" holds '.partial'
		schema "INT after $seconds s"
	fi
done
finish
