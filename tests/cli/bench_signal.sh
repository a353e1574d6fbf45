#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A signal at any instant: finished rows or nothing, and all given back.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

pool=/sys/kernel/mm/hugepages/hugepages-2048kB
before=$(cat "$pool/nr_hugepages" 2>/dev/null || echo none)

# run_until SIGNAL SECONDS OPTION...: leaves the exit status in status.
run_until() {
	local signal=$1 seconds=$2
	shift 2
	# An interactive shell is not there to reset ignored signals, so the
	# program is started by one that does.
	timeout --preserve-status --foreground --signal "$signal" "$seconds" \
		"$FOLIOSIM" bench --reserve --size 64M --repeat 4000 "$@" \
		--format json >out.json 2>err
	status=$?
}

# What --reserve may change.
settings() {
	cat "$pool/nr_hugepages" \
		/sys/kernel/mm/transparent_hugepage/enabled \
		/sys/kernel/mm/transparent_hugepage/*/enabled 2>/dev/null
}

# shellcheck disable=SC2317 # called through check
whole_or_nothing() {
	[ ! -s out.json ] || jq -e '.partial == true and
		all(.rows[]; .status != "measured")' out.json >/dev/null
}

measured_some() {
	jq -e '[.rows[] | select(.status == "partial")] | length > 0 and
		all(.rounds > 0 and .bandwidth.median_bps > 0)' out.json \
		>/dev/null
}

ulimit -c 0 # QUIT
for seconds in 0.01 0.03 0.05 0.08 0.12 0.2 0.3 0.5 0.8; do
	for signal in INT TERM HUP QUIT USR1; do
		run_until "$signal" "$seconds"
		check "$signal after $seconds s: exit status $status" \
			[ "$status" = $((128 + $(kill -l "$signal"))) ]
		check "$signal after $seconds s: document" whole_or_nothing
		check "$signal after $seconds s: pool" \
			[ "$(cat "$pool/nr_hugepages" 2>/dev/null ||
				echo none)" = "$before" ]
	done
done

# Any instant, from the start to the middle of rounds, and several threads. The
# instants are the same in each run of this test.
RANDOM=20
for options in '--threads 2' '--waker --interval 50us' '--page-size 64K' \
	'--page-size 2M,64K --threads 1,2'; do
	for ((i = 0; i < 6; i++)); do
		seconds=$(printf '%d.%03d' $((RANDOM % 2)) $((RANDOM % 1000)))
		what="$options: INT after $seconds s"
		now=$(settings)
		# shellcheck disable=SC2086 # options are words
		run_until INT "$seconds" $options
		# 77: what it wants is not here.
		check "$what: exit status $status" \
			[ "$status" = 130 -o "$status" = 77 ]
		check "$what: document" whole_or_nothing
		check "$what: settings" [ "$(settings)" = "$now" ]
	done
done

# Late enough that rounds were done, even on a slow machine: try longer.
for seconds in 2 5 15 40; do
	run_until TERM "$seconds"
	check 'partial exit status' [ "$status" = 143 ]
	if measured_some; then
		break
	fi
done
check 'finished rounds are printed' measured_some
finish
