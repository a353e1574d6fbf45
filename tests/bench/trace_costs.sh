#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What reading and replaying traces costs, and whether the cost grows with the
# number of faults and no faster. Times are only printed. The traces are made
# for it, and gone afterwards.
# usage: BUILD=DIR trace_costs.sh
set -euo pipefail

build=${BUILD:?the build directory}
foliosim=$build/foliosim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

# timed COMMAND...: wall, user and system seconds.
timed() {
	{ time "$@" >"$work/out" 2>"$work/err"; } 2>&1
}

# peak COMMAND...: MiB.
peak() {
	python3 - "$@" <<-'END'
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL,
			       stderr=subprocess.DEVNULL, check=True)
		peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
		print(peak // 1024)
	END
}

# As perf script prints them with the fields of the recipe.
as_perf_script() {
	awk -F, 'NR > 1 {
		printf "%16s %5d/%-5d [%03d] %5d.%09d:                page-faults: %16s \n",
			$5, $2, $3, $4, $1 / 1e9, $1 % 1e9, substr($7, 3)
	}' "$1"
}

reading() {
	"$foliosim" trace generate uniform --size 8G --faults 1000000 \
		--accesses 4000000 --to csv -o "$work/faults.csv"
	as_perf_script "$work/faults.csv" >"$work/perf.txt"
	echo 'Text of perf script in the page cache, one core, beside gawk with the same'
	echo 'fields and sums:'
	echo
	TRACE_READING=$build/tests/bench/trace_reading \
		"$(dirname "$0")/trace_reading.sh" "$work/perf.txt"
}

# cost LABEL FAULTS TRACE OPTION...: a line of the table.
cost() {
	local label=$1 faults=$2 trace=$3 times
	local command=("$foliosim" replay --preempt none "${@:4}" "$trace")

	times=$(timed "${command[@]}")
	printf '%-26s  %8d  %21s  %11.0f  %5d\n' "$label" "$faults" "$times" \
		"$(awk -v n="$faults" '{ print n / $1 }' <<<"$times")" \
		"$(peak "${command[@]}")"
}

# Each fault is one of 2M, in order.
every_fault_a_folio() {
	local faults=$1 one=(--policy neighbourhood-last --recorded-folio 2M)

	"$foliosim" trace generate sequential --page-size 2M \
		--size "$((faults * 2))M" --to binary -o "$work/trace"
	cost 'every fault a folio of 2M' "$faults" "$work/trace" "${one[@]}" \
		--folio-size 2M
	cost '  with 16M and 1G as well' "$faults" "$work/trace" "${one[@]}" \
		--folio-size 2M,16M,1G
}

replaying() {
	local faults

	echo 'Replay by price, times are wall, user and system:'
	echo
	printf '%-26s  %8s  %21s  %11s  %5s\n' '' faults seconds 'faults/s' MiB
	for faults in 50000 500000 5000000; do
		every_fault_a_folio "$faults"
	done
	cost 'anywhere in 8G, 4K,64K,2M' 1000000 "$work/faults.csv" \
		--policy all --folio-size 4K,64K,2M
}

reading
echo
replaying
