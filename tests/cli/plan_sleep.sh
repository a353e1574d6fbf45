#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that may sleep, in contexts that forbid it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for context in user-fault alloc-sleepable alloc-pte-lock alloc-irq; do
	for policy in init-pages init-pages-extent init-pages-batched; do
		try plan --policy "$policy" --folio-size 64K \
			--context "$context" --format csv
	done
done
# Debug kernels check under every model; on rt the count is 0, RCU is not.
for model in none voluntary full lazy rt-full rt-lazy; do
	try plan --policy init-pages-batched --folio-size 64K --batch 16K \
		--context alloc-pte-lock --preempt "$model" --format csv
	try plan --policy init-pages --folio-size 64K \
		--context alloc-pte-lock --preempt "$model" --format csv
done
# A call after the unit, a might_sleep first, and the other formats.
try plan --policy neighbourhood-last-v6 --folio-size 16K --fault-page 0 \
	--radius 0 --per-page-clear --context alloc-irq --format csv
try plan --policy discontiguous-page --folio-size 16K --fault-page 2 \
	--context alloc-irq --preempt rt-full
try plan --policy init-pages-batched --folio-size 16K \
	--context alloc-pte-lock --format json
finish
