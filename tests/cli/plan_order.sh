#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `foliosim plan` against the orders recorded from unmodified kernels.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

recorded=$SOURCE_DIR/tests/golden/clear-order.csv
[ -r "$recorded" ] || skip "no $recorded"

# The clears of one recorded fault, in order; merged calls one by one again.
recorded_clears() {
	awk -F, -v id="$1" '
	$1 "," $2 "," $3 "," $4 "," $5 == id {
		if ($6 != seq++)
			print "seq " $6 " is out of order"
		for (i = 0; i < $9; i++)
			print $7 + i * $8 / $9 "," $8 / $9
	}' "$recorded"
}

planned_clears() {
	"$FOLIOSIM" plan "$@" --format csv |
		awk -F, '$2 == "clear" { print $3 "," $4 }'
}

faults=$(tail -n +2 "$recorded" | cut -d, -f1-5 | uniq | sort -u)
nr=0
while IFS=, read -r kernel preempt kind folio_bytes fault_page; do
	case $kernel in
	6.*) policy=discontiguous-page ;;
	7.*) policy=neighbourhood-last ;;
	*) fail "no policy for kernel $kernel" && continue ;;
	esac
	recorded_clears "$kernel,$preempt,$kind,$folio_bytes,$fault_page" >expected
	planned_clears --policy "$policy" --folio-size "$folio_bytes" \
		--fault-page "$fault_page" --preempt "${preempt#forced-}" >actual
	check "$kernel $preempt $kind $folio_bytes page $fault_page: order" \
		cmp expected actual
	check "$kernel $kind $folio_bytes: rows" test -s expected
	nr=$((nr + 1))
done <<<"$faults"
check "no recorded fault was read" test "$nr" -gt 0
echo "$nr recorded faults"
finish
