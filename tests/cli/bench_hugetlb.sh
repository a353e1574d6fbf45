#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Real hugetlb pages: the kernel's own path in the same table, and what
# --reserve takes and gives back.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

pools=/sys/kernel/mm/hugepages
pool=$pools/hugepages-2048kB

unable() {
	[ -z "${FOLIOSIM_REQUIRE_HUGETLB:-}" ] || {
		fail "$*"
		finish
	}
	skip "$*"
}

total() {
	cat "$1/nr_hugepages"
}

rows() {
	check "$1" jq -e "$2" out.json >/dev/null
}

[ -e "$pool/nr_hugepages" ] || unable 'no pool of 2M pages'
before=$(total "$pool")

# 32M with --reserve; without rights it must fail with a sentence.
"$FOLIOSIM" bench --reserve --page-size 2M --size 32M --repeat 3 \
	--fault-page first,middle,last --format json >out.json 2>err
status=$?
check 'the pool is as before' [ "$(total "$pool")" = "$before" ]
if [ "$status" = 77 ]; then
	check 'the reason is told' [ -s err ]
	unable "$(tail -n 1 err)"
fi
check 'exit status' [ "$status" = 0 ]
rows 'all measured' 'all(.rows[]; .status == "measured" and .rounds == 3)'
rows 'backing' 'all(.rows[]; .backing.kind == "hugetlb" and .backing.page_bytes == 2097152)'
rows 'kernel rows' '[.rows[] | select(.engine == "kernel") | .fault_page] == [0, 256, 511]'
rows 'folios' 'all(.rows[]; .faults == 16)'
# The shadow memory of a sanitizer takes page faults too.
[ -n "${SANITIZED:-}" ] ||
	rows 'a fault a folio' 'all(.rows[]; all(.warnings[]; startswith("faults:") | not))'
rows 'kernel has no plan' '[.rows[] | select(.engine == "kernel")] | all(.resched.points == null and .clear == null and .hypothetical == false)'
rows 'ratio of the kernel' '[.rows[] | select(.engine == "kernel")] | all(.ratio.rounds == 3 and .ratio.median > 0)'

# Folios larger and smaller than a page; only buffers can do that.
"$FOLIOSIM" bench --reserve --page-size 2M --folio-size 8M --size 32M \
	--repeat 2 --format json >out.json 2>err
rows 'folio of four pages' '[.rows[] | select(.engine == "buffers")] | all(.status == "measured" and .faults == 4)'
rows 'kernel cannot' '[.rows[] | select(.engine == "kernel")] | all(.status == "unsupported")'

# Too much: one sentence that names asked, free, total, file and command.
pages=$((before + 8))
"$FOLIOSIM" bench --page-size 2M --size $((2 * pages))M --repeat 1 \
	--format json >out.json 2>err
check 'too much is exit 77' [ $? = 77 ]
check 'asked is told' grep -q " $pages pages asked" err
check 'the command is told' grep -q 'echo .*nr_hugepages' err
rows 'rows stay' '(.rows | length) > 0 and all(.rows[]; .status == "unsupported")'

# More than there is memory for: nothing is taken, and no such advice given.
"$FOLIOSIM" bench --reserve --page-size 2M --size 64T --repeat 1 --format json \
	>out.json 2>err
check 'beyond memory is exit 77' [ $? = 77 ]
check 'the pool is as before' [ "$(total "$pool")" = "$before" ]
check 'what is available is told' grep -q 'cannot reserve .*M available' err
check 'the option is told' grep -q 'ask for less with --size' err
check 'no command is told' [ "$(grep -c 'echo ' err)" = 0 ]

# A list with one size that cannot be had: the others are measured.
"$FOLIOSIM" bench --reserve --page-size 2M,32M --size 32M --repeat 1 \
	--format json >out.json 2>err
check 'one size of two' [ $? = 0 ]
rows 'the other is unsupported' '[.rows[] | .status] | unique == ["measured", "unsupported"]'
check 'the sizes are listed' grep -q 'it has .*2M' err

# A gigantic page, where the kernel finds one.
if [ -e "$pools/hugepages-1048576kB/nr_hugepages" ]; then
	gigantic=$(total "$pools/hugepages-1048576kB")
	"$FOLIOSIM" bench --reserve --page-size 1G --repeat 1 \
		--policy discontiguous-page --fault-page first \
		--format json >out.json 2>err
	if [ $? = 77 ]; then
		echo "1G not run: $(tail -n 1 err)"
	else
		rows '1G' '[.rows[] | .status] == ["measured", "measured"]'
		rows '1G points' '.rows[0].resched.points == 262144'
	fi
	check 'the 1G pool is as before' \
		[ "$(total "$pools/hugepages-1048576kB")" = "$gigantic" ]
fi
check 'the pool is as before' [ "$(total "$pool")" = "$before" ]
finish
