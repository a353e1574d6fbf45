#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Command lines that make no plan: exit status 2 and a sentence.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Each is given everything that is needed but for what is wrong.
try_size() {
	try plan --policy contiguous-page --fault-page 0 --folio-size "$1"
}

for size in 0 0K -1 +1 3XB 1.5M 1e6 5000 4095 4097 '' ' 2M' '2M ' 2MM 2MiBs \
	K B iB 0x1000 99999999999999999999 16777216T 4194305T 4398046511105M \
	18446744073709551615 1,2; do
	try_size "$size"
done

for page in 512 513 -1 18446744073709551615 18446744073709551616 '' 1.0 \
	random FIRST middle,last 0x1; do
	try plan --policy contiguous-page --folio-size 2M --fault-page "$page"
done
try plan --policy init-pages --folio-size 2M --fault-page 512
try plan --policy contiguous-page --folio-size 4K --fault-page 1

for addr in '' 0x xyz 0xg 12345678901234567 0x12345678901234567 -1 ' 1' 1L; do
	try plan --policy contiguous-page --folio-size 2M --addr "$addr"
done
try plan --policy contiguous-page --folio-size 12K --addr 7f0000000000
try plan --policy init-pages --folio-size 12K --addr 7f0000000000
try plan --policy contiguous-page --folio-size 2M --addr 0 --fault-page 0
try plan --policy init-pages --folio-size 2M --addr 0 --fault-page 0

for name in '' no-such-policy contiguous contiguous-pages Contiguous-Page all \
	contiguous-page,batched-pages; do
	try plan --policy "$name" --folio-size 2M --fault-page 0
done
for name in '' nonee FULL rt all; do
	try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
		--preempt "$name"
done
for name in '' user alloc-irqs; do
	try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
		--context "$name"
done
for name in '' xml JSON commit; do
	try plan --policy contiguous-page --folio-size 2M --fault-page 0 \
		--format "$name"
done
for batch in 0 5000 -4K 4194305T; do
	try plan --policy batched-pages --folio-size 2M --fault-page 0 \
		--batch "$batch"
done
for radius in -1 1K 4294967296 ''; do
	try plan --policy neighbourhood-last --folio-size 2M --fault-page 0 \
		--radius "$radius"
done

try plan
try plan --policy contiguous-page
try plan --folio-size 2M --fault-page 0
try plan --policy contiguous-page --folio-size 2M
try plan --policy contiguous-page --folio-size 2M --fault-page 0 more
try plan --policy contiguous-page --folio-size 2M --fault-page 0 -- --help
try plan --policy
try plan --highmem=1 --policy contiguous-page
try plan --no-such-option
try plan --p contiguous-page
try plan -p contiguous-page
try plan -h
finish
