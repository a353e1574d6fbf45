#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Command lines of bench that measure nothing: exit status 2 and a sentence.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for size in 0 -1 3XB 1.5M 99999999999T ''; do
	try bench --size "$size"
	try bench --folio-size "$size"
done
try bench --page-size 2M --size 1M
try bench --page-size 4K --folio-size 2M --size 1M
try bench --page-size 1G --size 1023M
try bench --page-size 3M
try bench --page-size 2K
try bench --page-size huge
for size in '' 0 thp 3XB 3M 2K; do
	try bench --page-size "mthp-$size"
done
try bench --page-size mthp
try bench --page-size MTHP-64K
try bench --folio-size 5000
for page in 512 -1 1.0 N FIRST middle,middle ''; do
	try bench --page-size 2M --fault-page "$page"
done
try bench --page-size 4K,2M --fault-page 1
for option in policy engine clear stream-clear preempt use baseline format; do
	try bench "--$option" no-such-name
done
try bench --policy discontiguous-page,discontiguous-page
try bench --policy discontiguous-page,
try bench --stream-clear memset
try bench --batch 5000
try bench --batch 0
try bench --radius -1
try bench --radius 4294967296
try bench --repeat 0
try bench --repeat 4097
try bench --seed x
try bench --cpu 65536
try bench --cpu 1-
try bench --cpu 0,0
try bench --node x
try bench --threads 0
try bench --threads 1025
try bench --threads 2,2
try bench --threads 2 --use near
try bench --threads 2 --overhead
try bench --threads 2 --waker
try bench --waker now
try bench --waker=
try bench --counters ''
try bench --counters cycles,
try bench --counters cycles,cycles
try bench --counters quite-another-word
try bench --counters "$(seq -f 'r%g' -s, 100 132)"
try bench --overhead --counters cycles
try bench --interval 100us
try bench --waker --interval 100
try bench --waker --interval 9us
try bench --waker --interval 2s
try bench --engine model
try bench --engine buffers,model
try bench --profile milan
try bench --engine buffers --profile milan
try bench --engine model --profile
try bench --engine model --profile ''
for option in --waker --probe=all --counters=cycles --overhead; do
	try bench --engine model --profile milan "$option"
done
try bench --probe
try bench --probe residence
try bench --probe ,
try bench --probe all --threads 1
try bench --probe victim --overhead
try bench --cache genoa
try bench --probe victim --cache nonsense
try bench --histogram --format json
try bench --overhead --policy all
try bench --overhead --page-size thp,4K
try bench --overhead --use folio
try bench --overhead --highmem
try bench --overhead --histogram
try bench --overhead --size 23M
try bench --policy init-pages --baseline contiguous-page
try bench --engine kernel --baseline contiguous-page
# The same value in other words.
try bench --batch 64K,65536
try bench --radius 2,02
try bench --page-size 2M,2048K
try bench --page-size thp,thp
try bench --page-size mthp-64K,mthp-65536
# No buffer is a multiple of both.
try bench --page-size 4194304T --folio-size 12K
# The last of several wins.
try bench --stream-clear all --stream-clear all --stream-clear memset
try bench --bogus
try bench --size
try bench surplus
try bench --output /nonexistent/file
# More than anybody can read.
try bench --page-size 4K --size 64K --policy neighbourhood-last --clear all \
	--output too-many --preempt all --batch 4K,8K,16K,32K,64K,128K,256K,512K --radius 0,1,2,3

check 'a file without a result stays' [ ! -e too-many ]
[ ! -s transcript.stdout ] || check 'something but 2 was returned' \
	diff <(grep '^\[exit' transcript.stdout | sort -u) \
	<(printf '[exit 1]\n[exit 2]\n')

# What is like a word depends on the CPU's tables too.
unknown_event() {
	"$FOLIOSIM" bench --counters "$1" >out 2>err
	check "--counters $1: exit status" test $? = 2
	check "--counters $1: $2" grep -q "$2" err
}

unknown_event cyclez "unknown event 'cyclez': like it are .*cycles"
unknown_event page_faults 'like it are .*page-faults'
unknown_event 'page faults' 'like it are .*page-faults'
unknown_event cycles:no-such-mask 'has no such mask'
finish
