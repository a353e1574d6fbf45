#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Multi-size THP: what a size stands for, rows of all engines, and switches that
# are as before however it ends.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

thp=/sys/kernel/mm/transparent_hugepage

# The third size that is off and has no hugetlb pool, or the last, in kB.
size_that_is_off() {
	local file kb
	for file in "$thp"/hugepages-*kB/enabled; do
		kb=${file#*/hugepages-}
		kb=${kb%kB/enabled}
		if grep -q '\[never\]' "$file" 2>/dev/null &&
			[ $((kb * 1024)) -lt "$(cat "$thp/hpage_pmd_size")" ] &&
			[ ! -e "/sys/kernel/mm/hugepages/hugepages-${kb}kB" ]; then
			echo "$kb"
		fi
	done | sort -n | sed -n '3p;$p' | head -n 1
}

switches() {
	grep . "$thp/enabled" "$thp"/hugepages-*kB/enabled
}

word() {
	sed 's/.*\[\(.*\)\].*/\1/' "$1"
}

rows() {
	check "$1" jq -e "$2" out.json >/dev/null
}

bench() {
	"$FOLIOSIM" bench --format json "$@" >out.json 2>err
	status=$?
}

kb=$(size_that_is_off)
[ -n "$kb" ] || skip 'no mTHP size that is off'
file=$thp/hugepages-${kb}kB/enabled
before=$(switches)

# shellcheck disable=SC2317 # called through check
as_before() {
	diff <(echo "$before") <(switches)
}

# Without --reserve nothing is written, and the command that helps is told.
bench --page-size "${kb}K" --size 16M --repeat 1
check 'off is exit 77' [ "$status" = 77 ]
check 'off: the command' grep -q "echo madvise > $file, or run with --reserve" err
rows 'off: rows stay' '(.rows | length) > 0 and all(.rows[]; .status == "unsupported")'
check 'off: nothing is written' as_before

# Sizes that nobody has are told with those there are.
bench --reserve --page-size 8M --size 16M --repeat 1
check 'no such size is exit 77' [ "$status" = 77 ]
check 'no such size: mTHP sizes' grep -q "mTHP of .*$(numfmt --to=iec $((kb * 1024)))" err
bench --reserve --page-size mthp-8M --size 16M --repeat 1
check 'no such mTHP is exit 77' [ "$status" = 77 ]
check 'no such mTHP: sizes' grep -q 'no mTHP of 8M; it has ' err
bench --reserve --page-size "${kb}K,mthp-${kb}K" --size 16M --repeat 1
check 'the same in other words is exit 2' [ "$status" = 2 ]
check 'usage errors write nothing' as_before

# Without rights: a sentence.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp "$FOLIOSIM" plain && chmod 755 plain . || exit 1
	setpriv --reuid 65534 --regid 65534 --clear-groups ./plain bench \
		--reserve --page-size "${kb}K" --size 16M --repeat 1 \
		--format json >out.json 2>err
	check 'without rights is exit 77' [ $? = 77 ]
	check 'without rights: the reason' grep -q \
		"cannot write '$file': Permission denied; as root: echo madvise" err
	check 'without rights: as before' as_before
fi

# From here on switches are written, here as well, and set back at the end.
[ -w "$file" ] || skip "'$file' cannot be written"
# shellcheck disable=SC2317 # called by the trap
set_back() {
	local line chosen
	while IFS= read -r line; do
		chosen=${line#*[}
		echo "${chosen%%]*}" >"${line%%:*}"
	done <<<"$before"
	rm -rf "$scratch"
}
trap set_back EXIT

bench --reserve --page-size "mthp-${kb}K" --size 16M --repeat 3 \
	--fault-page first,last
check 'exit status' [ "$status" = 0 ]
check 'it is told' grep -q "switched '$file' from never to madvise" err
check 'as before' as_before
rows 'sizes' "all(.rows[]; .page_size_bytes == $((kb * 1024)) and
	.folio_bytes == $((kb * 1024)))"
if grep -q 'smaller pages' err; then
	echo "memory is too fragmented: $(tail -n 1 err)"
else
	rows 'all measured' 'all(.rows[]; .status == "measured")'
	rows 'backing' 'all(.rows[]; .backing.kind == "mthp" and
		(.backing.verified_by | . == null or
			test("^(pagemap|anon_fault_alloc|pagemap[+]anon_fault_alloc)$")))'
	rows 'kernel rows' '[.rows[] | select(.engine == "kernel")] | length == 2'
	# The shadow memory of a sanitizer takes page faults too.
	[ -n "${SANITIZED:-}" ] || rows 'a fault a folio' \
		'all(.rows[]; all(.warnings[]; startswith("faults:") | not))'
fi

# More than there is memory, or mappings, for.
bench --reserve --page-size "${kb}K" --size 64T --repeat 1
check 'too much is exit 77' [ "$status" = 77 ]
check 'too much: a sentence' grep -q 'cannot map 64T' err
check 'too much: as before' as_before

# The PMD size is switched on and off as well.
pmd=$thp/hugepages-$(($(cat "$thp/hpage_pmd_size") / 1024))kB/enabled
if [ -w "$pmd" ]; then
	was=$(word "$pmd")
	echo never >"$pmd"
	bench --reserve --page-size thp --size 16M --repeat 1
	check 'thp: exit status' [ "$status" = 0 ]
	check 'thp: it is told' grep -q "switched '$pmd' from never" err
	check 'thp: back' [ "$(word "$pmd")" = never ]
	echo "$was" >"$pmd"
fi

# What somebody else chooses meanwhile stays.
"$FOLIOSIM" bench --reserve --page-size "${kb}K" --size 16M --repeat 4000 \
	>out 2>err &
pid=$!
for _ in $(seq 1000); do
	[ "$(word "$file")" = never ] || break
	sleep 0.01
done
check 'it is open meanwhile' [ "$(word "$file")" = madvise ]
echo always >"$file"
kill -TERM "$pid"
wait "$pid"
check 'the choice of others stays' [ "$(word "$file")" = always ]
echo never >"$file"

# A signal at any instant.
ulimit -c 0 # QUIT
for seconds in 0.005 0.01 0.02 0.03 0.05 0.08 0.15 0.3 0.6; do
	for signal in INT TERM HUP QUIT; do
		timeout --preserve-status --foreground --signal "$signal" \
			"$seconds" "$FOLIOSIM" bench --reserve --repeat 4000 \
			--page-size "${kb}K,thp" --size 32M >out 2>err
		check "$signal after $seconds s: exit status" \
			[ $? = $((128 + $(kill -l "$signal"))) ]
		check "$signal after $seconds s: as before" as_before
	done
done
check 'as before' as_before
finish
