#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the plans of all policies have in common, also those added later.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

# Plans of one policy as CSV, each after a line "# nr_pages preempt ...".
plans() {
	local policy=$1 pages fault model flags
	for pages in 1 2 5 16 512 1536; do
		for fault in first middle last; do
			for model in none voluntary lazy; do
				for flags in '' '--batch 12K --radius 1' \
					--highmem; do
					echo "# $pages $model $policy $fault $flags"
					# shellcheck disable=SC2086
					"$FOLIOSIM" plan --policy "$policy" \
						--folio-size $((pages * 4))K \
						--fault-page "$fault" \
						--preempt "$model" $flags \
						--format csv
				done
			done
		done
	done
}

# Every page once, seq without gaps, ops that the model can have.
for policy in $(names policies); do
	plans "$policy" | awk -F, '
	function bad(why) {
		if (nr_bad++ < 5)
			print plan ": " why ": " $0
	}
	function close_plan() {
		if (plan && cleared != nr_pages)
			bad(cleared " of " nr_pages " pages cleared")
	}
	/^#/ {
		close_plan()
		plan = $0
		split($0, words, " ")
		nr_pages = words[2]
		model = words[3]
		seq = cleared = 0
		delete seen
		header = 1
		plans++
		next
	}
	header {
		header = 0
		if ($0 != "seq,op,first_page,nr_pages,hint")
			bad("header")
		next
	}
	NF != 5 { bad("columns") }
	$1 != seq++ { bad("seq") }
	$2 == "clear" {
		if ($5 != "cached" && $5 != "streaming")
			bad("hint")
		if ($4 < 1 || $3 + $4 > nr_pages)
			bad("outside the folio")
		for (page = $3; page < $3 + $4; page++)
			if (seen[page]++)
				bad("page " page " again")
		cleared += $4
		next
	}
	$3 != 0 || $4 != 0 || $5 != "" { bad("a call has no pages") }
	$2 == "resched" { if (model == "lazy") bad("acts") }
	$2 == "cond_resched" { if (model != "lazy") bad("does not act") }
	$2 == "might_sleep" { if (model == "voluntary") bad("does not act") }
	$2 !~ /^(resched|cond_resched|might_sleep)$/ { bad("op") }
	END {
		close_plan()
		if (plans != 162)
			bad(plans + 0 " plans")
		exit nr_bad > 0
	}'
	check "the plans of $policy" test "${PIPESTATUS[*]}" = "0 0"
done

# The JSON says the same as the CSV, and its sums are right.
compare_json() {
	"$FOLIOSIM" plan "$@" --format csv >csv.out
	"$FOLIOSIM" plan "$@" --format json >json.out
	jq -r '"seq,op,first_page,nr_pages,hint",
		(.steps[] | [.seq, .op, .first_page, .nr_pages, .hint // ""]
		| map(tostring) | join(",")),
		([(.counts | .clear_calls, .acting_points, .calls_not_acting),
		.longest_stretch_bytes // .folio_bytes,
		([.runs[].nr_pages // 0] | add * 4096)]
		| map(tostring) | join(" "))' json.out >from_json
	awk -F, 'NR > 1 && $2 == "clear" { clears++; pages += $4; open += $4
			if (open > longest) longest = open }
		$2 == "resched" { acting++; open = 0 }
		/cond_resched|might_sleep/ { idle++ }
		{ print }
		END { print clears + 0, acting + 0, idle + 0, longest * 4096,
			pages * 4096 }' csv.out >from_csv
	diff from_csv from_json >difference
	check "$*: JSON is not the CSV: $(cat difference)" test ! -s difference
}

for policy in $(names policies); do
	for model in none voluntary full; do
		for flags in '--fault-page 7' '--fault-page last --batch 12K' \
			'--fault-page 0 --per-page-clear --batch 20K'; do
			# shellcheck disable=SC2086
			compare_json --policy "$policy" --folio-size 68K \
				--preempt "$model" $flags
		done
	done
done
finish
