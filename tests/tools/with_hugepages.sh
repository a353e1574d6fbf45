#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with-hugepages beside others of its kind: what it adds is given back to the
# page, its lock is not held while the command runs, and no more is asked for
# than memory is available.
set -u
: "${SOURCE_DIR:?the top of the sources}"

with_hugepages=$SOURCE_DIR/tools/with-hugepages
pool=/sys/kernel/mm/hugepages/hugepages-2048kB
total=$pool/nr_hugepages
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

skip() {
	echo "skipped: $*"
	exit 77
}

# check WHAT COMMAND...: the command must succeed.
check() {
	local what=$1
	shift
	"$@" || {
		echo "FAILED: $what"
		failures=$((failures + 1))
	}
}

# shellcheck disable=SC2317 # called through check
quiet() {
	[ ! -s err ] || {
		cat err
		return 1
	}
}

# as_before COMMAND...: the pool is afterwards. Others may use it meanwhile, so
# a difference is looked at again.
as_before() {
	local before after

	for _ in 1 2 3; do
		before=$(<"$total")
		"$@" || return
		after=$(<"$total")
		[ "$before" != "$after" ] || return 0
	done
	echo "$before pages before, $after after"
	return 1
}

# Each wants more than the others leave free.
# shellcheck disable=SC2317 # called through check
eight_at_once() {
	local pids=() i status=0 before

	before=$(<"$total")
	for i in 1 2 3 4 5 6 7 8; do
		"$with_hugepages" $((before + 9 * i)) true 2>>err &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || status=1
	done
	return "$status"
}

# shellcheck disable=SC2317 # called through check
many() {
	local i

	for i in {1..20}; do
		eight_at_once || return
	done
}

# shellcheck disable=SC2317 # called through check
lock_is_free() {
	"$with_hugepages" $(($(<"$total") + 1)) flock --nonblock "$total" true
}

# Holds the lock for a moment and notes whether the pool changed meanwhile.
cat >hold <<-'END'
	before=$(<"$1")
	touch locked
	sleep 1
	[ "$(<"$1")" = "$before" ] || touch changed
END
# shellcheck disable=SC2317 # called through check
hold_lock() {
	rm -f locked
	flock "$total" bash hold "$total" &
	until [ -e locked ]; do sleep 0.01; done
}

# shellcheck disable=SC2317 # called through check
waits_to_take() {
	hold_lock
	"$with_hugepages" $(($(<"$total") + 4)) true 2>>err
	wait
	[ ! -e changed ]
}

# shellcheck disable=SC2317 # called through check
waits_to_give_back() {
	"$with_hugepages" $(($(<"$total") + 4)) sleep 0.3 2>>err &
	sleep 0.2
	hold_lock
	wait
	[ ! -e changed ]
}

# To all of its group, as a terminal does. INT that was ignored when a script
# began stays so; a job of `set -m` has it back.
# shellcheck disable=SC2317 # called through check
signal_during_wait() {
	local pid status=0

	hold_lock
	set -m
	"$with_hugepages" $(($(<"$total") + 4)) touch run 2>>err &
	pid=$!
	set +m
	sleep 0.5 # until it waits
	kill -s INT -- "-$pid"
	wait "$pid" || status=$?
	wait
	[ "$status" = 1 ] && [ ! -e run ] && [ ! -e changed ]
}

# shellcheck disable=SC2317 # called through check
asks_for_too_much() {
	"$with_hugepages" 999999999999999999 cat "$total" >out 2>err &&
		[ "$(<out)" = "$(<"$total")" ] &&
		grep -q 'asks for none of .* more: memory is available' err
}

[ -w "$total" ] || skip "cannot write $total"
command -v flock >/dev/null || skip 'no flock'

: >err
check 'several at once' as_before many
# A 1G page, and those of a pool that is fragmented, may not be had.
sed -i '/: asked for [0-9]* more, got/d' err
check 'nobody gave up waiting' quiet
check 'waits for the lock to add' as_before waits_to_take
check 'waits for the lock to give back' as_before waits_to_give_back
check 'a signal during the wait' as_before signal_during_wait
check 'the lock is free while the command runs' as_before lock_is_free
check 'too much' as_before asks_for_too_much
"$with_hugepages" 1234567890123456789 true 2>err
check 'a number beyond all bounds' [ $? = 2 ]
"$with_hugepages" 008 sh -c 'exit 9' 2>err
check 'zeros in front, and the status of the command' [ $? = 9 ]
[ "$failures" = 0 ]
