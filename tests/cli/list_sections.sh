#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The sections of `foliosim list`.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

sections='policies clears engines models contexts formats generators profiles events'
for section in $sections; do
	# shellcheck disable=SC2094 # a file of that name, not the word
	"$FOLIOSIM" list "$section" >"$section" 2>err
	check "list $section: exit status" test $? = 0
	check "list $section: stderr" test ! -s err
	check "list $section: not empty" test -s "$section"
	grep -vxE '[A-Za-z0-9:-]+  +[^ ].*[^ ]' "$section" >bad
	check "list $section: 'name  summary': $(head -n 1 bad)" test ! -s bad
	check "list $section: names once" \
		test -z "$(names "$section" | sort | uniq -d)"
	check "list $section: aligned" \
		test "$(sed 's/^\([^ ]*  *\).*/\1/' "$section" |
			awk '{ print length($0) }' | sort -u | wc -l)" = 1
done

# Everything is the sections one after the other, each under a heading.
"$FOLIOSIM" list >all 2>err
check "list: exit status" test $? = 0
check "list: stderr" test ! -s err
for section in $sections; do
	sed "0,/(foliosim list $section)\$/d" all | sed '/^$/,$d' >part
	check "list has $section as list $section has" cmp part "$section"
done

# Only what a CPU or its kernel cannot do is unavailable, and it says why.
grep -c 'unavailable' policies engines models contexts formats generators profiles | grep -v ':0$' >bad
check "unavailable, but no clear or event: $(cat bad)" test ! -s bad
cat clears events | grep unavailable | grep -v ' (unavailable: [^ ].*)$' >bad
check "unavailable without a reason: $(cat bad)" test ! -s bad
check "some clear can be used" grep -qv unavailable clears

for policy in discontiguous-page contiguous-page batched-pages \
	neighbourhood-last neighbourhood-last-v6 streaming-neighbourhood-last \
	init-pages init-pages-extent init-pages-batched; do
	check "list policies has $policy" grep -q "^$policy  " policies
done
for engine in buffers kernel bare model; do
	check "list engines has $engine" grep -q "^$engine  " engines
done
for generator in sequential reverse stride uniform zipf hot-cold \
	pointer-chase anon-w-seq-hugetlb; do
	check "list generators has $generator" grep -q "^$generator  " generators
done
check "list generators names options" \
	test "$(grep -c '^\(stride\|zipf\|hot-cold\) .* \[--.*\]$' generators)" = 3

for format in canonical csv binary; do
	check "list formats says that $format is written" \
		grep -q "^$format  .* \\[read, written\\]$" formats
done

# Whether they can be counted is the machine's business.
for event in cycles L1-dcache-loads dTLB-load-misses page-faults task-clock; do
	check "list events has $event" grep -qE "^$event  .* \\[(pmu|software)\\]" events
done
check 'list events says how to name others' grep -q '^rNNNN ' events
"$FOLIOSIM" list events FAULTS >faults 2>err
check 'list events TEXT: exit status' test $? = 0
check 'list events TEXT: all of them' \
	test "$(sed 's/ .*//' faults | sort | joined)" = \
	'major-faults, minor-faults, page-faults'

try list models
try list contexts
try list profiles
try list no-such-section
try list ''
try list policy
try list policies clears
try list events no-such-event
try list events a b
try list --format json
finish
