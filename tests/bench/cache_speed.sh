#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How many lines a second go through the modelled cache, and through cachegrind
# of valgrind, which models two levels, on the same accesses. Speeds are only
# printed, all of CPU time.
# usage: BUILD=DIR cache_speed.sh
set -euo pipefail

bench=${BUILD:?the build directory}/tests/bench
accesses=8000000
rounds=3
TIMEFORMAT='%U %S'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v valgrind >/dev/null; then
	echo 'cache_speed.sh: no valgrind: apt-get install valgrind' >&2
	exit 77
fi

declare -A title=(
	[genoa]='32K/8, 1M/8 inclusive, 32M/16 victim'
	[xeon]='48K/12, 2M/16, 480M/15'
)
declare -A how=(
	[contiguous]='contiguous, line by line'
	[contiguous-runs]='the same, in runs of 2 MiB'
	[random]='random, line by line'
)
declare -A two_levels=(
	[genoa]='--D1=32768,8,64 --LL=33554432,16,64'
	[xeon]='--D1=49152,12,64 --LL=503316480,15,64'
)

# seconds CACHE STREAM touch|leave: of CPU time, in cachegrind.
seconds() {
	local options spent
	read -ra options <<<"${two_levels[$1]}"

	spent=$({ time valgrind --tool=cachegrind --cache-sim=yes \
		--cachegrind-out-file=/dev/null "${options[@]}" \
		"$bench/cache_speed_accesses" "$2" "$3" "$accesses" \
		>"$work/out" 2>"$work/err"; } 2>&1) ||
		{ cat "$work/err" >&2 && return 1; }
	awk '{ print $1 + $2 }' <<<"$spent"
}

# theirs CACHE STREAM: M lines/s of cachegrind, the median of the rounds: what
# touching the lines adds to the same program that does not.
theirs() {
	local round touched left

	for ((round = 0; round < rounds; round++)); do
		touched=$(seconds "$1" "$2" touch)
		left=$(seconds "$1" "$2" leave)
		echo "$touched $left"
	done | awk -v n="$accesses" '{ print n / 1e6 / ($1 - $2) }' |
		sort -g | sed -n "$((rounds / 2 + 1))p"
}

# ours CACHE WORK
ours() {
	awk -v cache="$1" -v work="$2" '$1 == cache && $2 == work { print $3 }' \
		"$work/ours"
}

"$bench/cache_speed" >"$work/ours"
echo '| cache | accesses | foliosim, M/s | cachegrind, M/s | times as fast |'
echo '|---|---|---|---|---|'
for cache in genoa xeon; do
	for stream in contiguous contiguous-runs random; do
		awk -v a="$(ours $cache $stream)" \
			-v b="$(theirs $cache "${stream%-runs}")" \
			-v name="${title[$cache]} | ${how[$stream]}" 'BEGIN {
			printf "| %s | %.0f | %.1f | %.1f |\n", name, a, b, a / b
		}'
	done
done
echo
echo '| cache | zeroed one by one, M lines/s | runs of 2 MiB | 32 MiB | 256 MiB | 1 GiB |'
echo '|---|---|---|---|---|---|'
for cache in genoa xeon; do
	printf '| %s |' "${title[$cache]}"
	for runs in zeroed 2M 32M 256M 1G; do
		printf ' %.0f |' "$(ours $cache $runs)"
	done
	echo
done
