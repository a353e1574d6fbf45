#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two policies compared: every format, exit statuses, and against their plans.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

# Different, and equal.
try plan --diff contiguous-page,neighbourhood-last --folio-size 2M
try plan --diff neighbourhood-last,neighbourhood-last-v6 --folio-size 64K \
	--preempt lazy,none
try plan --diff batched-pages,contiguous-page --folio-size 64K --batch 4K
try plan --diff batched-pages,contiguous-page --folio-size 64K --batch 4K \
	--preempt none,voluntary
try plan --diff neighbourhood-last,streaming-neighbourhood-last \
	--folio-size 64K --fault-page last,3,middle,3K,0 --preempt none
try plan --diff neighbourhood-last,streaming-neighbourhood-last \
	--folio-size 64K --fault-page last,3,middle,15 --preempt none
try plan --diff discontiguous-page,contiguous-page --folio-size 1G
try plan --diff batched-pages,neighbourhood-last --folio-size 1G --radius 7 \
	--format json
try plan --diff batched-pages,neighbourhood-last --folio-size 4K --highmem \
	--per-page-clear
try plan --diff batched-pages,neighbourhood-last --folio-size 16K \
	--format json --batch 8K --fault-page 1
try plan --diff batched-pages,contiguous-page --folio-size 8K --format csv
try plan --diff batched-pages,contiguous-page --folio-size 4K --format csv
try plan --diff discontiguous-page,contiguous-page --folio-size 20K \
	--preempt none,full --format csv
# Allocators are told no page.
try plan --diff init-pages,init-pages-batched --folio-size 2M \
	--context alloc-pte-lock
try plan --diff init-pages,init-pages-batched --folio-size 8K --format json \
	--preempt none
try plan --diff init-pages,init-pages-batched --folio-size 8K --format csv \
	--preempt none

# Bad values.
for value in '' contiguous-page contiguous-page,contiguous-page ',' \
	'contiguous-page,' contiguous-page,nobody nobody,contiguous-page \
	contiguous-page,batched-pages,init-pages; do
	try plan --diff "$value" --folio-size 2M
done
two=contiguous-page,batched-pages
try plan --diff "$two"
try plan --diff "$two" --folio-size 2M --policy init-pages
try plan --diff "$two" --folio-size 2M --addr 1000
try plan --diff "$two" --folio-size 2M --cache genoa
try plan --diff "$two" --folio-size 2M --page-kind hugetlb
try plan --diff "$two" --folio-size 2M --preempt none,some
try plan --diff "$two" --folio-size 2M --preempt ''
try plan --diff "$two" --folio-size 2M --fault-page 512
try plan --diff "$two" --folio-size 2M --fault-page 1,1
try plan --diff "$two" --folio-size 2M --format commit
# Without it there is one plan.
try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
	--preempt none,full
try plan --policy contiguous-page --folio-size 2M --fault-page 0,1

# A page, a model, a step: as the plans say that --policy prints.
calls() {
	"$FOLIOSIM" plan --policy "$1" --folio-size 64K --fault-page "$2" \
		--preempt full --batch 12K --format csv
}

first_by_hand() {
	diff <(calls "$1" "$3") <(calls "$2" "$3") |
		sed -n '/^[<>]/{s/^. \([0-9]*\),.*/\1/p;q}'
}

for page in $(seq 0 15); do
	for pair in discontiguous-page,batched-pages \
		neighbourhood-last,streaming-neighbourhood-last; do
		"$FOLIOSIM" plan --diff "$pair" --folio-size 64K --batch 12K \
			--fault-page "$page" --preempt full --format csv >out
		check "$pair: page $page" test \
			"$(sed -n '2s/[^,]*,[^,]*,\([0-9]*\),.*/\1/p' out)" = \
			"$(first_by_hand "${pair%,*}" "${pair#*,}" "$page")"
	done
done

# Whichever two: the exit status is what the first word says.
for p in $(names policies); do
	for q in $(names policies); do
		[ "$p" != "$q" ] || continue
		"$FOLIOSIM" plan --diff "$p,$q" --folio-size 64K >out 2>err
		case $? in
		0) check "$p,$q: one line" test "$(grep -c ^ out)" = 1 \
			-a "$(cut -d: -f1 out)" = equal ;;
		1) check "$p,$q: different" grep -q '^different: ' out
			check "$p,$q: 80 columns" test "$(wc -L <out)" -le 80 ;;
		*) fail "$p,$q: exit status" ;;
		esac
		check "$p,$q: stderr" test ! -s err
	done
done

# Full disk: not compared, and said so.
"$FOLIOSIM" plan --diff "$two" --folio-size 2M >/dev/full 2>err
check 'full: status' test $? = 1
check 'full: said' grep -q 'No space left' err

if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	for options in "$two --folio-size 1G" \
		'init-pages,init-pages-extent --folio-size 4K' \
		'init-pages,batched-pages --folio-size 2M --batch 64K' \
		'batched-pages,contiguous-page --folio-size 4K'; do
		# shellcheck disable=SC2086
		"$FOLIOSIM" plan --format json --diff $options >out 2>err
		check "$options: schema" /usr/bin/python3 \
			"$SOURCE_DIR/tests/cli/validate.py" \
			"$SOURCE_DIR/docs/foliosim.plan-diff-1.schema.json" out
	done
fi
finish
