#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The block of `foliosim machine`: its shape, for its facts differ everywhere.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

"$FOLIOSIM" machine >block 2>err
check "exit status" test $? = 0
check "stderr" test ! -s err
grep -vE '^ ?( ?[A-Za-z0-9_]+)+: +[^ ]|^ {19}[^ ]' block >bad
check "neither 'key: value' nor its rest: $(head -n 1 bad)" test ! -s bad
check "ends in a blank: $(grep ' $' block)" test -z "$(grep ' $' block)"
# Only a word that cannot be broken may stand out.
awk 'length($0) > 72 && NF > 1 && !/^[^:]*: +[^ ]+$/' block >bad
check "more than 72 columns: $(head -n 1 bad)" test ! -s bad
for key in cpu 'cpu id' 'cpu features' cpus kernel 'preempt mode' \
	'zeroes huge pages' 'zeroes 4K pages' 'clears with' init_on_alloc HZ \
	THP mTHP 'clear primitives' counters 'perf rights' governor clock \
	'virtual machine' 'steal time'; do
	check "no '$key'" grep -q "^$key: " block
done
for key in 'preempt mode' 'zeroes huge pages' 'zeroes 4K pages' init_on_alloc; do
	check "'$key' without a basis" grep -qE "^$key: +(unknown|.* \(.+\))\$" block
done
check "no cache" grep -qE '^(L[0-9]d? cache|caches): ' block
check "no hugetlb" grep -q '^hugetlb' block

# The usable primitives are those that list does not call unavailable.
usable=$("$FOLIOSIM" list clears | grep -v '(unavailable' | sed 's/ .*//' | xargs)
shown=$(sed -n '/^clear primitives:/,/^[^ ]*counters/p' block | sed '$d' |
	sed 's/^clear primitives://' | xargs)
check "clear primitives: '$shown' for '$usable'" test "$shown" = "$usable"
choice=$(sed -n 's/^clears with: *\([^ ]*\).*/\1/p' block)
case " $usable " in
*" $choice "*) ;;
*) fail "the kernel's choice '$choice' cannot be used" ;;
esac

"$FOLIOSIM" machine --format json >object 2>err
check "json: exit status" test $? = 0
check "json: stderr" test ! -s err
check "json: one object" jq -es 'length == 1 and (.[0] | type) == "object"' \
	object >/dev/null
for pair in 'preempt_mode:preempt mode' 'kernel_policy:zeroes huge pages' \
	'base_policy:zeroes 4K pages' 'init_on_alloc:init_on_alloc'; do
	found=$(jq -r ".${pair%%:*} | if .value == null then \"unknown\"
		else \"\(.value) (\(.basis))\" end" object)
	check "${pair#*:} is '$found' in json" \
		grep -qxE "${pair#*:}: +${found//[()]/.}" block
done

try machine more
try machine --format csv
try machine --format
finish
