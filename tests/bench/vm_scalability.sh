#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm-scalability's anon-w-seq-hugetlb, simulated on the profile of Genoa with a
# process on each of 384 CPUs, beside what was published of it
# (tests/golden/published.csv): do stime and utime of each policy move the same
# way from those of discontiguous-page? What the profile does not know is
# assumed below; further arguments are for foliosim simulate, and may assume it
# otherwise with --set. Prints a table of Markdown; it passes or fails nothing.
# usage: BUILD=DIR [SIZE=1G] vm_scalability.sh [OPTION...]
set -euo pipefail

top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=${BUILD:?the build directory}
size=${SIZE:-1G}
csv=$top/tests/golden/published.csv
base=discontiguous-page
policies=$base,contiguous-page,batched-pages,neighbourhood-last

# KEY=VALUE and where it is from. Two sockets of 12 channels of DDR5-4800 have
# 429 GiB/s each on paper; four fifths of that is taken to be reached. Caches are
# those that a thread has, of two on a core and sixteen on a last level. A core
# loads 64 bytes a cycle from the first level, 32 from the second, halved for the
# two threads; that the last level takes twice the second's time is made up. How
# many cycles these are decides how much user times change, their order whether
# they rise or fall.
assumed=(
	nr_nodes=2
	memory.bps=345G
	memory.read_bps=20G
	switch_ns=1500
	irq_ns=1000
	hz=1000
	stosb.interrupted_ns=100
	cycle_ns=0.4
	cache.levels.0.bytes=16K
	cache.levels.1.bytes=512K
	cache.levels.2.bytes=2M
	cache.levels.0.read_cycles=2
	cache.levels.1.read_cycles=4
	cache.levels.2.read_cycles=8
)

# The numbers that are not given otherwise.
options=()
for assumption in "${assumed[@]}"; do
	key=${assumption%%=*}
	[[ " $* " == *" $key="* ]] || options+=(--set "$assumption")
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/foliosim" simulate --profile genoa "${options[@]}" \
	--generate anon-w-seq-hugetlb --size "$size" --cpus 384 \
	--policy "$policies" --format json "$@" >"$work/simulated.json"
jq -r '.profile.assumed | map("\(.key) \(.value)") | "assumed: " + join(", ")' \
	"$work/simulated.json"
jq -r '.rows[] | [.policy, .stime_ns / 1e9, .utime_ns / 1e9] | @csv' \
	"$work/simulated.json" | tr -d '"' >"$work/simulated.csv"

# Published: id,source,cpu,boost,workload,page,chunk,strategy,preempt,metric,
# value,unit,stdev_pct. A difference within the spread of both rows is none.
awk -F, -v base="$base" '
	FNR == NR { stime[$1] = $2; utime[$1] = $3; next }
	$5 != "anon-w-seq-hugetlb" { next }
	{
		sources[$2] = 1
		order[++nr] = $2 SUBSEP $8 SUBSEP $10
		value[$2, $8, $10] = $11
		spread[$2, $8, $10] = $13
	}
	function way(change, within) {
		return change > within ? 1 : change < -within ? -1 : 0
	}
	function verdict(is, was, noise) {
		if (noise && (was <= noise && was >= -noise))
			return "within the published spread"
		return way(is, 0.1) == way(was, 0) ? "yes" : "no"
	}
	function summary(metric) {
		return sprintf("%s: the direction agrees in %d of %d rows, " \
			"%d are within the published spread, %d do not agree",
			metric, said[metric, "yes"], nr_said[metric],
			said[metric, "within the published spread"],
			said[metric, "no"])
	}
	END {
		print "\n| source | policy | time | published, s | change | " \
			"spread | simulated, s | change | direction agrees |"
		print "|---|---|---|--:|--:|--:|--:|--:|---|"
		for (i = 1; i <= nr; i++) {
			split(order[i], part, SUBSEP)
			source = part[1]; policy = part[2]; metric = part[3]
			sim = metric == "stime" ? stime[policy] : utime[policy]
			sim0 = metric == "stime" ? stime[base] : utime[base]
			was = 100 * (value[order[i]] / value[source, base, metric] - 1)
			is = 100 * (sim / sim0 - 1)
			noise = spread[order[i]] ^ 2
			noise = sqrt(noise + spread[source, base, metric] ^ 2)
			agrees = verdict(is, was, noise)
			if (policy != base) {
				said[metric, agrees]++
				nr_said[metric]++
			}
			if (policy == base)
				printf "| %s | %s | %s | %.2f | | | %.2f | | |\n",
					source, policy, metric, value[order[i]], sim
			else
				printf "| %s | %s | %s | %.2f | %+.1f %% | %s | " \
					"%.2f | %+.1f %% | %s |\n", source, policy,
					metric, value[order[i]], was,
					noise ? sprintf("%.1f %%", noise) : "",
					sim, is, agrees
		}
		printf "\n%s; %s.\n", summary("stime"), summary("utime")
	}' "$work/simulated.csv" "$csv"
