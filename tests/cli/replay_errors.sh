#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What cannot be replayed, and options that are none.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/recordings.sh
. "$SOURCE_DIR/tests/cli/recordings.sh"

workload >workload.trace
software page-faults 2097152 300 >huge.trace
: >empty
echo hello >words
grep -v 'fault_user.* 0x6 ' workload.trace >nothing.trace
head -c 20000 workload.trace >cut.trace

try replay
try replay --folio-size 2M
try replay missing.trace
try replay .
try replay empty
try replay nothing.trace
try replay --assume none huge.trace
try replay --trace-format csv workload.trace
try replay --strict cut.trace

for size in 0 3K 12K 2G 4K,4K '' 'auto,' auto: autos auto:4M auto:64K,64K \
	auto,4K 4K,auto,2M all,4K; do
	try replay --folio-size "$size" workload.trace
done
for size in 4K 64K 1M auto auto:64K; do
	try replay --folio-size "$size" huge.trace
done
try replay --recorded-folio 64K --folio-size 4K workload.trace
try replay --recorded-folio 3K workload.trace
try replay --recorded-folio auto workload.trace

try replay --policy no-such workload.trace
try replay --engine kernel workload.trace
try replay --engine model,model workload.trace
try replay --assume file workload.trace
try replay --pace fast workload.trace
try replay --format xml workload.trace
try replay --pace recorded workload.trace
try replay --size 8M workload.trace
try replay --reserve workload.trace
try replay --engine buffers --page-size 4K,64K workload.trace
try replay --engine buffers --page-size 4K --size 1M --folio-size 2M \
	workload.trace
try replay --seed -1 workload.trace
try replay --tsc-hz x workload.trace
try replay --output /no/such/file workload.trace

# Formats come and go.
run_status() {
	"$FOLIOSIM" replay "$@" >out 2>err
	echo $?
}
check 'no format knows it' [ "$(run_status words)" = 1 ]
check 'formats that were tried' grep -q 'tried .*canonical' err
check 'no such format' [ "$(run_status --trace-format no-such x)" = 2 ]

# A failure writes nothing, and leaves an old result as it was.
echo old >result
"$FOLIOSIM" replay --strict --output result cut.trace 2>/dev/null
check 'the old result is there' [ "$(cat result)" = old ]
finish
