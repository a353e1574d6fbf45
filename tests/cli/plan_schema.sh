#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Documents of plan fit their schema, and the schema can tell.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
	skip 'python3-jsonschema is not there'

# fits DOCUMENT
fits() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.plan-1.schema.json" "$1" 2>why.err
}

small=4K/4@4,32K/8:inclusive@14
for options in \
	"--policy neighbourhood-last --fault-page 2 --cache $small" \
	'--policy neighbourhood-last --fault-page 2 --init-on-alloc 6.12' \
	'--policy discontiguous-page --fault-page 5 --preempt lazy --cache genoa' \
	'--policy streaming-neighbourhood-last --addr 5000 --page-kind hugetlb' \
	'--policy init-pages-batched --context alloc-pte-lock --batch 16K' \
	'--policy batched-pages --fault-page last --highmem --preempt voluntary'; do
	# shellcheck disable=SC2086
	"$FOLIOSIM" plan --folio-size 64K $options --format json >out 2>err ||
		grep -q 'invalid context' err || fail "$options: $(cat err)"
	fits out || fail "$options: $(tail -n 3 why.err)"
done

for wrong in 's/"op": "clear"/"op": "clean"/' 's/"schema"/"scheme"/' \
	's/"conditional": false,//' 's/"nr_pages": [0-9]*/"nr_pages": -1/' \
	's/"hint": "cached"/"hint": "cold"/' 's/"runs"/"more": 1, "runs"/'; do
	sed "$wrong" <out >wrong.json
	! fits wrong.json || fail "the schema takes $wrong"
done
finish
