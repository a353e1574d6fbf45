#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench --probe: what zeroing leaves in the caches and pushes out of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

bench() {
	"$FOLIOSIM" bench --page-size 4K --folio-size 64K --size 4M --repeat 3 \
		--policy contiguous-page,init-pages "$@" >out 2>err
	status=$?
}

holds() {
	check "$1" jq -e "$2" out >/dev/null
}

bench --probe all --fault-page middle --format json
check 'exit status' [ "$status" = 0 ]
if command -v python3 >/dev/null && python3 -c 'import jsonschema' 2>/dev/null; then
	check schema python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
fi
holds 'levels' '.probe | (.levels | length) > 0 and .repeats == 3 and
	.levels[-1].name == "memory" and .borders[-1].below_cycles == null'
holds 'levels have the names of borders' '.probe |
	(.levels | map(.level)) - (.borders | map(.level)) == []'
holds 'distances' '.rows[0].residency | map(.distance_pages) ==
	[-8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7]'
holds 'samples' 'all(.rows[] | .residency[], .victim[];
	.samples == 3 and .source == "probe")'
holds 'every row has pages or a reason' '[.rows[] | select(.residency == []).id] ==
	[.probe.not_probed[] | select(.probe == "residency").id]'
holds 'a working set for each cache, or a reason' '
	([.probe.not_probed[] | select(.probe == "victim" and (.id == null or .id == "r1"))] +
	.rows[0].victim | length) >=
	([2, (.probe.levels | length)] | min) - 1'
cp out one.json
check 'compare reads it' "$FOLIOSIM" compare one.json one.json >/dev/null

bench --probe residency
check 'text: random faults' grep -q '^ *cycles a load .* -1 .* +1 ' out
check 'text: one table' [ "$(grep -c '^ *by probe' out)" = 1 ]
check 'text: levels' grep -q '^probe: a load takes so many cycles' out
check 'text: reason' grep -q '^no residency: the policy is told no' out

bench --format json
holds 'none' '(.probe == null) and all(.rows[]; .residency == [])'
bench --format csv
head -n 1 out >plain
bench --probe victim --format csv
check 'CSV has the same columns' diff plain <(head -n 1 out)
finish
