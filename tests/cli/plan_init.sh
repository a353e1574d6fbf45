#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What init_on_alloc=1 makes of plans, put together from those of the policies.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

for kernel in off 6.12 7.3; do
	try plan --policy neighbourhood-last --folio-size 32K --fault-page 6 \
		--init-on-alloc "$kernel"
	for format in csv json; do
		try plan --policy neighbourhood-last --folio-size 16K \
			--fault-page 2 --init-on-alloc "$kernel" \
			--format "$format"
	done
done
try plan --policy neighbourhood-last --folio-size 32K --fault-page 6 \
	--init-on-alloc 6.12 --page-kind hugetlb
try plan --policy neighbourhood-last --folio-size 16K --fault-page 2 \
	--init-on-alloc 7.3 --page-kind hugetlb --format csv
try plan --policy contiguous-page --folio-size 16K --fault-page 2 \
	--page-kind hugetlb
# Only the allocator zeroes, and it is told no page.
try plan --policy contiguous-page --folio-size 2M --init-on-alloc 7.3
try plan --policy contiguous-page --folio-size 2M --init-on-alloc 7.3 \
	--page-kind hugetlb
try plan --policy contiguous-page --folio-size 2M --init-on-alloc 6.12
try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
	--init-on-alloc 6.1
try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
	--init-on-alloc
try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
	--page-kind 4k
# What the second zeroing sleeps in is still seen.
try plan --policy batched-pages --folio-size 16K --fault-page 0 \
	--init-on-alloc 6.12 --context alloc-irq --preempt voluntary \
	--format csv

# ops POLICY OPTION...: its calls, without their numbers and the last column.
ops() {
	local policy=$1
	shift
	"$FOLIOSIM" plan --policy "$policy" --folio-size 68K --fault-page 7 \
		--batch 12K --format csv "$@" | sed 1d | cut -d, -f2-5
}

# by POLICY OPTION...: whose they are.
by() {
	local policy=$1
	shift
	"$FOLIOSIM" plan --policy "$policy" --folio-size 68K --fault-page 7 \
		--batch 12K --format csv "$@" | sed 1d | cut -d, -f6 | uniq
}

for policy in $(names policies); do
	for model in none voluntary full; do
		what="$policy, $model"
		set -- --preempt "$model"
		{
			ops init-pages "$@"
			ops "$policy" "$@"
		} >twice
		ops "$policy" "$@" --init-on-alloc 6.12 >carried
		check "$what: 6.12" diff -u twice carried
		check "$what: 6.12: by" [ "$(by "$policy" "$@" \
			--init-on-alloc 6.12 | paste -sd' ')" = \
			'allocator policy' ]
		ops init-pages-extent "$@" >once
		ops "$policy" "$@" --init-on-alloc 7.3 >carried
		check "$what: 7.3" diff -u once carried
		check "$what: 7.3: by" [ "$(by "$policy" "$@" \
			--init-on-alloc 7.3)" = allocator ]
		ops "$policy" "$@" >alone
		ops "$policy" "$@" --init-on-alloc 6.12 --page-kind hugetlb \
			>carried
		check "$what: hugetlb" diff -u alone carried
	done
	check "$policy: runs" [ "$("$FOLIOSIM" plan --policy "$policy" \
		--folio-size 68K --fault-page 7 --init-on-alloc 6.12 \
		--format json | jq -c '[.runs[:.allocator_runs][] |
		select(.op == "clear") | .nr_pages] | add')" = 17 ]
done
finish
