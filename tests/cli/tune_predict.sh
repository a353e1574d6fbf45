#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Batch sizes that profiles predict: the same figures on every machine.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

try tune --profile genoa
try tune --profile genoa --share 90% --max-latency 5ms
try tune --profile genoa --share 50
try tune --profile milan --max-latency 100ns
try tune --profile zen5
try tune --profile zen5 --folio-size 2M --clear clzero,stosb
try tune --profile neutral --folio-size 12K --preempt voluntary
try tune --profile neutral --page-size 4K
try tune --profile genoa --batches 64M,4K,65536,64K,1G
try tune --profile neoverse-n1 --clear stosb

# Usage.
for share in 0 101 '' % -5 x 95%% 0.5 1e2 99999999999999999999999999999999999; do
	try tune --profile genoa --share "$share"
done
for latency in 0 0ns 3 3x -1ms '' 99999999999999999999s; do
	try tune --profile genoa --max-latency "$latency"
done
for size in 0 -1 4095 5000 1.5M 99999999999T ''; do
	try tune --profile genoa --folio-size "$size"
	try tune --profile genoa --batches "$size"
done
try tune --profile genoa --page-size 3M
try tune --profile genoa --page-size 2M,4K
try tune --profile genoa --page-size 2M --batches 4M
for model in full lazy rt-full rt-lazy no-such-model; do
	try tune --profile genoa --preempt "$model"
done
try tune --profile no-such-profile
try tune --profile /dev/null
try tune --profile genoa --engine buffers
try tune --engine kernel
try tune --profile genoa --clear no-such-primitive
try tune --profile genoa --format csv
try tune --profile genoa --reserve
try tune --profile genoa --repeat 3
try tune --profile genoa --size 1G
try tune --profile genoa surplus
try tune --profile genoa --output /nonexistent/file

# shellcheck disable=SC2317 # called through check
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

# Prices of bench are whole ns.
# shellcheck disable=SC2016,SC2317 # jq's own variables; called through check
alike() {
	jq -ne --argjson a "$1" --argjson b "$2" '[$a, $b] | transpose |
		all((.[0] - .[1]) / .[0] | fabs < 1e-3)' >/dev/null
}

for profile in $(names profiles); do
	check "$profile" run --profile "$profile" --folio-size 16M
	if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
		check "$profile: schema" valid
	fi
	# shellcheck disable=SC2016 # jq's own variables, here and below
	check "$profile: sorted, and whole at the end" holds '.folio_bytes as $f |
		all(.curves[]; (.points | length) > 10 and
			([.points[].batch_bytes] | . == unique) and
			(.points[-1] | .batch_bytes == $f and .share == 1))'
	# shellcheck disable=SC2016
	check "$profile: answers are what points say" holds '
		.share as $share | .max_latency_ns as $ns | all(.curves[];
		([.points[] | select(.share >= $share)][0].batch_bytes)
			== .by_longest.enough_bytes and
		([.points[] | select(.longest_ns <= $ns)] | last.batch_bytes)
			== .by_longest.fits_bytes)'
	check "$profile: whole folio, as bench has it" "$FOLIOSIM" bench \
		--engine model --profile "$profile" --page-size 16M \
		--size 16M --policy batched-pages --preempt none \
		--batch 64K --fault-page first \
		--clear "$(jq -r '.curves[0].clear' out.json)" \
		--format json --output bench.json
	want=$(jq '.rows[0] | [.bandwidth.median_bps / 1e6, .resched.interval_ns.max] | map(round)' bench.json)
	got=$(jq '.curves[0].points[] | select(.batch_bytes == 65536) | [.median_bps / 1e6, .longest_ns] | map(round)' out.json)
	check "$profile: bench says $want, tune $got" alike "$want" "$got"
done

# The cliff is where the threshold is.
check 'genoa' run --profile genoa
check 'a cliff at 32M' holds '[.curves[0].points[] | {key: "\(.batch_bytes)", value: .median_bps}] | from_entries |
	."33554432" > 1.5 * ."16777216" and ."16777216" < 1.01 * ."8388608"'

# Nothing is taken, so anybody can.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 .
	check 'as anybody' setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$FOLIOSIM" tune --profile genoa >anybody
fi
if [ -w /dev/full ]; then
	"$FOLIOSIM" tune --profile genoa >/dev/full 2>err
	check 'full disk: exit status' test $? = 1
	check "full disk: $(cat err)" grep -q 'No space left on device$' err
fi
finish
