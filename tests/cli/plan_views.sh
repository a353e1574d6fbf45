#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Plans of every shipped policy in every format.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

fault_policies="discontiguous-page contiguous-page batched-pages
	neighbourhood-last neighbourhood-last-v6 streaming-neighbourhood-last"
init_policies="init-pages init-pages-extent init-pages-batched"

for policy in $fault_policies; do
	try plan --policy "$policy" --folio-size 64K --fault-page 7
	for format in csv json; do
		try plan --policy "$policy" --folio-size 32K --fault-page 6 \
			--format "$format"
	done
done
for policy in $init_policies; do
	try plan --policy "$policy" --folio-size 64K
	for format in csv json; do
		try plan --policy "$policy" --folio-size 16K --format "$format"
	done
done

# What the models change.
for model in none voluntary full lazy rt-full rt-lazy; do
	try plan --policy neighbourhood-last --folio-size 64K --fault-page 3 \
		--batch 16K --preempt "$model"
	try plan --policy neighbourhood-last --folio-size 64K --fault-page 3 \
		--batch 16K --preempt "$model" --format csv
done

# Sizes and pages.
try plan --policy neighbourhood-last --folio-size 2M --addr 7f00001234ff
try plan --policy neighbourhood-last --folio-size 2MiB --addr 0x7F00001FFFFF \
	--format csv
try plan --policy discontiguous-page --folio-size 2M --fault-page middle
try plan --policy discontiguous-page --folio-size 1G --fault-page last
try plan --policy neighbourhood-last --folio-size 1G --fault-page middle \
	--preempt none
try plan --policy neighbourhood-last-v6 --folio-size 1G --fault-page first
try plan --policy contiguous-page --folio-size 4K --fault-page 0
try plan --policy neighbourhood-last --folio-size 4K --fault-page last \
	--format csv
try plan --policy discontiguous-page --folio-size 20K --fault-page 4 \
	--format csv
try plan --policy contiguous-page --folio-size 4194304T --fault-page last

# Parameters.
try plan --policy neighbourhood-last --folio-size 64K --fault-page 8 --radius 0
try plan --policy neighbourhood-last --folio-size 64K --fault-page 8 --radius 1 \
	--batch 8K --format csv
try plan --policy neighbourhood-last --folio-size 64K --fault-page 8 \
	--radius 4294967295
try plan --policy batched-pages --folio-size 64K --fault-page 8 --highmem
try plan --policy batched-pages --folio-size 64K --fault-page 8 --highmem \
	--batch 32K
try plan --policy batched-pages --folio-size 64K --fault-page 8 \
	--per-page-clear --batch 32K
try plan --policy batched-pages --folio-size 16K --fault-page 0 \
	--per-page-clear --batch 8K --format csv
try plan --policy batched-pages --folio-size 16K --fault-page 0 --highmem \
	--format json

# An allocator is told no page; a good one is taken all the same.
try plan --policy init-pages --folio-size 64K --fault-page 3 --format json
try plan --policy init-pages --folio-size 64K --addr 1000
# The last of an option that is given twice counts.
try plan --policy init-pages --folio-size 2M --folio-size 4K --format csv
finish
